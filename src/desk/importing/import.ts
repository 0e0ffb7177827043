import { hash } from 'node:crypto'
import type { Reliability } from '../../domain/confidence.ts'
import type { ImportReport, ImportTally } from '../../domain/import-report.ts'
import type { Geography } from '../../geo/geography.ts'
import { machine, sleep } from '../../lib/runtime.ts'
import { type Imports, type Incidents, StaleVersion, StoreUnavailable } from '../../store/store.ts'
import { acled } from './formats/acled.ts'
import { csv } from './formats/csv.ts'
import type { Format, Mapping, Open, Position } from './formats/format.ts'
import { geojson } from './formats/geojson.ts'
import { ndjson } from './formats/ndjson.ts'
import { ucdp } from './formats/ucdp.ts'
import { type Batch, batches } from './prepare-row.ts'
import { addTallies, EMPTY_TALLY, reconcileBatch } from './reconcile.ts'
import type { RejectedRows } from './rejected-rows.ts'

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
async function findWrittenTally(id: string, { position }: Batch, { store }: ImportOptions) {
  const stored = await store.imports.findCheckpoint(id)
  const checkpoint = stored === null ? null : readCheckpoint(stored)
  return checkpoint?.position.offset === position.offset ? checkpoint.tally : null
}

/** Requests the next item while the consumer still works on the current one. */
async function* prefetchOne<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    let ahead = iterator.next()
    for (;;) {
      const { done, value } = await ahead
      if (done) return
      ahead = iterator.next()
      // A consumer that stops here never awaits it; its failure must not end the process.
      ahead.catch(() => {})
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

/** The position at which an interrupted import continues, with the counts for its final report. */
export interface Checkpoint {
  readonly position: Position
  readonly tally: ImportTally
  /** The length of the file of rejected rows. */
  readonly rejectedBytes: number
  /** The run that it belongs to. */
  readonly runId: string
}

/** Version of the format: another build may use the same names differently. */
const FORM = 2

function checkpointText(checkpoint: Checkpoint): string {
  return JSON.stringify({ form: FORM, ...checkpoint })
}

/** Null if the checkpoint has another format version. */
export function readCheckpoint(text: string): Checkpoint | null {
  const { form, ...checkpoint } = JSON.parse(text) as Checkpoint & { form: number }
  return form === FORM ? checkpoint : null
}

/** Identifies a file by its length and a sample of its bytes, not by its path. */
export interface FileIdentity {
  readonly size: number
  readonly sample: Uint8Array
}

/** The same for the same file, format and settings. */
export function checkpointIdFor(
  format: FormatName,
  { columns, values, constants }: Mapping,
  replace: boolean,
  { size, sample }: FileIdentity,
): string {
  const pairs = sorted(values).map(([field, pairs]) => [field, sorted(pairs)])
  const settings = [sorted(columns), pairs, sorted(constants), replace]
  return hash('sha256', JSON.stringify([format, settings, size, hash('sha256', sample)]))
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1))
}

export const FORMATS = { ucdp, acled, csv, geojson, ndjson } as const satisfies Record<string, Format>
export type FormatName = keyof typeof FORMATS

/** These accept `--map`: their columns may have foreign names. */
export const MAPPABLE_FORMATS: readonly FormatName[] = ['csv', 'geojson']

/** A restarting database is back within a minute; otherwise an operator must look at it. */
const RETRY_PAUSES_MS: readonly number[] = [1, 2, 4, 8, 15, 30].map((seconds) => seconds * 1_000)
/** Bounds retries while another writer keeps changing the same incidents. */
const MAX_STALE_RETRIES = 10

export interface StoreRetryOptions {
  readonly pauses?: readonly number[]
  /** Called before each pause. */
  readonly onUnavailable?: (error: StoreUnavailable, milliseconds: number) => void
}

/**
 * Repeats `work` a limited number of times: at once after `StaleVersion`, after a pause if the
 * database is unavailable. `again` is true if a failed attempt may have been written, its response
 * lost.
 */
export async function retryStore<Result>(
  work: (again: boolean) => Promise<Result>,
  { pauses = RETRY_PAUSES_MS, onUnavailable }: StoreRetryOptions,
): Promise<Result> {
  let pausesTaken = 0
  for (let stale = 0; ; ) {
    try {
      return await work(pausesTaken > 0)
    } catch (error) {
      if (error instanceof StaleVersion && ++stale <= MAX_STALE_RETRIES) continue
      const pause = pauses[pausesTaken++]
      if (!(error instanceof StoreUnavailable) || pause === undefined) throw error
      onUnavailable?.(error, pause)
      await sleep(machine, pause)
    }
  }
}
