import { UnreadableFile } from '../format.ts'
import { binaryOf, decodeBinary, MAX_ROW_BYTES, sampleOf } from '../splitting/decode.ts'
import type { RawRow, RowSplitter } from '../splitting/read-rows.ts'
import { CollectionTail } from './collection-tail.ts'
import { endOfValue, type Head, headOf, skipSeparators } from './json-scan.ts'

export interface FeatureRow extends RawRow {
  readonly value: unknown
}

type Mode = Head['mode']

/** Begins a feature. It cannot occur in a string, where the quotes would be escaped. */
const FEATURE = /\{\s{0,64}"type"\s{0,64}:\s{0,64}"Feature"/
const MAX_FEATURE_MATCH_LENGTH = 256
const UNCLOSED = `a brace or a quote is not closed, or the row is longer than ${MAX_ROW_BYTES / 1_000_000} MB`
const LIST_NOT_CLOSED = 'the file ends before its list of features does'

interface ReadResult {
  readonly entry: FeatureRow | null
  readonly next: number
}

/**
 * Splits collections, lists and sequences of features, with or without the separators of RFC 8142.
 * An entry that is not JSON ends where the next `{"type": "Feature"` begins.
 */
export class FeatureSplitter implements RowSplitter<FeatureRow> {
  #text = ''
  #offset: number
  #row: number
  #mode: Mode | null
  #tail: CollectionTail | null = null
  #begun = false
  /** The beginning of an endless entry whose remainder is skipped. */
  #skipped: string | null = null

  constructor(offset: number, row: number, mode: Mode | null) {
    this.#offset = offset
    this.#row = row
    this.#mode = mode
    this.#begun = mode !== null
  }

  *push(bytes: Uint8Array): Generator<FeatureRow> {
    this.#text += binaryOf(bytes)
    yield* this.#readEntries(false)
  }

  *end(): Generator<FeatureRow> {
    yield* this.#readEntries(true)
    if (this.#skipped !== null) yield this.#reject(this.#skipped, this.#text.length, UNCLOSED)
    if (this.#mode === 'collection' || this.#mode === 'list') yield this.#reject('', this.#text.length, LIST_NOT_CLOSED)
    if (!this.#begun) throw new UnreadableFile('the file is empty')
  }

  *#readEntries(final: boolean): Generator<FeatureRow> {
    const text = this.#text
    let at = 0
    while (at < text.length) {
      const read = this.#readEntry(text, at, final)
      if (read === null) break
      if (read.entry !== null) yield read.entry
      at = read.next
    }
    this.#text = text.slice(at)
    this.#offset += at
  }

  /** Null if more of the file is needed. */
  #readEntry(text: string, from: number, final: boolean): ReadResult | null {
    if (this.#skipped !== null) return this.#skip(text, from, final)
    if (this.#tail !== null) {
      const next = this.#tail.skip(text, from)
      if (this.#tail.ended) this.#tail = null
      return { entry: null, next }
    }
    const at = skipSeparators(text, from)
    if (at === text.length) return { entry: null, next: at }
    const limit = Math.min(text.length, at + MAX_ROW_BYTES)
    const ends = final && limit === text.length
    if (this.#mode === null) return this.#begin(text, at, limit, ends)
    if (text[at] === ']' && this.#mode !== 'sequence') {
      if (this.#mode === 'collection') this.#tail = new CollectionTail()
      this.#mode = null
      return { entry: null, next: at + 1 }
    }
    const end = endOfValue(text, at, limit, ends)
    if (end !== -1) return this.#entry(text, at, end)
    if (!ends && limit < at + MAX_ROW_BYTES) return at === from ? null : { entry: null, next: at }
    const next = nextFeature(text, at + 1, limit)
    if (next !== -1 || ends) return this.#cut(text, at, next === -1 ? limit : next, UNCLOSED)
    this.#skipped = sampleOf(Buffer.from(text.slice(at, limit), 'latin1'))
    return { entry: null, next: limit - MAX_FEATURE_MATCH_LENGTH }
  }

  #begin(text: string, at: number, limit: number, ends: boolean): ReadResult | null {
    if (!this.#begun && text[at] !== '{' && text[at] !== '[') {
      throw new UnreadableFile('this is not GeoJSON: it does not begin with { or [')
    }
    const head = headOf(text, at, limit, ends)
    if (head === null && limit < at + MAX_ROW_BYTES) return null
    if (head === null && !this.#begun)
      throw new UnreadableFile('this is not GeoJSON: no "features" in its first megabyte')
    this.#begun = true
    this.#mode = head?.mode ?? 'sequence'
    return { entry: null, next: head?.at ?? at }
  }

  #skip(text: string, from: number, final: boolean): ReadResult | null {
    const next = nextFeature(text, from, text.length)
    if (next !== -1) return { entry: this.#reject(this.#skipped!, next, UNCLOSED), next }
    const kept = final ? text.length : Math.max(from, text.length - MAX_FEATURE_MATCH_LENGTH)
    return kept === from ? null : { entry: null, next: kept }
  }

  #entry(text: string, at: number, end: number): ReadResult {
    const raw = decodeBinary(text.slice(at, end))
    try {
      const value: unknown = JSON.parse(raw)
      return { entry: this.#featureRow(raw, end, null, value), next: end }
    } catch (error) {
      const next = nextFeature(text, at + 1, end)
      return this.#cut(text, at, next === -1 ? end : next, `the row is not JSON: ${(error as Error).message}`)
    }
  }

  #cut(text: string, at: number, end: number, fault: string): ReadResult {
    return { entry: this.#reject(decodeBinary(text.slice(at, end)), end, fault), next: end }
  }

  #reject(text: string, end: number, fault: string): FeatureRow {
    this.#skipped = null
    return this.#featureRow(text.trimEnd(), end, fault, null)
  }

  #featureRow(text: string, end: number, fault: string | null, value: unknown): FeatureRow {
    return { row: ++this.#row, offset: this.#offset + end, within: this.#mode ?? 'sequence', text, fault, value }
  }
}

function nextFeature(text: string, from: number, limit: number): number {
  const found = text.slice(from, limit).search(FEATURE)
  return found === -1 ? -1 : from + found
}
