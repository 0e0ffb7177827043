import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { DeskIncident, ReportResults } from '../../client/src/generated/types.ts'
import { type ReceivedReport, readReports, reportChanges } from '../desk/reports/build-incident.ts'
import { hasScope } from '../domain/accounts.ts'
import { type FieldError, invalidBody, Problem } from '../domain/errors.ts'
import { COMPARED_FIELD_NAMES } from '../domain/field-changes.ts'
import { isIdentifier } from '../domain/identifier.ts'
import { PRECISIONS, STATUSES, TIME_PRECISIONS } from '../domain/incident.ts'
import { ORIGINS } from '../domain/moderation.ts'
import { COMPARISONS } from '../domain/near-duplicates.ts'
import type { ReportBody } from '../domain/report.ts'
import { SEVERITIES, TYPE_NAMES } from '../domain/taxonomy.ts'
import type { IncidentRecord } from '../store/store.ts'
import { compileValidator } from './body.ts'
import { endpointsOf, ok } from './contract/endpoint.ts'
import {
  Closed,
  Flag,
  NamedObject,
  Nullable,
  NullableText,
  OneOf,
  pageParameters,
  Text,
  Time,
} from './contract/schema.ts'
import { actorOf, deskResponses, publishedSourceOf, reporterResponses } from './desk/incident.ts'
import { type Answer, sendAnswer } from './idempotency.ts'
import { Incident } from './incidents/contract.ts'
import { problemBody } from './problem.ts'
import { identifierCursor, listParametersOf, QueryClient } from './request.ts'
import type { Router } from './router.ts'
import type { Services } from './services.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'report' })

export const MAX_REPORTS = 500
export const MAX_SOURCES = 100
const MAX_CASUALTIES_REPORTED = 100

const name = (description: string) => Nullable(Type.String({ minLength: 1, maxLength: 300, description }))
const count = (description: string) => Nullable(Type.Integer({ minimum: 0, maximum: 100_000, description }))

export const ReportedSource = NamedObject(
  'ReportedSource',
  {
    url: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 2000, description: 'An http or https address.' })),
    ),
    publisher: Type.Optional(name('The publisher; derived from the address by default.')),
    published_at: Type.Optional(NullableText('An RFC 3339 time or a date.')),
    official: Type.Optional(Flag('Whether the source speaks for police, army or government.')),
  },
  { additionalProperties: false, description: 'Requires `url` or `publisher`.' },
)

const figures = {
  killed: Type.Optional(count('Dead.')),
  injured: Type.Optional(count('Injured.')),
  abducted: Type.Optional(count('Abducted.')),
}

export const reportFields = {
  type: OneOf(TYPE_NAMES, 'What happened; see `GET /v1/taxonomy`.'),
  occurred_at: Type.String({
    maxLength: 40,
    description: 'The time of the event: an RFC 3339 time or a date, not in the future.',
  }),
  occurred_until: Type.Optional(
    Nullable(
      Text(
        'When an event that lasted ended: an RFC 3339 time or a date, not before `occurred_at` and not in the future.',
        { maxLength: 40 },
      ),
    ),
  ),
  time_precision: Type.Optional(
    OneOf(TIME_PRECISIONS, 'The precision of the time; derived from the form of `occurred_at` by default.'),
  ),
  lat: Type.Optional(Nullable(Type.Number({ minimum: -90, maximum: 90 }))),
  lng: Type.Optional(Nullable(Type.Number({ minimum: -180, maximum: 180 }))),
  state: Type.Optional(name('A name, ISO code or known alias.')),
  lga: Type.Optional(name('A name, code or known alias.')),
  place: Type.Optional(name('A settlement, a road or a description, such as `near Dansadau, Maru`.')),
  precision: Type.Optional(Nullable(OneOf(PRECISIONS, 'The precision of the coordinates. Default: `settlement`.'))),
  summary: Type.Optional(
    Nullable(Type.String({ maxLength: 20_000, description: 'Converted to one plain line of at most 400 characters.' })),
  ),
  text: Type.Optional(
    Nullable(Text('The original text of the report. Kept for the desk, not published.', { maxLength: 20_000 })),
  ),
  sources: Type.Optional(Type.Array(Type.Ref('ReportedSource'), { maxItems: MAX_SOURCES })),
  casualties: Type.Optional(
    Closed(figures, { description: 'The figures that hold. An unknown one is null or omitted, never 0.' }),
  ),
  casualties_reported: Type.Optional(
    Type.Array(
      Closed({
        source: Type.String({ minLength: 1, maxLength: 300, description: 'Who gives these figures.' }),
        ...figures,
      }),
      {
        maxItems: MAX_CASUALTIES_REPORTED,
        description: 'What each source says, where they differ. Each source is named once.',
      },
    ),
  ),
  severity: Type.Optional(
    Nullable(OneOf(SEVERITIES, 'Derived from type and casualties by default (docs/reports.md).')),
  ),
}

