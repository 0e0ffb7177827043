import type { Incident } from '../../domain/incident.ts'
import type { DocumentChunk, MergedIncident, Snapshot } from '../store.ts'
import { logHead } from './heads.ts'
import { type Query, rows, sql } from './query.ts'

/** All but the documents. Its first read determines the state that a transaction sees. */
export function* snapshotHead(): Query<Omit<Snapshot, 'chunks'>> {
  const head = yield* logHead()
  const retracted = yield* rows<{ id: string }>(sql`SELECT id FROM incidents WHERE status = 'retracted' ORDER BY id`)
  // A report that was merged before it was public has no time of publication.
  const merged = yield* rows<{ document: string }>(
    sql`SELECT document FROM incidents WHERE status = 'merged' AND published_at IS NOT NULL`,
  )
  return { head, retracted: retracted.map(({ id }) => id), merged: merged.map(mergedIncidentOf) }
}

function mergedIncidentOf({ document }: { readonly document: string }): MergedIncident {
  const { id, merged_into } = JSON.parse(document) as Incident
  return { id, into: merged_into! }
}

const COMMA = 0x2c
const ZERO = 0x30

/** Large enough to stay as it is in the archive's memory, and to be written as a file. */
const CHUNK_BYTES = 8 << 20

/** Rows in the first chunk, before document lengths are known. */
export const FIRST_CHUNK_ROWS = 1_000

/**
 * Aims at chunks of about eight megabytes; the first ones are smaller, so that readers need not
 * wait long.
 */
export function nextChunkRows({ bytes, ends }: DocumentChunk): number {
  const rows = Math.floor((CHUNK_BYTES * ends.length) / bytes.length)
  return Math.min(2 * ends.length, Math.max(1, rows))
}

/** Converts document lengths (the bytes of `812,901,…`) to end offsets. */
export function endOffsetsOf(lengths: Uint8Array): Uint32Array<ArrayBuffer> {
  let count = 1
  for (let at = 0; at < lengths.length; at++) if (lengths[at] === COMMA) count++
  const ends = new Uint32Array(count)
  let length = 0
  let end = 0
  let index = 0
  for (let at = 0; at <= lengths.length; at++) {
    if (at < lengths.length && lengths[at] !== COMMA) {
      length = length * 10 + lengths[at]! - ZERO
      continue
    }
    end += length
    ends[index++] = end
    length = 0
  }
  return ends
}

/**
 * Reads one chunk ahead, so that the database works while the caller does. Unlike a generator it
 * also closes on `return()` before the first `next()`: a read transaction left open would stop the
 * database from reclaiming space.
 */
export class PrefetchedChunks implements AsyncIterableIterator<DocumentChunk> {
  readonly #read: () => Promise<DocumentChunk | null>
  readonly #close: () => Promise<void>
  #ahead: Promise<DocumentChunk | null> | null = null
  #closed: Promise<void> | null = null

  constructor(read: () => Promise<DocumentChunk | null>, close: () => Promise<void>) {
    this.#read = read
    this.#close = close
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<DocumentChunk>> {
    if (this.#closed) return { done: true, value: undefined }
    try {
      const chunk = await (this.#ahead ?? this.#read())
      if (chunk === null) return await this.return()
      this.#ahead = this.#read()
      // A caller that stops here never awaits it: a rejection must not end the process.
      this.#ahead.catch(() => {})
      return { done: false, value: chunk }
    } catch (error) {
      await this.return()
      throw error
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#closed ??= this.#close()
    await this.#closed
    return { done: true, value: undefined }
  }
}
