import { hash } from 'node:crypto'

/** Memory is taken for this many slots at once, and only where documents are listed. */
const CHUNK_BITS = 13
const SLOTS_PER_CHUNK = 1 << CHUNK_BITS
const INDEX_MASK = SLOTS_PER_CHUNK - 1
const DIGEST_BYTES = 6

/**
 * A number for the content of each document, worked out when first asked for: a list of fifty
 * documents is identified by their numbers, for a twentieth of what hashing its bytes costs.
 */
export class DocumentDigests {
  readonly #chunks: (Float64Array | undefined)[] = []

  /** Null if it was not worked out yet. */
  known(slot: number): number | null {
    return this.#chunks[slot >>> CHUNK_BITS]?.[slot & INDEX_MASK] || null
  }

  /** `bytes` are the document in the slot. Equal content has the same digest on every node. */
  add(slot: number, bytes: Uint8Array): number {
    const digest = hash('sha1', bytes, 'buffer').readUIntBE(0, DIGEST_BYTES) || 1
    this.#chunkOf(slot)[slot & INDEX_MASK] = digest
    return digest
  }

  /** Call it whenever a slot gets another document. */
  forget(slot: number): void {
    const chunk = this.#chunks[slot >>> CHUNK_BITS]
    if (chunk !== undefined) chunk[slot & INDEX_MASK] = 0
  }

  #chunkOf(slot: number): Float64Array {
    const number = slot >>> CHUNK_BITS
    const known = this.#chunks[number]
    if (known !== undefined) return known
    const chunk = new Float64Array(SLOTS_PER_CHUNK)
    this.#chunks[number] = chunk
    return chunk
  }
}
