import type { Incident } from '../../../domain/incident.ts'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../../domain/moderation.ts'
import { normalizeSummary } from '../../../domain/summary.ts'
import { timeText } from '../../../lib/time.ts'
import type { IncidentRecord } from '../../../store/store.ts'
import { buildIncident, officialSourceIndexes } from '../../reports/build-incident.ts'
import { keepStored, type Reconciliation, UNCHANGED } from '../outcome.ts'
import type { PreparedReport } from '../prepare-row.ts'
import { type ImportContext, type ImportedState, importStep } from './import-context.ts'
import { keepRicher, saysTheSame } from './keep-richer.ts'
import { wasTakenBack } from './taken-back.ts'

/** Compares a row with its stored incident. Changes made at the desk are kept. */
export function reconcileReport(
  row: PreparedReport,
  record: IncidentRecord | undefined,
  context: ImportContext,
): Reconciliation {
  if (record === undefined) return newIncident(row, 1, { version: 0 }, context)
  const { incident: ours, moderation } = record
  const replaces = { version: ours.version, status: ours.status }
  if (wasTakenBack(record)) return newIncident(row, ours.version + 1, replaces, context)
  const imported = moderation?.imported ?? null
  if (moderation === null || imported === null)
    return keepStored(`${row.id} exists, but was not imported from ${row.sourceId}`)
  if (imported.digest === row.digest && !(context.replace && imported.poorer === true)) return UNCHANGED
  if (ours.status !== 'confirmed') return keepStored(`${row.id} is ${ours.status}`)
  if (ours.version !== imported.version) return keepStored(`${row.id} was changed at the desk since it was imported`)

  const stored = { incident: ours, moderation }
  const { reported_at, confirmed_at } = ours
  const version = ours.version + 1
  const asGiven = importedState(row, version, context)
  const given = { ...asGiven, incident: { ...asGiven.incident, reported_at, confirmed_at } }
  const { state, poorerFields } = context.replace
    ? { state: given, poorerFields: [] }
    : keepRicher(stored, given, row, context.reliability)
  if (poorerFields.length > 0 && saysTheSame(stored, state))
    return { outcome: 'poorer', version: ours.version, poorerFields }
  const next = poorerFields.length === 0 ? state : withPoorerNoted(state)
  const { run, now } = context
  const historyEntry = run && importStep('import', stored, next, run, now)
  const change = {
    ...next,
    event: 'incident.imported',
    replaces,
    ...(historyEntry && { historyEntry }),
  } as const
  return { outcome: 'updated', change, poorerFields }
}

function newIncident(
  row: PreparedReport,
  version: number,
  replaces: { version: number },
  context: ImportContext,
): Reconciliation {
  return { outcome: 'new', change: { ...importedState(row, version, context), event: 'incident.imported', replaces } }
}

/** Published on the day it happened, so that history is not among today's incidents. */
function importedState(row: PreparedReport, version: number, { now, reliability }: ImportContext): ImportedState {
  const { id, report, placement, quality } = row
  const moderation = moderationRecordFor(row, version)
  const at = timeText(now)
  const published_at = timeText(Date.parse(report.occurred_at))
  const times = { reported_at: at, confirmed_at: at, updated_at: at, published_at }
  const identity = { id, status: 'confirmed', ...times } as const
  const built: Incident = buildIncident(report, placement, identity, moderation, quality, reliability)
  return { incident: { ...built, version }, moderation }
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

function withPoorerNoted({ incident, moderation }: ImportedState): ImportedState {
  return { incident, moderation: { ...moderation, imported: { ...moderation.imported!, poorer: true } } }
}
