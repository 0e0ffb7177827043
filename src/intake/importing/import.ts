import type { Reliability } from '../../domain/confidence/reliability.ts'
import type { Geography } from '../../geo/geography.ts'
import type { Imports, Incidents } from '../../store/store.ts'
import { type Batch, batches, prefetchOne } from './batches.ts'
import { type Checkpoint, checkpointText, readCheckpoint } from './checkpoint.ts'
import type { Format, Open, Position } from './formats/format.ts'
import { addTallies, EMPTY_TALLY, type ImportTally } from './outcome.ts'
import { reconcileBatch } from './reconcile-batch.ts'
import type { RejectedRows } from './rejected-rows.ts'
import { retryStore, type StoreRetryOptions } from './retry-store.ts'

export interface ImportOptions extends StoreRetryOptions {
  readonly format: Format
  readonly open: Open
  readonly map: ReadonlyMap<string, string>
  readonly store: { readonly incidents: Pick<Incidents, 'findRecords' | 'save'>; readonly imports: Imports }
  readonly geography: Geography
  readonly reliability: Reliability
  readonly clock: () => number
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
  const { format, open, map, geography, clock, id, after, signal, onProgress, store } = options
  const rows = format.read(open, { now: clock(), map, after: after?.position })
  let progress: Progress = after ?? { position: null, tally: EMPTY_TALLY }
  try {
    for await (const batch of prefetchOne(batches(rows, geography))) {
      progress = { position: batch.position, tally: await importBatch(batch, progress.tally, options) }
      onProgress?.(progress)
      if (signal.aborted) return { ...progress, finished: false }
    }
  } catch (error) {
    if (!signal.aborted || (error as Error).name !== 'AbortError') throw error
    return { ...progress, finished: false }
  }
  if (id !== null) await retryStore(() => store.imports.deleteCheckpoint(id), options)
  return { ...progress, finished: true }
}

/** Returns the tally including the batch. */
async function importBatch(batch: Batch, before: ImportTally, options: ImportOptions): Promise<ImportTally> {
  const { store, clock, reliability, rejectedRows, id } = options
  await rejectedRows?.addRows(batch.rows)
  const ids = batch.rows.flatMap(({ prepared }) => (prepared.kind === 'rejected' ? [] : [prepared.id]))
  return retryStore(async (again) => {
    const written = again && id !== null ? await findWrittenTally(id, batch, options) : null
    if (written !== null) return written
    const now = clock()
    const { changes, tally } = reconcileBatch(batch, await store.incidents.findRecords(ids), now, reliability)
    const total = addTallies(before, tally)
    const checkpoint = { position: batch.position, tally: total, rejectedBytes: rejectedRows?.length ?? 0 }
    await store.incidents.save(changes, now, id === null ? undefined : { id, checkpoint: checkpointText(checkpoint) })
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