export const Report = NamedObject('Report', reportFields, {
  additionalProperties: false,
  description:
    'The location is given by coordinates, by names, in free text, or by several of these, which must then agree. `summary` or `text` is required.',
})

NamedObject('PossibleDuplicate', {
  id: Type.String(),
  score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The probability that the two are one event (docs/reports.md).',
  }),
  reasons: Type.Array(
    Type.Object({
      reason: OneOf(COMPARISONS, 'What was compared.'),
      finding: Text('What the comparison found, such as `same`, `similar` or `different`.'),
      weight: Type.Number({ description: 'Above 0 it speaks for one event: 1 doubles the odds, -1 halves them.' }),
    }),
    { description: 'Why it is a candidate, and what speaks against it; the strongest first.' },
  ),
  differs: Type.Array(OneOf(COMPARED_FIELD_NAMES), { description: 'The fields in which the two differ.' }),
  status: OneOf(STATUSES),
  type: OneOf(TYPE_NAMES),
  state: Type.String(),
  lga: Nullable(Type.String()),
  place: Nullable(Type.String()),
  occurred_at: Time('When it happened.'),
  time_precision: OneOf(TIME_PRECISIONS),
  casualties: Type.Ref('Casualties'),
  summary: Type.String(),
})

NamedObject(
  'DeskIncident',
  {
    ...Incident.properties,
    desk: Type.Object({
      origin: OneOf(ORIGINS, 'How the report arrived.'),
      claim: Nullable(Type.Ref('Claim')),
      text: NullableText('The original text of the report.'),
      official_sources: Type.Array(Type.Integer({ minimum: 0 }), {
        description: 'The indexes of the official `sources`, from 0.',
      }),
      severity_given: Flag('Whether a person set the severity; otherwise it comes from the table.'),
      merged_into: NullableText('The incident that this report was merged into.'),
      merged_from: Type.Array(Type.String(), { description: 'The incidents that were merged into this one.' }),
      undo: Type.Optional(Nullable(Type.Ref('Undo'))),
      source_id: NullableText('The row of an import, such as `ucdp:17`.'),
      reading: Nullable(
        Type.Object(
          {
            source_id: Text('The news source, such as `src_01jd8z0c5x…`.'),
            item_id: Type.String(),
            score: Type.Number({ minimum: 0, maximum: 1, description: 'How sure the reading is.' }),
            evidence: Type.Array(
              Type.Object({
                field: Text('Such as `type`, `place` or `killed`.'),
                start: Type.Integer({ minimum: 0 }),
                end: Type.Integer({ minimum: 0 }),
                text: Type.String(),
                score: Type.Number({ minimum: 0, maximum: 1 }),
              }),
              { description: 'The parts of `text` that each field was read from.' },
            ),
          },
          { description: 'How the report was read from the story of a feed; null for others.' },
        ),
      ),
      possible_duplicates: Type.Array(Type.Ref('PossibleDuplicate'), {
        description: 'Incidents that may be the same, likeliest first. Nothing is merged automatically.',
      }),
    }),
  },
  { description: 'An incident in any status, with the fields that only the desk sees.' },
)

NamedObject('ReportResults', {
  taken: Type.Integer({ minimum: 0 }),
  refused: Type.Integer({ minimum: 0 }),
  data: Type.Array(
    Type.Union([
      Type.Object({ status: Type.Literal(201), incident: Type.Ref('DeskIncident') }),
      Type.Object({ status: Type.Literal(422), problem: Type.Ref('Problem') }),
    ]),
    { description: 'One result per report, in the order sent.' },
  ),
})

