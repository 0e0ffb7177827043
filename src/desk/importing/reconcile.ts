import { isDeepStrictEqual } from 'node:util'
import type { Reliability } from '../../domain/confidence.ts'
import { fieldChanges } from '../../domain/field-changes.ts'
import { type Counts, type ImportTally, OUTCOMES, type Outcome, type RowNote } from '../../domain/import-report.ts'
import type { Incident } from '../../domain/incident.ts'
import { type Actor, EMPTY_MODERATION_RECORD, type HistoryEntry } from '../../domain/moderation.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import { timeText } from '../../lib/time.ts'
import type { ImportChangeWrite, IncidentChange, IncidentRecord } from '../../store/store.ts'
import { type IncidentState, moderatedIncidentOf, newHistoryEntry, publicFields } from '../decision.ts'
import { buildIncident, officialSourceIndexes } from '../reports/build-incident.ts'
import { keepRicher, saysTheSame } from './keep-richer.ts'
import type { Batch, PreparedIncident, PreparedReport } from './prepare-row.ts'

interface ImportContext {
  readonly now: number
  readonly reliability: Reliability
  /** Takes poorer values too. */
  readonly replace: boolean
  /** Null for an import that is not kept, as in a dry run. */
  readonly run: Run | null
}

interface Run {
  readonly id: string
  readonly by: string
}

/** The result of comparing a row with the stored incident. */
type Reconciliation =
  | { readonly outcome: 'new' | 'updated'; readonly change: IncidentChange; readonly poorerFields?: readonly string[] }
  | { readonly outcome: 'poorer'; readonly version: number; readonly poorerFields: readonly string[] }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'kept'; readonly reason: string }

const UNCHANGED: Reconciliation = { outcome: 'unchanged' }

const keepStored = (reason: string): Reconciliation => ({ outcome: 'kept', reason })

interface ReconciledBatch {
  readonly changes: readonly IncidentChange[]
  /** The run's outcome for each incident, one for each. */
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
    const result =
      prepared.kind === 'report'
        ? reconcileReport(prepared, before, context)
        : reconcileIncident(prepared, before, context)
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

/** Compares a row with its stored incident. Changes made at the desk are kept. */
function reconcileReport(
  row: PreparedReport,
  record: IncidentRecord | undefined,
  context: ImportContext,
): Reconciliation {
  const event = 'incident.imported'
  const version = (record?.incident.version ?? 0) + 1
  const asGiven = () => importedState(row, version, context)
  if (record === undefined) return { outcome: 'new', change: { ...asGiven(), event, replaces: { version: 0 } } }
  const { incident: ours, moderation } = record
  const replaces = { version: ours.version, status: ours.status }
  if (wasTakenBack(record)) return { outcome: 'new', change: { ...asGiven(), event, replaces } }
  const imported = moderation?.imported ?? null
  if (moderation === null || imported === null)
    return keepStored(`${row.id} exists, but was not imported from ${row.sourceId}`)
  if (imported.digest === row.digest && !(context.replace && imported.poorer === true)) return UNCHANGED
  if (ours.status !== 'confirmed') return keepStored(`${row.id} is ${ours.status}`)
  if (ours.version !== imported.version) return keepStored(`${row.id} was changed at the desk since it was imported`)

  const stored = { incident: ours, moderation }
  const { reported_at, confirmed_at } = ours
  const fresh = asGiven()
  const given = { ...fresh, incident: { ...fresh.incident, reported_at, confirmed_at } }
  const { state, poorerFields } = context.replace
    ? { state: given, poorerFields: [] }
    : keepRicher(stored, given, row, context.reliability)
  if (poorerFields.length > 0 && saysTheSame(stored, state))
    return { outcome: 'poorer', version: ours.version, poorerFields }
  const noted = { ...state.moderation.imported!, ...(poorerFields.length > 0 && { poorer: true as const }) }
  const next = { incident: state.incident, moderation: { ...state.moderation, imported: noted } }
  return { outcome: 'updated', change: { ...next, event, replaces, ...stepIn(context, stored, next) }, poorerFields }
}

/** Published on the day it happened, so that history is not among today's incidents. */
function importedState(row: PreparedReport, version: number, { now, reliability }: ImportContext): IncidentState {
  const { id, report, placement, quality, sourceId, digest } = row
  const moderation = {
    ...EMPTY_MODERATION_RECORD,
    // A summary that normalization leaves unchanged is not stored twice.
    text: normalizeSummary(report.summary) === report.summary ? null : report.summary,
    official: officialSourceIndexes(report.sources),
    severity_given: report.severity !== null,
    imported: { source_id: sourceId, digest, version },
  }
  const at = timeText(now)
  const published_at = timeText(Date.parse(report.occurred_at))
  const times = { reported_at: at, confirmed_at: at, updated_at: at, published_at }
  const identity = { id, status: 'confirmed', ...times } as const
  const built = buildIncident(report, placement, identity, moderation, quality, reliability)
  return { incident: { ...built, version }, moderation }
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
    const incident = { ...row.incident, version: Math.max(row.incident.version, ours.version + 1) }
    const { import_undone: _, ...moderation } = record.moderation!
    return { outcome: 'new', change: { incident, event, replaces, moderation } }
  }
  const theirs = withOmitted(row, ours)
  if (isDeepStrictEqual(theirs, ours)) return UNCHANGED
  if (ours.status !== 'confirmed') return keepStored(`${row.id} is ${ours.status}`)
  if (theirs.version < ours.version)
    return keepStored(`${row.id} has version ${ours.version}, which is newer than ${theirs.version}`)
  const incident =
    theirs.version > ours.version ? theirs : { ...theirs, version: ours.version + 1, updated_at: timeText(context.now) }
  const { moderation } = moderatedIncidentOf(record)
  const step = stepIn(context, { incident: ours, moderation }, { incident, moderation })
  return { outcome: 'updated', change: { incident, event, replaces, ...step } }
}

