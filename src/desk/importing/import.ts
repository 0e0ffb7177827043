import type { ImportReport, ImportTally } from '../../domain/import-report.ts'
import type { Reliability } from '../../domain/publishers.ts'
import type { Geography } from '../../geo/geography.ts'
import type { Imports, Incidents } from '../../store/store.ts'
import { type Batch, batches, prefetchOne } from './batches.ts'
import { type Checkpoint, checkpointText, readCheckpoint } from './checkpoint.ts'
import type { Format, Mapping, Open, Position } from './formats/format.ts'
import { addTallies, EMPTY_TALLY } from './outcome.ts'
import { reconcileBatch } from './reconcile/reconcile-batch.ts'
import type { RejectedRows } from './rejected-rows.ts'
import { retryStore, type StoreRetryOptions } from './retry-store.ts'

export interface ImportOptions extends StoreRetryOptions {
  readonly format: Format
  readonly open: Open
  readonly mapping: Mapping
  /** Takes values that are poorer than the stored ones, too. */
  readonly replace: boolean
  readonly store: { readonly incidents: Pick<Incidents, 'findRecords' | 'save'>; readonly imports: Imports }
  readonly geography: Geography
  readonly reliability: Reliability
  readonly clock: () => number
  /** Null if nothing is kept of it, as in a dry run. */
  readonly run: RunningImport | null
  /** Id of the checkpoint; null for an input that cannot be read again. */
  readonly id: string | null
  /** The checkpoint of an interrupted run. */
  readonly after: Checkpoint | null
  /** Null if rejected rows are only counted. */
  readonly rejectedRows: RejectedRows | null
  /** Stops the import after the current batch. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

export interface RunningImport {
  readonly id: string
  readonly report: ImportReport
  /** Stores the run, before its first batch; a file that is refused leaves none. */
  readonly begin: () => Promise<void>
}

/** The position is null before the first batch. */
export interface Progress {
  readonly position: Position | null
  readonly tally: ImportTally
}

export interface ImportResult extends Progress {
  readonly finished: boolean
}

/**
 * Imports in batches: while the database writes one, the next is read and prepared. A row imported
 * before changes nothing, so an import can be stopped and restarted at any time.
 */
export async function importFile(options: ImportOptions): Promise<ImportResult> {
  const { format, open, mapping, geography, clock, id, after, signal, onProgress, store } = options
  const rows = format.read(open, { now: clock(), mapping, after: after?.position })
  let progress: Progress = after ?? { position: null, tally: EMPTY_TALLY }
  let begun = false
  const begin = async () => {
    if (!begun) await options.run?.begin()
    begun = true
  }
  try {
    for await (const batch of prefetchOne(batches(rows, geography))) {
      await begin()
      progress = { position: batch.position, tally: await importBatch(batch, progress.tally, options) }
      onProgress?.(progress)
      if (signal.aborted) return { ...progress, finished: false }
    }
  } catch (error) {
    if (!signal.aborted || (error as Error).name !== 'AbortError') throw error
    return { ...progress, finished: false }
  }
  await begin()
  if (id !== null) await retryStore(() => store.imports.deleteCheckpoint(id), options)
  return { ...progress, finished: true }
}

/** Returns the tally including the batch. */
async function importBatch(batch: Batch, before: ImportTally, options: ImportOptions): Promise<ImportTally> {
  const { store, clock, reliability, rejectedRows, id, run, replace } = options
  await rejectedRows?.addRows(batch.rows)
  const ids = batch.rows.flatMap(({ prepared }) => (prepared.kind === 'rejected' ? [] : [prepared.id]))
  return retryStore(async (again) => {
    const written = again && id !== null ? await findWrittenTally(id, batch, options) : null
    if (written !== null) return written
    const now = clock()
    const context = { now, reliability, replace, run: run && { id: run.id, by: run.report.by } }
    const { changes, importChanges, tally } = reconcileBatch(batch, await store.incidents.findRecords(ids), context)
    const total = addTallies(before, tally)
    if (run === null) {
      await store.incidents.save(changes, now)
      return total
    }
    const { position } = batch
    const checkpoint = { position, tally: total, rejectedBytes: rejectedRows?.length ?? 0, runId: run.id }
    await store.incidents.save(changes, now, {
      checkpoint: id === null ? null : { id, checkpoint: checkpointText(checkpoint) },
      run: { id: run.id, state: 'running', report: { ...run.report, tally: total } },
      changes: importChanges,
      undone: [],
    })
    return total
  }, options)
}

/**
 * Returns the tally of a failed attempt that was written nevertheless, its response lost: writing
 * again would count all of its rows as unchanged.
 */
async function findWrittenTally(
  id: string,
  { position }: Batch,
  { store }: ImportOptions,
): Promise<ImportTally | null> {
  const stored = await store.imports.findCheckpoint(id)
  const checkpoint = stored === null ? null : readCheckpoint(stored)
  return checkpoint?.position.offset === position.offset ? checkpoint.tally : null
}
