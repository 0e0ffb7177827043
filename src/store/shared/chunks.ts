import type { DocumentChunk } from '../store.ts'

const CHUNK_BYTES = 1 << 20
const MOST_ROWS = 10_000

/** Rows of the first chunk, when nobody knows yet how long they are. */
export const FIRST_ROWS = 1_000

/** How many rows the next chunk should have to come to about a megabyte. */
export function rowsAfter({ bytes, ends }: DocumentChunk): number {
  const rows = Math.floor((CHUNK_BYTES * ends.length) / bytes.length)
  return Math.min(MOST_ROWS, Math.max(1, rows))
}

/** Where each document ends, from their lengths as both databases give them: `"812,901,…"`. */
export function endsOf(lengths: string): Uint32Array<ArrayBuffer> {
  const ends = Uint32Array.from(lengths.split(','), Number)
  for (let index = 1; index < ends.length; index++) ends[index]! += ends[index - 1]!
  return ends
}

/**
 * Reads chunks one ahead of whoever takes them, so that the database works while they do. Unlike a generator it also
 * closes when it is returned before its first step: a read transaction left open would stop the database from tidying up.
 */
export class Chunks implements AsyncIterableIterator<DocumentChunk> {
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
      // Whoever stops here never looks at it: its failure must not end the process.
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