/** Takes fields that the file's format cannot hold from the stored incident. */
function withOmitted({ incident, omits }: PreparedIncident, ours: Incident): Incident {
  if (omits.length === 0) return incident
  const kept = omits.filter((field) => ours[field] !== undefined).map((field) => [field, ours[field]])
  return { ...incident, ...Object.fromEntries(kept) }
}

/** True if undoing an import has retracted it, and nobody has decided anything about it since. */
function wasTakenBack({ incident, moderation }: IncidentRecord): boolean {
  return incident.status === 'retracted' && moderation?.import_undone?.version === incident.version
}

function stepIn({ run, now }: ImportContext, before: IncidentState, after: IncidentState) {
  return run === null ? {} : { historyEntry: importStep('import', before, after, run, now) }
}

/** The history entry of a change that an import, or its undoing, has made. */
export function importStep(
  step: 'import' | 'undo_import',
  before: IncidentState,
  after: IncidentState,
  { id, by }: Run,
  now: number,
): HistoryEntry {
  const fields = publicFields(before.incident, after.incident)
  const changes = fieldChanges(before, after)
  return newHistoryEntry(step, after.incident.version, { by: commandLine(by), now, note: id }, { fields, changes })
}

/** Stands for an account in the history: an import is started at the command line. */
export function commandLine(name: string): Actor {
  return { key_id: 'command_line', account_id: null, name }
}

/** Enough to show what is wrong with a file; hundreds more would hide it. */
const MAX_NOTES = 20
const MAX_REASON_LENGTH = 300

export const EMPTY_TALLY: ImportTally = {
  counts: { new: 0, unchanged: 0, updated: 0, poorer: 0, kept: 0, rejected: 0 },
  poorerFields: {},
  kept: [],
  poorer: [],
  rejected: [],
}

export function countRows({ counts }: ImportTally): number {
  return OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
}

export function addTallies(one: ImportTally, other: ImportTally): ImportTally {
  const counts = { ...one.counts }
  for (const outcome of OUTCOMES) counts[outcome] += other.counts[outcome]
  const poorerFields = { ...one.poorerFields }
  for (const [field, count] of Object.entries(other.poorerFields))
    poorerFields[field] = (poorerFields[field] ?? 0) + count
  const notes = (name: 'kept' | 'poorer' | 'rejected') => [...one[name], ...other[name]].slice(0, MAX_NOTES)
  return { counts, poorerFields, kept: notes('kept'), poorer: notes('poorer'), rejected: notes('rejected') }
}

class OutcomeCounter {
  readonly #counts: Counts = { ...EMPTY_TALLY.counts }
  readonly #poorerFields: Record<string, number> = {}
  readonly #notes: Record<'kept' | 'poorer' | 'rejected', RowNote[]> = { kept: [], poorer: [], rejected: [] }

  count(outcome: Outcome, row: number, reason = ''): void {
    this.#counts[outcome]++
    if (outcome === 'kept' || outcome === 'rejected') this.#addNote(outcome, row, reason)
  }

  /**
   * Counts the fields in which a row was poorer than the stored incident, whatever else it changed.
   */
  countPoorer(fields: readonly string[], row: number, incidentId: string): void {
    if (fields.length === 0) return
    for (const field of fields) this.#poorerFields[field] = (this.#poorerFields[field] ?? 0) + 1
    this.#addNote('poorer', row, `${incidentId} keeps its ${fields.join(', ')}`)
  }

  get tally(): ImportTally {
    return { counts: this.#counts, poorerFields: this.#poorerFields, ...this.#notes }
  }

  #addNote(kind: 'kept' | 'poorer' | 'rejected', row: number, reason: string): void {
    if (this.#notes[kind].length >= MAX_NOTES) return
    const isLong = reason.length > MAX_REASON_LENGTH
    const shown = isLong ? `${reason.slice(0, MAX_REASON_LENGTH).toWellFormed()}…` : reason
    this.#notes[kind].push({ row, reason: shown })
  }
}
