import type { Postings } from '../words/postings.ts'
import type { VocabularyContents } from '../words/vocabulary.ts'
import { WordIndex } from '../words/word-index.ts'
import { UnusableFiles } from './files.ts'

/** The sections of the file of columns that hold words: postings by number, then their words. */
export const WORDS = 'words '
export const VOCABULARY = 'vocabulary'

export function encodePostings({ size, words, starts, bytes }: Postings): Uint8Array {
  return joined([Uint32Array.of(size, words.length), words, starts, bytes])
}

export function encodeVocabulary({ bytes, ends }: VocabularyContents): Uint8Array {
  return joined([Uint32Array.of(ends.length), ends, bytes])
}

function joined(parts: readonly (Uint32Array | Uint8Array)[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const { buffer, byteOffset, byteLength } of parts) {
    all.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  return all
}

/** Collects what is read from these sections. */
export class SavedWords {
  readonly #incidents: number
  readonly #postings: Postings[] = []
  #vocabulary: VocabularyContents | null = null

  constructor(incidents: number) {
    this.#incidents = incidents
  }

  /** The bytes have passed their checksum, and are not used for anything else. */
  add(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    const numbersAt = (index: number, count: number) => new Uint32Array(bytes.buffer, index * 4, count)
    const [first, lists] = numbersAt(0, Math.min(2, bytes.length >> 2))
    if (name === VOCABULARY) {
      this.#vocabulary = { ends: numbersAt(1, first!), bytes: bytes.subarray(4 * (1 + first!)) }
    } else if (name.startsWith(WORDS)) {
      const [words, starts] = [numbersAt(2, lists!), numbersAt(2 + lists!, lists! + 1)]
      this.#postings.push({ size: first!, words, starts, bytes: bytes.subarray(4 * (3 + 2 * lists!)) })
    } else throw new UnusableFiles(`the file of columns has an unknown part, ${name}`)
  }

  index(): WordIndex {
    const slots = this.#postings.reduce((sum, { size }) => sum + size, 0)
    if (this.#vocabulary === null || slots !== this.#incidents)
      throw new UnusableFiles(`there are words of ${slots} incidents instead of ${this.#incidents}`)
    return WordIndex.of(this.#vocabulary, this.#postings)
  }
}
