import { createReports, MAX_REPORTS, Report, type ReportBody } from '../../contract/desk/reports.ts'
import { type FieldError, invalidBody } from '../../domain/errors.ts'
import { type ReceivedReport, receiveReports } from '../../intake/reports/receive-reports.ts'
import { compileValidator } from '../requests/validate.ts'
import { problemBody } from '../responses/problem-response.ts'
import type { Router } from '../router.ts'
import { actorOf, deskResponses, publishedSourceOf } from './desk/response.ts'

export function reportRoutes(router: Router): void {
  const { clock, geography } = router.environment
  const validate = compileValidator(Report)
  const checkReport = (body: unknown): ReportBody | FieldError[] => {
    const errors = validate(body)
    return errors.length > 0 ? errors : (body as ReportBody)
  }

  router.add(createReports, async ({ request, reply, body, services: { store, archive } }) => {
    const now = clock()
    const published = publishedSourceOf(archive, now)
    const bodies = reportsIn(body).map(checkReport)
    const results = await receiveReports(bodies, actorOf(request.caller!), store, geography, now)
    const records = results.flatMap((result) => ('record' in result ? [result.record] : []))
    const incidents = await deskResponses(records, store, published)
    if (!Array.isArray(body)) {
      if ('errors' in results[0]!) throw invalidBody(results[0].errors)
      reply.status(201).header('etag', `"${incidents[0]!.version}"`)
      return incidents[0]
    }
    reply.status(207)
    return batchResponse(results, incidents, request.id)
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
