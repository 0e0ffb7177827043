import { createReports, MAX_REPORTS, Report, type ReportBody } from '../../contract/desk/reports.ts'
import { type FieldError, invalidBody } from '../../domain/errors.ts'
import { type ReceivedReport, readReports, reportChanges } from '../../intake/reports/receive-reports.ts'
import { RequestAsker } from '../requests/asker.ts'
import { sendAnswer } from '../requests/idempotency/answer.ts'
import { compileValidator } from '../requests/validate.ts'
import { problemBody } from '../responses/problem-response.ts'
import type { Router } from '../router.ts'
import { actorOf, deskResponses, publishedSourceOf } from './desk/response.ts'

export function reportRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const validate = compileValidator(Report)
  const checkReport = (body: unknown): ReportBody | FieldError[] => {
    const errors = validate(body)
    return errors.length > 0 ? errors : (body as ReportBody)
  }

  router.add(createReports, async ({ request, reply, body, services: { store, archive }, storeWith }) => {
    const now = clock()
    const published = publishedSourceOf(archive, queries, new RequestAsker(request, reply), now)
    const bodies = reportsIn(body).map(checkReport)
    const results = await readReports(bodies, store, geography, now)
    const [first] = results
    if (!Array.isArray(body) && first && 'errors' in first) throw invalidBody(first.errors)
    const records = results.flatMap((result) => ('record' in result ? [result.record] : []))
    const incidents = await deskResponses(records, store, published)
    const answer = Array.isArray(body)
      ? { status: 207, body: batchResponse(results, incidents, request.id) }
      : { status: 201, headers: { etag: `"${incidents[0]!.version}"` }, body: incidents[0] }
    await storeWith(answer).incidents.save(reportChanges(results, actorOf(request.caller!), now), now)
    return sendAnswer(reply, answer)
  })
}

function reportsIn(body: unknown): unknown[] {
  if (!Array.isArray(body)) return [body]
  if (body.length >= 1 && body.length <= MAX_REPORTS) return body
  throw invalidBody([{ pointer: '', message: `must have 1 to ${MAX_REPORTS} reports, not ${body.length}` }])
}

function batchResponse(results: readonly ReceivedReport[], incidents: readonly unknown[], requestId: string) {
  let taken = 0
  const data = results.map((result) =>
    'record' in result
      ? { status: 201, incident: incidents[taken++] }
      : { status: 422, problem: problemBody(invalidBody(result.errors), requestId) },
  )
  return { taken, refused: results.length - taken, data }
}
