import { randomBytes } from 'node:crypto'
import type { FieldError } from '../../domain/errors.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import type { Actor, HistoryEntry } from '../../domain/lifecycle.ts'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../domain/moderation.ts'
import { reliabilityFrom } from '../../domain/publishers.ts'
import type { ReportBody } from '../../domain/report.ts'
import type { Geography } from '../../geo/geography.ts'
import { eventLoopShare } from '../../lib/event-loop-share.ts'
import { timeText } from '../../lib/time.ts'
import type { IncidentChange, IncidentRecord, Store } from '../../store/store.ts'
import { buildIncident, type Identity, officialSourceIndexes } from './build-incident.ts'
import { placeReport } from './place-report.ts'
import { type ReadReport, readReport } from './read-report.ts'

/** Finding the place of one report takes a tenth of a millisecond and more. */
const REPORTS_PER_TURN = 10

export type ReceivedReport = { readonly record: IncidentRecord } | { readonly errors: readonly FieldError[] }

/**
 * Reads reports, in the order of the bodies; `reportChanges` are what to save of them. A body that
 * did not fit the schema is passed as its errors.
 */
export async function readReports(
  bodies: readonly (ReportBody | readonly FieldError[])[],
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

  function readOne(body: ReportBody | readonly FieldError[]): ReceivedReport {
    if (isRefused(body)) return { errors: body }
    const errors: FieldError[] = []
    const read = readReport(body, now, errors)
    const placementResult = placeReport(read.report, geography)
    if ('errors' in placementResult) errors.push(...placementResult.errors)
    if ('errors' in placementResult || errors.length > 0) return { errors }
    const moderation = moderationRecordFor(read)
    const incident = buildIncident(
      read.report,
      placementResult.placement,
      reportedNow(now),
      moderation,
      null,
      reliability,
    )
    return { record: { incident, moderation, claim: null } }
  }
}

export function reportChanges(results: readonly ReceivedReport[], actor: Actor, now: number): IncidentChange[] {
  return results.flatMap((result) => ('record' in result ? [firstChange(result.record, actor, now)] : []))
}

export async function loadReliability({ publishers }: Pick<Store, 'publishers'>) {
  return reliabilityFrom((await publishers.list()).map(({ name, kind }) => [name, kind] as const))
}

function isRefused(body: ReportBody | readonly FieldError[]): body is readonly FieldError[] {
  return Array.isArray(body)
}

function moderationRecordFor({ report, text }: ReadReport): ModerationRecord {
  return {
    ...EMPTY_MODERATION_RECORD,
    text,
    official: officialSourceIndexes(report.sources),
    severity_given: report.severity !== null,
  }
}

export function reportedNow(now: number): Identity {
  const time = timeText(now)
  return {
    id: newIdentifier('incident', now, randomBytes),
    reported_at: time,
    confirmed_at: null,
    published_at: null,
    updated_at: time,
    status: 'reported',
  }
}

function firstChange({ incident, moderation }: IncidentRecord, by: Actor, at: number): IncidentChange {
  const historyEntry: HistoryEntry = {
    id: newIdentifier('step', at, randomBytes),
    step: 'report',
    version: incident.version,
    at,
    by,
    note: null,
    fields: [],
    changes: [],
    other: null,
  }
  return { incident, event: null, historyEntry, ...(moderation ? { moderation } : {}) }
}
