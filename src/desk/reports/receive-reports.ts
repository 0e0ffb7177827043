import type { FieldError } from '../../domain/errors.ts'
import type { Actor } from '../../domain/lifecycle.ts'
import { EMPTY_MODERATION_RECORD } from '../../domain/moderation.ts'
import type { ReportBody } from '../../domain/report.ts'
import type { Geography } from '../../geo/geography.ts'
import { eventLoopShare } from '../../lib/event-loop-share.ts'
import type { IncidentChange, IncidentRecord, Store } from '../../store/store.ts'
import { newHistoryEntry } from '../decision.ts'
import { buildIncident, loadReliability, officialSourceIndexes, reportedNow } from './build-incident.ts'
import { placeReport } from './place-report.ts'
import { readReport } from './read-report.ts'

/** Finding the place of one report takes a tenth of a millisecond and more. */
const REPORTS_PER_TURN = 10

export type ReceivedReport = { readonly record: IncidentRecord } | { readonly errors: readonly FieldError[] }
type GivenReport = ReportBody | readonly FieldError[]

/**
 * Reads reports, in the order of the bodies; `reportChanges` are what to save of them. A body that
 * did not fit the schema is passed as its errors.
 */
export async function readReports(
  bodies: readonly GivenReport[],
  store: Pick<Store, 'publishers'>,
  geography: Geography,
  now: number,
): Promise<ReceivedReport[]> {
  const reliability = await loadReliability(store)
  const results: ReceivedReport[] = []
  for (let start = 0; start < bodies.length; start += REPORTS_PER_TURN) {
    if (bodies.length > 1) await eventLoopShare.nextSlice('reports')
    results.push(...bodies.slice(start, start + REPORTS_PER_TURN).map(readOne))
  }
  return results

  function readOne(body: GivenReport): ReceivedReport {
    if (isRefused(body)) return { errors: body }
    const errors: FieldError[] = []
    const { report, text } = readReport(body, now, errors)
    const placed = placeReport(report, geography)
    if ('errors' in placed) errors.push(...placed.errors)
    if ('errors' in placed || errors.length > 0) return { errors }
    const official = officialSourceIndexes(report.sources)
    const moderation = { ...EMPTY_MODERATION_RECORD, text, official, severity_given: report.severity !== null }
    const incident = buildIncident(report, placed.placement, reportedNow(now), moderation, null, reliability)
    return { record: { incident, moderation, claim: null } }
  }
}

function isRefused(body: GivenReport): body is readonly FieldError[] {
  return Array.isArray(body)
}

export function reportChanges(results: readonly ReceivedReport[], by: Actor, now: number): IncidentChange[] {
  return results.flatMap((result) => {
    if (!('record' in result)) return []
    const { incident, moderation } = result.record
    const historyEntry = newHistoryEntry('report', incident.version, { by, now, note: null })
    return [{ incident, event: null, historyEntry, ...(moderation ? { moderation } : {}) }]
  })
}
