import type { DocumentChunk } from '../store.ts'

const CHUNK_BYTES = 1 << 20
const MAX_CHUNK_ROWS = 10_000

/** Rows in the first chunk, before document lengths are known. */
export const FIRST_CHUNK_ROWS = 1_000

/** Aims at chunks of about a megabyte. */
export function nextChunkRows({ bytes, ends }: DocumentChunk): number {
  const rows = Math.floor((CHUNK_BYTES * ends.length) / bytes.length)
  return Math.min(MAX_CHUNK_ROWS, Math.max(1, rows))
}

/** Converts document lengths (`"812,901,…"` in both databases) to end offsets. */
export function endOffsetsOf(lengths: string): Uint32Array<ArrayBuffer> {
  const ends = Uint32Array.from(lengths.split(','), Number)
  for (let index = 1; index < ends.length; index++) ends[index]! += ends[index - 1]!
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