export const createReports = endpoint('createReports', 'POST /v1/reports', {
  summary: 'Report incidents',
  description:
    `Accepts one report, or a list of up to ${MAX_REPORTS}. Each report in a list has its own result: an invalid one does not affect the others. ` +
    'The service locates and checks the place, normalises the summary, and computes severity and confidence. Nothing is public before it is confirmed. ' +
    'Possible duplicates include reports of others only if the key has the scope `review`.',
  body: Type.Union([Type.Ref('Report'), Type.Array(Type.Ref('Report'), { minItems: 1, maxItems: MAX_REPORTS })], {
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
  response: { status: 201, description: 'The report, awaiting a decision.', schema: Type.Ref('DeskIncident') },
  otherResponses: [
    { status: 207, description: 'The result of each report in a list.', schema: Type.Ref('ReportResults') },
  ],
})

export const listReports = endpoint('listReports', 'GET /v1/reports', {
  summary: 'List your own reports',
  description: 'The incidents that were reported with any key of your account, in any status, newest first.',
  query: pageParameters('Reports', 100),
  response: ok('A page of reports.', Type.Ref('DeskList')),
})

export const readReport = endpoint('readReport', 'GET /v1/reports/{id}', {
  summary: 'Read one of your own reports',
  pathParameters: { id: 'The id of the incident, such as `inc_01jd8z0c5x…`.' },
  response: {
    status: 200,
    description: 'The report, with its status.',
    schema: Type.Ref('DeskIncident'),
    headers: { ETag: 'The version.' },
  },
})

export function reportRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const validate = compileValidator(Report)
  const checkReport = (body: unknown): ReportBody | FieldError[] => {
    const errors = validate(body)
    return errors.length > 0 ? errors : (body as ReportBody)
  }

  router.add(createReports, async ({ request, reply, body, services, storeWith }) => {
    const { store } = services
    const now = clock()
    const bodies = reportsIn(body).map(checkReport)
    const results = await readReports(bodies, store, geography, now)
    const [first] = results
    if (!Array.isArray(body) && first && 'errors' in first) throw invalidBody(first.errors)
    const records = results.flatMap((result) => ('record' in result ? [result.record] : []))
    const incidents = await responsesFor(request, reply, records, services)
    const answer: Answer<DeskIncident | ReportResults> = Array.isArray(body)
      ? { status: 207, body: batchResponse(results, incidents, request.id) }
      : { status: 201, headers: { etag: `"${incidents[0]!.version}"` }, body: incidents[0]! }
    await storeWith(answer).incidents.save(reportChanges(results, actorOf(request.caller!), now), now)
    return sendAnswer(reply, answer)
  })

  router.add(listReports, async ({ request, reply, services }) => {
    const { text, limit } = listParametersOf(request, listReports)
    const cursor = identifierCursor('incident', text('cursor'))
    const { store } = services
    const ids = await store.accounts.listReports(request.caller!.account.id, limit + 1, cursor)
    const page = ids.slice(0, limit)
    const byId = new Map((await store.incidents.findRecords(page)).map((record) => [record.incident.id, record]))
    return {
      data: await responsesFor(
        request,
        reply,
        page.flatMap((id) => byId.get(id) ?? []),
        services,
      ),
      has_more: ids.length > limit,
      next_cursor: ids.length > limit ? page.at(-1)! : null,
    }
  })

  router.add(readReport, async ({ request, reply, parameters: { id }, services }) => {
    const { store } = services
    const isOwn = isIdentifier('incident', id) && (await store.accounts.hasReported(request.caller!.account.id, id))
    const records = isOwn ? await store.incidents.findRecords([id]) : []
    const [incident] = await responsesFor(request, reply, records, services)
    if (incident === undefined) throw new Problem('not_found', 'Your account has not reported such an incident.')
    reply.header('etag', `"${incident.version}"`)
    return incident
  })

  function responsesFor(
    request: FastifyRequest,
    reply: FastifyReply,
    records: readonly IncidentRecord[],
    services: Services,
  ) {
    const { key, account } = request.caller!
    const published = publishedSourceOf(services.archive, queries, new QueryClient(request, reply), clock())
    const responses = hasScope(key, account.role, 'review') ? deskResponses : reporterResponses
    return responses(records, services.store, published, clock())
  }
}

function reportsIn(body: unknown): unknown[] {
  if (!Array.isArray(body)) return [body]
  if (body.length >= 1 && body.length <= MAX_REPORTS) return body
  throw invalidBody([{ pointer: '', message: `must have 1 to ${MAX_REPORTS} reports, not ${body.length}` }])
}

function batchResponse(
  results: readonly ReceivedReport[],
  incidents: readonly DeskIncident[],
  requestId: string,
): ReportResults {
  let taken = 0
  const data = results.map((result): ReportResults['data'][number] =>
    'record' in result
      ? { status: 201, incident: incidents[taken++]! }
      : { status: 422, problem: problemBody(invalidBody(result.errors), requestId) },
  )
  return { taken, refused: results.length - taken, data }
}
