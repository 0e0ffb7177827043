import type { Reliability } from '../../domain/confidence/reliability.ts'
import type { Incident } from '../../domain/incident.ts'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../domain/moderation-record.ts'
import { normalizeSummary } from '../../domain/summary/summary.ts'
import { timeText } from '../../lib/time/time.ts'
import type { IncidentRecord } from '../../store/store.ts'
import { buildIncident, officialSourceIndexes } from '../reports/build-incident.ts'
import { keepStored, type Reconciliation, UNCHANGED } from './outcome.ts'
import type { PreparedReport } from './prepare-row.ts'

/** What a data set's row does to the incident that it is: what the desk has changed since is the desk's. */
export function reconcileReport(
  row: PreparedReport,
  filed: IncidentRecord | undefined,
  now: number,
  reliability: Reliability,
): Reconciliation {
  if (filed === undefined) {
    const incident = importedIncident(row, dossierOf(row, 1), now, reliability)
    const change = {
      incident,
      event: 'incident.imported',
      replaces: { version: 0 },
      moderation: dossierOf(row, 1),
    } as const
    return { outcome: 'new', change }
  }
  const { incident: ours, moderation } = filed
  const imported = moderation?.imported ?? null
  if (imported === null) return keepStored(`${row.id} is there, but did not come from an import of ${row.sourceId}`)
  if (imported.digest === row.digest) return UNCHANGED
  if (ours.status !== 'confirmed') return keepStored(`${row.id} is ${ours.status}`)
  if (ours.version !== imported.version) return keepStored(`${row.id} was changed at the desk since it was imported`)
  const version = ours.version + 1
  const given = dossierOf(row, version)
  const { reported_at, confirmed_at } = ours
  const incident = { ...importedIncident(row, given, now, reliability), reported_at, confirmed_at, version }
  const replaces = { version: ours.version, status: ours.status }
  return { outcome: 'updated', change: { incident, event: 'incident.imported', replaces, moderation: given } }
}

/** History is published on the day it happened: it joins the archive where it belongs, not among today's. */
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

function dossierOf({ report, sourceId, digest }: PreparedReport, version: number): ModerationRecord {
  return {
    ...EMPTY_MODERATION_RECORD,
    // A summary that was taken over whole need not be kept twice.
    text: normalizeSummary(report.summary) === report.summary ? null : report.summary,
    official: officialSourceIndexes(report.sources),
    severity_given: report.severity !== null,
    imported: { source_id: sourceId, digest, version },
  }
}
