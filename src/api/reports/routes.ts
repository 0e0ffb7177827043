import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeskIncident, ReportResults } from '../../../client/src/generated/types.ts'
import { type ReceivedReport, readReports, reportChanges } from '../../desk/reports/build-incident.ts'
import { hasScope } from '../../domain/accounts.ts'
import { type FieldError, invalidBody, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { ReportBody } from '../../domain/report.ts'
import type { IncidentRecord } from '../../store/store.ts'
import { compileValidator } from '../body.ts'
import { actorOf, deskResponses, publishedSourceOf, reporterResponses } from '../desk/incident.ts'
import { type Answer, sendAnswer } from '../idempotency.ts'
import { problemBody } from '../problem.ts'
import { identifierCursor, pageSizeIn, parametersOf, QueryClient } from '../request.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'
import { createReports, listReports, MAX_REPORTS, Report, readReport } from './contract.ts'

const MAX_PAGE_SIZE = 100

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
    const { text } = parametersOf(request, listReports, geography.places)
    const limit = pageSizeIn(text('limit'), MAX_PAGE_SIZE)
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
