import Type, { type Static } from 'typebox'
import { PRECISIONS, STATUSES, TIME_PRECISIONS } from '../../domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { endpoint } from '../endpoint.ts'
import { Incident } from '../read/incident.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

export const MOST_REPORTS = 500
export const MOST_SOURCES = 100

const name = (description: string) => Nullable(Type.String({ minLength: 1, maxLength: 300, description }))
const count = (description: string) => Nullable(Type.Integer({ minimum: 0, maximum: 100_000, description }))

export const ReportedSource = Named(
  'ReportedSource',
  Type.Object(
    {
      url: Type.Optional(
        Nullable(Type.String({ minLength: 1, maxLength: 2000, description: 'An http or https address.' })),
      ),
      publisher: Type.Optional(name('Who published it; by the address where not given.')),
      published_at: Type.Optional(Nullable(Type.String({ description: 'An RFC 3339 time or a date.' }))),
      official: Type.Optional(Type.Boolean({ description: 'Whether it speaks for police, army or government.' })),
    },
    { additionalProperties: false, description: 'One of `url` and `publisher` at least.' },
  ),
)

export const reportFields = {
  type: OneOf(TYPE_NAMES, 'What happened; see `GET /v1/taxonomy`.'),
  occurred_at: Type.String({ maxLength: 40, description: 'When: an RFC 3339 time, or a date.' }),
  time_precision: Type.Optional(
    OneOf(TIME_PRECISIONS, 'How precisely the time is known; by how `occurred_at` is written where not given.'),
  ),
  lat: Type.Optional(Nullable(Type.Number({ minimum: -90, maximum: 90 }))),
  lng: Type.Optional(Nullable(Type.Number({ minimum: -180, maximum: 180 }))),
  state: Type.Optional(name('By name, ISO code or known alias.')),
  lga: Type.Optional(name('By name, code or known alias.')),
  place: Type.Optional(name('A settlement, a road or a description, as `near Dansadau, Maru`.')),
  precision: Type.Optional(
    Nullable(OneOf(PRECISIONS, 'How precise the coordinates are; `settlement` where not given.')),
  ),
  summary: Type.Optional(
    Nullable(Type.String({ maxLength: 20_000, description: 'Made one plain line of at most 400 characters.' })),
  ),
  text: Type.Optional(
    Nullable(
      Type.String({ maxLength: 20_000, description: 'The report in its own words. Kept for the desk, not published.' }),
    ),
  ),
  sources: Type.Optional(Type.Array(Type.Ref('ReportedSource'), { maxItems: MOST_SOURCES })),
  casualties: Type.Optional(
    Type.Object(
      {
        killed: Type.Optional(count('Dead.')),
        injured: Type.Optional(count('Injured.')),
        abducted: Type.Optional(count('Abducted.')),
      },
      { additionalProperties: false, description: 'What is not known is null or left out, never 0.' },
    ),
  ),
  severity: Type.Optional(
    Nullable(OneOf(SEVERITIES, 'By a table over type and casualties where not given (docs/reports.md).')),
  ),
}

export const Report = Named(
  'Report',
  Type.Object(reportFields, {
    additionalProperties: false,
    description:
      'The place by coordinates, by names, in free text, or by several of these, which must then agree. `summary` or `text` at least.',
  }),
)
/** Its sources are checked by their own schema: their type is said here once more. */
export type ReportBody = Omit<Static<typeof Report>, 'sources'> & { sources?: Static<typeof ReportedSource>[] }

export const PossibleDuplicate = Named(
  'PossibleDuplicate',
  Type.Object({
    id: Type.String(),
    score: Type.Number({ minimum: 0, maximum: 1, description: 'How alike the two are (docs/reports.md).' }),
    status: OneOf(STATUSES),
    type: OneOf(TYPE_NAMES),
    state: Type.String(),
    lga: Nullable(Type.String()),
    occurred_at: Time('When it happened.'),
    summary: Type.String(),
  }),
)

export const DeskIncident = Named(
  'DeskIncident',
  Type.Object(
    {
      ...Incident.properties,
      desk: Type.Object({
        text: Nullable(Type.String({ description: 'The report in its own words.' })),
        official_sources: Type.Array(Type.Integer({ minimum: 0 }), {
          description: 'Which of `sources` are official, by their place in the list, from 0.',
        }),
        severity_given: Type.Boolean({ description: 'Somebody has set the severity; otherwise it is by the table.' }),
        merged_into: Nullable(Type.String({ description: 'The incident that this report was merged into.' })),
        source_id: Nullable(Type.String({ description: 'Of an import: the row, as `ucdp:17`.' })),
        possible_duplicates: Type.Array(Type.Ref('PossibleDuplicate'), {
          description: 'What may be the same incident, likeliest first. Nothing is merged by itself.',
        }),
      }),
    },
    { description: 'An incident in any status, with what only the desk sees.' },
  ),
)

export const ReportResults = Named(
  'ReportResults',
  Type.Object({
    taken: Type.Integer({ minimum: 0 }),
    refused: Type.Integer({ minimum: 0 }),
    data: Type.Array(
      Type.Union([
        Type.Object({ status: Type.Literal(201), incident: Type.Ref('DeskIncident') }),
        Type.Object({ status: Type.Literal(422), problem: Type.Ref('Problem') }),
      ]),
      { description: 'One for each report, in the order given.' },
    ),
  }),
)

export const createReports = endpoint({
  id: 'createReports',
  method: 'POST',
  path: '/v1/reports',
  tag: 'Desk',
  summary: 'Report incidents',
  description:
    `Takes one report, or a list of up to ${MOST_REPORTS} of which each has its own result: what is wrong with one does not keep the others out. ` +
    'The place is found and checked, the summary brought into one form, severity and confidence worked out. Nothing is public before it is confirmed.',
  scope: 'operate',
  body: Type.Union([Type.Ref('Report'), Type.Array(Type.Ref('Report'), { minItems: 1, maxItems: MOST_REPORTS })], {
    example: {
      type: 'kidnapping',
      occurred_at: '2026-05-01T06:30:00Z',
      time_precision: 'hour',
      place: 'Dansadau',
      state: 'Zamfara',
      summary: 'Gunmen abducted eleven people near Dansadau.',
      sources: [{ url: 'https://example.org/a-story', publisher: 'Example Daily' }],
      casualties: { abducted: 11 },
    },
  }),
  bodyCheck: 'by the handler',
  response: { status: 201, description: 'The report, to be decided on.', schema: Type.Ref('DeskIncident') },
  otherResponses: [{ status: 207, description: 'The result of each of a list.', schema: Type.Ref('ReportResults') }],
  problems: ['invalid_body'],
})
