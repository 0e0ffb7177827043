import type { Reliability } from '../../domain/confidence/reliability.ts'
import type { Geography } from '../../geo/geography.ts'
import type { Imports, Incidents } from '../../store/store.ts'
import { type Batch, batches, oneAhead } from './batches.ts'
import { type Checkpoint, checkpointText, readCheckpoint } from './checkpoint.ts'
import type { Format, Open, Position } from './formats/format.ts'
import { added, EMPTY_TALLY, type Tally } from './outcome.ts'
import { reconcileBatch } from './reconcile-batch.ts'
import type { RejectedRows } from './rejected-rows.ts'
import { retryStore, type StoreRetryOptions } from './retry-store.ts'

export interface Importing extends StoreRetryOptions {
  readonly format: Format
  readonly open: Open
  readonly map: ReadonlyMap<string, string>
  readonly store: { readonly incidents: Pick<Incidents, 'findRecords' | 'save'>; readonly imports: Imports }
  readonly geography: Geography
  readonly reliability: Reliability
  readonly clock: () => number
  /** What its checkpoint is kept under; null for what cannot be read a second time. */
  readonly id: string | null
  /** Where an earlier run came to. */
  readonly after: Checkpoint | null
  /** Null where they are only counted. */
  readonly rejectedRows: RejectedRows | null
  /** Stops after the batch under way. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** How far it has come; null before the first batch. */
export interface Progress {
  readonly position: Position | null
  readonly tally: Tally
}

export interface Ended extends Progress {
  readonly finished: boolean
}

/**
 * Takes a file into the archive, batch by batch: while the database writes one, the next is read and placement. A row that is
 * in already changes nothing, so that stopping anywhere and starting again comes to the same.
 */
export async function importFile(importing: Importing): Promise<Ended> {
  const { format, open, map, geography, clock, id, after, signal, onProgress, store } = importing
  const rows = format.read(open, { now: clock(), map, after: after?.position })
  let progress: Progress = after ?? { position: null, tally: EMPTY_TALLY }
  try {
    for await (const batch of oneAhead(batches(rows, geography))) {
      progress = { position: batch.position, tally: await takeIn(batch, progress.tally, importing) }
      onProgress?.(progress)
      if (signal.aborted) return { ...progress, finished: false }
    }
  } catch (error) {
    if (!signal.aborted || (error as Error).name !== 'AbortError') throw error
    return { ...progress, finished: false }
  }
  if (id !== null) await retryStore(() => store.imports.deleteCheckpoint(id), importing)
  return { ...progress, finished: true }
}

/** The tally with this batch in it, once the batch is in the store. */
async function takeIn(batch: Batch, before: Tally, importing: Importing): Promise<Tally> {
  const { store, clock, reliability, rejectedRows, id } = importing
  await rejectedRows?.add(batch.rows)
  const ids = batch.rows.flatMap(({ prepared }) => (prepared.kind === 'rejected' ? [] : [prepared.id]))
  return retryStore(async (again) => {
    const written = again && id !== null ? await writtenBefore(id, batch, importing) : null
    if (written !== null) return written
    const now = clock()
    const { changes, tally } = reconcileBatch(batch, await store.incidents.findRecords(ids), now, reliability)
    const total = added(before, tally)
    const checkpoint = { position: batch.position, tally: total, rejectedBytes: rejectedRows?.length ?? 0 }
    await store.incidents.save(changes, now, id === null ? undefined : { id, checkpoint: checkpointText(checkpoint) })
    return total
  }, importing)
}

/** Where only the answer was lost, the batch is in, and would count as unchanged the second time. */
async function writtenBefore(id: string, { position }: Batch, { store }: Importing): Promise<Tally | null> {
  const kept = await store.imports.findCheckpoint(id)
  const checkpoint = kept === null ? null : readCheckpoint(kept)
  return checkpoint?.position.offset === position.offset ? checkpoint.tally : null
}
