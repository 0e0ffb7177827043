import type { ImportReport, ImportState, UndoReport } from '../../../domain/import-report.ts'
import type { ImportRun, Imports, Incidents } from '../../../store/store.ts'
import { retryStore, type StoreRetryOptions } from '../retry-store.ts'
import { type Undone, undoneState } from './undone-state.ts'

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
