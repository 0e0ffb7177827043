import Type from 'typebox'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { GROUPING_PARAMETERS, GROUPS } from '../../filter/grouping.ts'
import { FILTER_PARAMETERS } from '../../filter/parameters.ts'
import { AREA_PROBLEMS, endpointsOf, ok, SEARCH_PROBLEMS } from '../contract/endpoint.ts'
import { Count, Named, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import { EXAMPLE_ROAD, meta, queryBody } from '../incidents/contract.ts'

const endpoint = endpointsOf({ tag: 'Incidents', scope: 'read' })

const named = <Value extends string>(values: readonly Value[]) =>
  Type.Object({ key: OneOf(values, 'The value, as the filter accepts it.'), label: Type.String() })

/** The field by which an answer in groups names one of them; each is there if it was asked for. */
export const groupFields = {
  state: Type.Optional(Type.Object({ key: Text('The ISO 3166-2 code.'), label: Type.String() })),
  lga: Type.Optional(
    Nullable(
      Type.Object({
        key: Text('The code, such as `NG-KD-CHIKUN`.'),
        label: Type.String(),
        state: Type.String(),
        state_code: Type.String(),
      }),
    ),
  ),
  type: Type.Optional(named(TYPE_NAMES)),
  category: Type.Optional(named(CATEGORY_NAMES)),
  severity: Type.Optional(named(SEVERITIES)),
}

const known = (what: string) => Count(`Incidents with a known number of ${what}.`)

const numbers = {
  count: Count('The number of incidents.'),
  casualties: Type.Ref('Casualties'),
  casualties_known: Type.Object(
    { killed: known('dead'), injured: known('injured'), abducted: known('abducted') },
    {
      description:
        'The number of incidents with a known figure. The sums include only these, and are null if there are none.',
    },
  ),
}

const period = Type.Object({
  key: Text('The period, such as `2026-03-01T14`, `2026-03-01`, `2026-W09`, `2026-03` or `2026`.'),
  from: Time('Its first moment.'),
  to: Time('The first moment after it.'),
})

NamedObject(
  'StatisticsBucket',
  {
    ...groupFields,
    hour: Type.Optional(period),
    day: Type.Optional(period),
    week: Type.Optional(period),
    month: Type.Optional(period),
    year: Type.Optional(period),
    ...numbers,
  },
  {
    description:
      'One bucket: the counts, and a field for each requested group, whose `key` the filter of that name accepts (for a time: `from` and `to`). `lga` is null for incidents without a known LGA.',
  },
)

export const Statistics = NamedObject('Statistics', {
  group_by: Type.Array(OneOf(GROUPS)),
  data: Type.Array(Type.Ref('StatisticsBucket')),
  total: Type.Object(numbers, { description: 'The totals of all matching incidents.' }),
  meta,
})

export const readStatistics = endpoint('readStatistics', 'GET /v1/stats', {
  sample: { group_by: 'state', since: '30d' },
  summary: 'Count incidents and casualties',
  description:
    'Counts the incidents that match all filters, by one or two groups. Times ascend without gaps: they cover the requested window, or that of the whole feed by default, ' +
    'including empty buckets; the first and the last may lie only partly in the window. Severities are ordered from least to worst; states, LGAs, types and categories from the most incidents to the fewest (then by key), ' +
    'in the same order throughout; values without incidents are omitted. At most 25,000 buckets.',
  query: { ...GROUPING_PARAMETERS, ...FILTER_PARAMETERS },
  requestHeaders: ['If-None-Match'],
  response: ok('The counts.', Type.Ref('Statistics')),
  problems: [...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})

export const StatisticsQuery = Named(
  'StatisticsQuery',
  queryBody(
    { ...GROUPING_PARAMETERS, ...FILTER_PARAMETERS },
    {
      description: 'The parameters of the counts as JSON, and two filters more: `polygon` and `route`.',
      example: { group_by: ['severity'], since: '30d', route: { line: EXAMPLE_ROAD, buffer_km: 5 } },
    },
  ),
)

export const queryStatistics = endpoint('queryStatistics', 'POST /v1/stats/query', {
  summary: 'Count incidents in a polygon or along a road',
  description:
    'The same counts, with the same parameters as members of a JSON object (several values as arrays) and two filters that a query string cannot hold: ' +
    '`polygon` and `route`, as in the filter of a watch. It only reads: publishable keys may use it.',
  readsOnly: true,
  body: StatisticsQuery,
  bodyCheck: 'by the handler',
  response: ok('The counts.', Type.Ref('Statistics')),
  problems: ['invalid_parameter', ...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})
