import Type from 'typebox'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { FILTER_PARAMETERS } from '../../query/filter/parameters.ts'
import { GROUPING_PARAMETERS, GROUPS } from '../../query/grouping.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const known = (what: string) => Type.Integer({ minimum: 0, description: `Incidents of which the ${what} are known.` })

const numbers = {
  count: Type.Integer({ minimum: 0, description: 'Incidents.' }),
  casualties: Type.Ref('Casualties'),
  casualties_known: Type.Object(
    { killed: known('dead'), injured: known('injured'), abducted: known('abducted') },
    { description: 'How many of the incidents had a figure. The sums are of these alone, and null where none had.' },
  ),
}

const named = <Value extends string>(values: readonly Value[]) =>
  Type.Object({ key: OneOf(values, 'As the filter takes it.'), label: Type.String() })

const period = Type.Object({
  key: Type.String({ description: 'As `2026-03-01T14`, `2026-03-01`, `2026-W09`, `2026-03` or `2026`.' }),
  from: Time('Its first moment.'),
  to: Time('The first moment after it.'),
})

export const StatisticsBucket = Named(
  'StatisticsBucket',
  Type.Object(
    {
      state: Type.Optional(Type.Object({ key: Type.String({ description: 'ISO 3166-2.' }), label: Type.String() })),
      lga: Type.Optional(
        Nullable(
          Type.Object({
            key: Type.String({ description: 'As `NG-KD-CHIKUN`.' }),
            label: Type.String(),
            state: Type.String(),
            state_code: Type.String(),
          }),
        ),
      ),
      type: Type.Optional(named(TYPE_NAMES)),
      category: Type.Optional(named(CATEGORY_NAMES)),
      severity: Type.Optional(named(SEVERITIES)),
      hour: Type.Optional(period),
      day: Type.Optional(period),
      week: Type.Optional(period),
      month: Type.Optional(period),
      year: Type.Optional(period),
      ...numbers,
    },
    {
      description:
        'One bucket: a field for each group asked for, whose `key` the filter of that name takes (of a time, `from` and `to`), and what was counted. `lga` is null for incidents not known to their LGA.',
    },
  ),
)

export const Statistics = Named(
  'Statistics',
  Type.Object({
    group_by: Type.Array(OneOf(GROUPS)),
    data: Type.Array(Type.Ref('StatisticsBucket')),
    total: Type.Object(numbers, { description: 'Of all incidents that match.' }),
    meta: Type.Object({
      as_of: Time('When the last event that this answer knows of was committed.'),
      seq: Type.Integer({ minimum: 0, description: 'The number of that event in the log.' }),
      newest_published_at: Nullable(Time('The newest publication in the whole feed, whatever the filter.')),
    }),
  }),
)

export const readStatistics = endpoint({
  id: 'readStatistics',
  method: 'GET',
  path: '/v1/stats',
  tag: 'Incidents',
  summary: 'Count incidents and casualties',
  description:
    'By one or two groups, of the incidents that match all filters given. Times ascend and have no gap: they cover the window asked for, or the whole feed’s where none is, ' +
    'with buckets of 0 among them; the first and the last may lie only partly in the window. Severities go from least to worst; states, LGAs, types and categories from the most incidents to the fewest (then by key), ' +
    'in the same order throughout, and those without any are left out. At most 25,000 buckets.',
  scope: 'read',
  query: { ...GROUPING_PARAMETERS, ...FILTER_PARAMETERS },
  response: {
    status: 200,
    description: 'The counts.',
    schema: Type.Ref('Statistics'),
    headers: { ETag: 'Send it back as `If-None-Match`: 304 while nothing has changed.' },
  },
  problems: ['invalid_parameter'],
})
