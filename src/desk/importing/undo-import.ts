import type { ImportReport, UndoReport } from '../../domain/import-report.ts'
import type { Incident } from '../../domain/incident.ts'
import type { ModerationRecord } from '../../domain/moderation.ts'
import { timeText } from '../../lib/time.ts'
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
import { retryStore, type StoreRetryOptions } from './import.ts'
import { importStep } from './reconcile.ts'

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
  const { restored = 0, retracted = 0 } = run.report.undo ?? {}
  let report: UndoReport = { by, at: clock(), restored, retracted, refused: 0 }
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
      const undoing = { run: { id: run.id, by }, now }
      const results = due.map((change) => undoneState(change, byId.get(change.incidentId), undoing))
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
    const state = done.refused === 0 ? 'undone' : 'undone_in_part'
    await retryStore(() => store.imports.record(run.id, state, withUndo(run, done), clock()), options)
  }
  return report
}

async function save(results: readonly Undone[], undo: UndoReport, { store, run }: UndoOptions, now: number) {
  const done = results.filter((result) => result.kind !== 'refused')
  if (done.length === 0) return
  const changes = done.map(({ change }) => change)
  const undone = done.map(({ undone }) => undone)
  // The rest is not undone yet.
  const undoneRun = { id: run.id, state: 'undone_in_part', report: withUndo(run, undo) } as const
  await store.incidents.save(changes, now, { checkpoint: null, run: undoneRun, changes: [], undone })
}

function addResults(report: UndoReport, results: readonly Undone[]): UndoReport {
  const count = (kind: Undone['kind']) => report[kind] + results.filter((result) => result.kind === kind).length
  return { ...report, restored: count('restored'), retracted: count('retracted'), refused: count('refused') }
}

function withUndo({ report }: ImportRun, undo: UndoReport): ImportReport {
  return { ...report, checkpoint: null, undo }
}

/** The import that is taken back, by whom and at which time. */
interface Undoing {
  readonly run: { readonly id: string; readonly by: string }
  readonly now: number
}

type Undone =
  | { readonly kind: 'restored' | 'retracted'; readonly change: IncidentChange; readonly undone: UndoneChange }
  | { readonly kind: 'refused'; readonly incidentId: string; readonly reason: string }

/**
 * The incident after the undo. It gets the next version and the time of the undo, because a number
 * names one content for ever, and copies find changes by them; every other byte is as before.
 */
function undoneState(change: ImportChange, record: IncidentRecord | undefined, undoing: Undoing): Undone {
  const { incidentId, outcome, before, version, laterImport } = change
  const refused = (reason: string): Undone => ({ kind: 'refused', incidentId, reason })
  if (record === undefined) return refused('it is no longer stored')
  const { status, version: current } = record.incident
  if (laterImport !== null) return refused(`the import ${laterImport} has changed it since: undo that one first`)
  if (status !== 'confirmed') return refused(`it was ${status} at the desk since`)
  if (current !== version) return refused('it was changed at the desk since')
  if (outcome !== 'created' && before === null) return refused('it was redacted since')
  const next = { updated_at: timeText(undoing.now), version: current + 1 }
  if (outcome === 'created') {
    const incident: Incident = { ...record.incident, ...next, status: 'retracted' }
    const import_undone = { import_id: undoing.run.id, version: next.version }
    const moderation = { ...moderatedIncidentOf(record).moderation, import_undone }
    return { kind: 'retracted', ...undoneChange(record, incident, moderation, null, undoing) }
  }
  const old = JSON.parse(before!.document) as Incident
  let moderation = before!.moderation === null ? null : (JSON.parse(before!.moderation) as ModerationRecord)
  // The next import must not take the undo for a change made at the desk.
  if (moderation?.imported?.version === old.version)
    moderation = { ...moderation, imported: { ...moderation.imported, version: next.version } }
  return { kind: 'restored', ...undoneChange(record, { ...old, ...next }, moderation, old.version, undoing) }
}

function undoneChange(
  record: IncidentRecord,
  incident: Incident,
  moderation: ModerationRecord | null,
  versionBefore: number | null,
  { run, now }: Undoing,
): { change: IncidentChange; undone: UndoneChange } {
  const { version, status } = record.incident
  const before = moderatedIncidentOf(record)
  const next = { incident, moderation: moderation ?? before.moderation }
  const historyEntry = importStep('undo_import', before, next, run, now)
  const replaces = { version, status }
  return {
    change: { incident, event: 'incident.imported', replaces, ...(moderation && { moderation }), historyEntry },
    undone: { incidentId: incident.id, versionBefore, version: incident.version },
  }
}
