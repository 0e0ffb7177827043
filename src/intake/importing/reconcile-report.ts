import type { Reliability } from '../../domain/confidence/reliability.ts'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../domain/desk/moderation-record.ts'
import type { Incident } from '../../domain/incident.ts'
import { normalizeSummary } from '../../domain/summary/summary.ts'
import { timeText } from '../../lib/time/time.ts'
import type { IncidentRecord } from '../../store/store.ts'
import { buildIncident, officialSourceIndexes } from '../reports/build-incident.ts'
import { keepStored, type Reconciliation, UNCHANGED } from './outcome.ts'
import type { PreparedReport } from './prepare-row.ts'

/** Compares a row with its stored incident. Changes made at the desk are kept. */
export function reconcileReport(
  row: PreparedReport,
  record: IncidentRecord | undefined,
  now: number,
  reliability: Reliability,
): Reconciliation {
  if (record === undefined) {
    const incident = importedIncident(row, moderationRecordFor(row, 1), now, reliability)
    const change = {
      incident,
      event: 'incident.imported',
      replaces: { version: 0 },
      moderation: moderationRecordFor(row, 1),
    } as const
    return { outcome: 'new', change }
  }
  const { incident: ours, moderation } = record
  const imported = moderation?.imported ?? null
  if (imported === null) return keepStored(`${row.id} exists, but was not imported from ${row.sourceId}`)
  if (imported.digest === row.digest) return UNCHANGED
  if (ours.status !== 'confirmed') return keepStored(`${row.id} is ${ours.status}`)
  if (ours.version !== imported.version) return keepStored(`${row.id} was changed at the desk since it was imported`)
  const version = ours.version + 1
  const given = moderationRecordFor(row, version)
  const { reported_at, confirmed_at } = ours
  const incident = { ...importedIncident(row, given, now, reliability), reported_at, confirmed_at, version }
  const replaces = { version: ours.version, status: ours.status }
  return { outcome: 'updated', change: { incident, event: 'incident.imported', replaces, moderation: given } }
}

/** Published on the day it happened, so that history is not among today's incidents. */
function importedIncident(
  row: PreparedReport,
  moderation: ModerationRecord,
  now: number,
  reliability: Reliability,
): Incident {
  const { id, report, placement, quality } = row
  const at = timeText(now)
  const published_at = timeText(Date.parse(report.occurred_at))
  const times = { reported_at: at, confirmed_at: at, updated_at: at, published_at }
  return buildIncident(report, placement, { id, status: 'confirmed', ...times }, moderation, quality, reliability)
}

function moderationRecordFor({ report, sourceId, digest }: PreparedReport, version: number): ModerationRecord {
  return {
    ...EMPTY_MODERATION_RECORD,
    // A summary that normalization leaves unchanged is not stored twice.
    text: normalizeSummary(report.summary) === report.summary ? null : report.summary,
    official: officialSourceIndexes(report.sources),
    severity_given: report.severity !== null,
    imported: { source_id: sourceId, digest, version },
  }
}
