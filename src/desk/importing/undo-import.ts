import type { ModerationRecord } from '../../domain/desk/moderation-record.ts'
import type { ImportReport, ImportState, UndoReport } from '../../domain/importing/import-report.ts'
import type { Incident } from '../../domain/incident.ts'
import { timeText } from '../../lib/time/time.ts'
import type {
  ImportChange,
  ImportRun,
  Imports,
  IncidentChange,
  IncidentRecord,
  Incidents,
  UndoneChange,
} from '../../store/store.ts'
import { moderatedIncidentOf } from '../decision.ts'
import { importStep } from './reconcile.ts'
import { retryStore, type StoreRetryOptions } from './retry-store.ts'

export interface UndoOptions extends StoreRetryOptions {
  readonly store: { readonly incidents: Pick<Incidents, 'findRecords' | 'save'>; readonly imports: Imports }
  readonly run: ImportRun
  readonly by: string
  readonly clock: () => number
  /** Only says what would happen. */
  readonly dryRun: boolean
  /** Called for every incident that stays as it is. */
  readonly onRefused: (incidentId: string, reason: string) => void
}

const BATCH = 500

/**
 * Undoes an import incident by incident, in batches: after an interruption the rest can be undone
 * by the same command. An incident that an editor or a later import has changed stays as it is.
 */
export async function undoImport(options: UndoOptions): Promise<UndoReport> {
  const { store, run, by, clock, dryRun, onRefused } = options
  const earlier = run.report.undo
  let report: UndoReport = {
    by,
    at: clock(),
    restored: earlier?.restored ?? 0,
    retracted: earlier?.retracted ?? 0,
    refused: 0,
  }
  // Otherwise the same import command would continue behind the rows that are undone.
  if (run.report.checkpoint !== null && !dryRun) await store.imports.deleteCheckpoint(run.report.checkpoint)
  for (let after: string | null = null; ; ) {
    const start: string | null = after
    let end: string | null = null
    const known = report
    report = await retryStore(async (again) => {
      const page = await store.imports.changes(run.id, start, BATCH)
      end = page.at(-1)?.incidentId ?? null
      // A failed attempt may have been written, its response lost.
      const before = again ? ((await store.imports.find(run.id))?.report.undo ?? known) : known
      const due = page.filter(({ undoneAt, outcome }) => undoneAt === null && outcome !== 'poorer')
      const records = await store.incidents.findRecords(due.map(({ incidentId }) => incidentId))
      const byId = new Map(records.map((record) => [record.incident.id, record]))
      const now = clock()
      const results = due.map((change) =>
        undoneState(change, byId.get(change.incidentId), { run: { id: run.id, by }, now }),
      )
      const next = addResults(before, results)
      if (!dryRun) await save(results, next, options, now)
      for (const result of results) if (result.kind === 'refused') onRefused(result.incidentId, result.reason)
      return next
    }, options)
    if (end === null) break
    after = end
  }
  if (!dryRun) {
    const done = report
    await retryStore(() => store.imports.record(run.id, stateOf(done), withUndo(run, done), clock()), options)
  }
  return report
}

async function save(results: readonly Undone[], report: UndoReport, { store, run }: UndoOptions, now: number) {
  const done = results.filter((result) => result.kind !== 'refused')
  if (done.length === 0) return
  await store.incidents.save(
    done.map(({ change }) => change),
    now,
    {
      checkpoint: null,
      // The rest is not undone yet.
      run: { id: run.id, state: 'undone_in_part', report: withUndo(run, report) },
      changes: [],
      undone: done.map(({ undone }) => undone),
    },
  )
}

function addResults(report: UndoReport, results: readonly Undone[]): UndoReport {
  const count = (kind: Undone['kind']) => results.filter((result) => result.kind === kind).length
  return {
    ...report,
    restored: report.restored + count('restored'),
    retracted: report.retracted + count('retracted'),
    refused: report.refused + count('refused'),
  }
}

function stateOf({ refused }: UndoReport): ImportState {
  return refused === 0 ? 'undone' : 'undone_in_part'
}

function withUndo({ report }: ImportRun, undo: UndoReport): ImportReport {
  return { ...report, checkpoint: null, undo }
}

/** Who takes which import back, and when. */
export interface Undoing {
  readonly run: { readonly id: string; readonly by: string }
  readonly now: number
}

export type Undone =
  | { readonly kind: 'restored' | 'retracted'; readonly change: IncidentChange; readonly undone: UndoneChange }
  | { readonly kind: 'refused'; readonly incidentId: string; readonly reason: string }

/**
 * What becomes of an incident. It gets the next version and the time of the undo, because a number
 * names one content for ever, and copies find changes by them; every other byte is as before.
 */
export function undoneState(change: ImportChange, record: IncidentRecord | undefined, undoing: Undoing): Undone {
  const { incidentId, outcome, before, version, laterImport } = change
  const refused = (reason: string): Undone => ({ kind: 'refused', incidentId, reason })
  if (record === undefined) return refused('it is no longer stored')
  const { incident } = record
  if (laterImport !== null) return refused(`the import ${laterImport} has changed it since: undo that one first`)
  if (incident.status !== 'confirmed') return refused(`it was ${incident.status} at the desk since`)
  if (incident.version !== version) return refused('it was changed at the desk since')
  if (outcome === 'created') return { kind: 'retracted', ...takenBack(record, undoing) }
  return before === null
    ? refused('it was redacted since')
    : { kind: 'restored', ...putBack(record, before.document, before.moderation, undoing) }
}

interface UndoneIncident {
  readonly change: IncidentChange
  readonly undone: UndoneChange
}

function takenBack(record: IncidentRecord, undoing: Undoing): UndoneIncident {
  const current = moderatedIncidentOf(record)
  const version = record.incident.version + 1
  const incident: Incident = {
    ...record.incident,
    updated_at: timeText(undoing.now),
    status: 'retracted',
    version,
  }
  const moderation = { ...current.moderation, import_undone: { import_id: undoing.run.id, version } }
  return undoneIncident(record, { incident, moderation }, null, undoing)
}

function putBack(
  record: IncidentRecord,
  document: string,
  moderationText: string | null,
  undoing: Undoing,
): UndoneIncident {
  const before = JSON.parse(document) as Incident
  const version = record.incident.version + 1
  const incident: Incident = { ...before, updated_at: timeText(undoing.now), version }
  const stored = moderationText === null ? null : (JSON.parse(moderationText) as ModerationRecord)
  return undoneIncident(
    record,
    { incident, moderation: stored && followingVersion(stored, before.version, version) },
    before.version,
    undoing,
  )
}

/** The next import must not take the undo for a change made at the desk. */
function followingVersion(moderation: ModerationRecord, before: number, version: number): ModerationRecord {
  const { imported } = moderation
  return imported?.version === before ? { ...moderation, imported: { ...imported, version } } : moderation
}

function undoneIncident(
  record: IncidentRecord,
  after: { readonly incident: Incident; readonly moderation: ModerationRecord | null },
  versionBefore: number | null,
  { run, now }: Undoing,
): UndoneIncident {
  const { incident: current } = record
  const { incident, moderation } = after
  const before = moderatedIncidentOf(record)
  const next = { incident, moderation: moderation ?? before.moderation }
  return {
    change: {
      incident,
      event: 'incident.imported',
      replaces: { version: current.version, status: current.status },
      ...(moderation && { moderation }),
      historyEntry: importStep('undo_import', before, next, run, now),
    },
    undone: { incidentId: incident.id, versionBefore, version: incident.version },
  }
}
