import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Reliability } from '../../domain/confidence/reliability.ts'
import { fieldChanges } from '../../domain/desk/field-changes.ts'
import {
  EMPTY_MODERATION_RECORD,
  type HistoryEntry,
  type ModerationRecord,
} from '../../domain/desk/moderation-record.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import type { ImportTally } from '../../domain/importing/import-report.ts'
import type { Incident } from '../../domain/incident.ts'
import { normalizeSummary } from '../../domain/summary/summary.ts'
import { timeText } from '../../lib/time/time.ts'
import type { ImportChangeWrite, IncidentChange, IncidentRecord } from '../../store/store.ts'
import { moderatedIncidentOf, publicFields } from '../decision.ts'
import { buildIncident, officialSourceIndexes } from '../reports/build-incident.ts'
import type { Batch } from './import.ts'
import { keepRicher, saysTheSame } from './keep-richer.ts'
import type { PreparedIncident, PreparedReport, PreparedRow } from './prepare-row.ts'
import { keepStored, OutcomeCounter, type Reconciliation, UNCHANGED } from './tally.ts'

export interface ReconciledBatch {
  readonly changes: readonly IncidentChange[]
  /** What the run made of each incident, one for each. */
  readonly importChanges: readonly ImportChangeWrite[]
  readonly tally: ImportTally
}

/** Reconciles each row with the result of the rows before: an id may recur in a batch. */
export function reconcileBatch(
  batch: Batch,
  stored: readonly IncidentRecord[],
  context: ImportContext,
): ReconciledBatch {
  const records = new Map(stored.map((record) => [record.incident.id, record]))
  const changes: IncidentChange[] = []
  const importChanges = new Map<string, ImportChangeWrite>()
  const counter = new OutcomeCounter()
  for (const { row, prepared } of batch.rows) {
    if (prepared.kind === 'rejected') {
      counter.count('rejected', row, prepared.reason)
      continue
    }
    const { id } = prepared
    const before = records.get(id)
    const result = reconcileRow(prepared, before, context)
    counter.count(result.outcome, row, 'reason' in result ? result.reason : '')
    const poorerFields = 'poorerFields' in result ? (result.poorerFields ?? []) : []
    counter.countPoorer(poorerFields, row, id)
    if (result.outcome === 'poorer') {
      const { version } = result
      importChanges.set(id, importChanges.get(id) ?? { incidentId: id, outcome: 'poorer', version, poorerFields })
    }
    if (!('change' in result)) continue
    const { incident, moderation } = result.change
    changes.push(result.change)
    const earlier = importChanges.get(id)?.outcome ?? 'poorer'
    const outcome = earlier !== 'poorer' ? earlier : result.outcome === 'new' ? 'created' : 'updated'
    importChanges.set(id, { incidentId: id, outcome, version: incident.version, poorerFields })
    records.set(id, { incident, moderation: moderation ?? before?.moderation ?? null, claim: null })
  }
  return { changes, importChanges: [...importChanges.values()], tally: counter.tally }
}

function reconcileRow(
  prepared: Exclude<PreparedRow, { kind: 'rejected' }>,
  record: IncidentRecord | undefined,
  context: ImportContext,
): Reconciliation {
  return prepared.kind === 'report'
    ? reconcileReport(prepared, record, context)
    : reconcileIncident(prepared, record, context)
}

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

/**
 * Compares with the stored incident of the same id. The higher version wins; at equal versions with
 * different documents somebody has edited the file, and the file wins.
 */
export function reconcileIncident(
  row: PreparedIncident,
  record: IncidentRecord | undefined,
  context: ImportContext,
): Reconciliation {
  const event = 'incident.imported'
  if (record === undefined)
    return { outcome: 'new', change: { incident: row.incident, event, replaces: { version: 0 } } }
  const ours = record.incident
  const replaces = { version: ours.version, status: ours.status }
  if (wasTakenBack(record)) {
    const version = Math.max(row.incident.version, ours.version + 1)
    const incident = { ...row.incident, version }
    return { outcome: 'new', change: { incident, event, replaces, moderation: withoutUndone(record.moderation!) } }
  }
  const theirs = withOmitted(row, ours)
  if (isDeepStrictEqual(theirs, ours)) return UNCHANGED
  if (ours.status !== 'confirmed') return keepStored(`${row.id} is ${ours.status}`)
  if (theirs.version < ours.version)
    return keepStored(`${row.id} has version ${ours.version}, which is newer than ${theirs.version}`)
  const incident =
    theirs.version > ours.version ? theirs : { ...theirs, version: ours.version + 1, updated_at: timeText(context.now) }
  const { run, now } = context
  const { moderation } = moderatedIncidentOf(record)
  const historyEntry = run && importStep('import', { incident: ours, moderation }, { incident, moderation }, run, now)
  return { outcome: 'updated', change: { incident, event, replaces, ...(historyEntry && { historyEntry }) } }
}

/** Takes fields that the file's format cannot hold from the stored incident. */
function withOmitted({ incident, omits }: PreparedIncident, ours: Incident): Incident {
  if (omits.length === 0) return incident
  const kept = omits.filter((field) => ours[field] !== undefined).map((field) => [field, ours[field]])
  return { ...incident, ...Object.fromEntries(kept) }
}

/** Stands for a key in the history: an import is started at the command line. */
export const COMMAND_LINE = 'command_line'

export interface ImportContext {
  readonly now: number
  readonly reliability: Reliability
  /** Takes poorer values too. */
  readonly replace: boolean
  /** Null for an import that is not kept, as in a dry run. */
  readonly run: { readonly id: string; readonly by: string } | null
}

export interface ImportedState {
  readonly incident: Incident
  readonly moderation: ModerationRecord
}

/** The history entry of a change that an import, or its undoing, has made. */
export function importStep(
  step: 'import' | 'undo_import',
  before: ImportedState,
  after: ImportedState,
  run: { readonly id: string; readonly by: string },
  now: number,
): HistoryEntry {
  return {
    id: newIdentifier('step', now, randomBytes),
    step,
    version: after.incident.version,
    at: now,
    by: { key_id: COMMAND_LINE, account_id: null, name: run.by },
    note: run.id,
    fields: publicFields(before.incident, after.incident),
    changes: fieldChanges(before, after),
    other: null,
  }
}

/** True if undoing an import has retracted it, and nobody has decided anything about it since. */
export function wasTakenBack({ incident, moderation }: IncidentRecord): boolean {
  return incident.status === 'retracted' && moderation?.import_undone?.version === incident.version
}

export function withoutUndone(moderation: ModerationRecord): ModerationRecord {
  const { import_undone: _, ...rest } = moderation
  return rest
}
