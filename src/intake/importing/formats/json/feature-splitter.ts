import { UnreadableFile } from '../format.ts'
import { binaryOf, decodeBinary, LONGEST_ROW, sampleOf } from '../splitting/decode.ts'
import type { RawRow, RowSplitter } from '../splitting/read-rows.ts'
import { CollectionTail } from './collection-tail.ts'
import { endOfValue, type Head, headOf, skipSeparators } from './json-scan.ts'

export interface FeatureRow extends RawRow {
  readonly value: unknown
}

type Mode = Head['mode']

/** Where a feature begins for certain: within a string the quotes would be escaped. */
const FEATURE = /\{\s{0,64}"type"\s{0,64}:\s{0,64}"Feature"/
const LONGEST_BEGINNING = 256
const ENDLESS = `a brace or a quote is not closed, or the row is longer than ${LONGEST_ROW / 1_000_000} MB`
const CUT_OFF = 'the file ends before its list of features does'

interface Step {
  readonly piece: FeatureRow | null
  readonly next: number
}

/**
 * The entries of a FeatureCollection, of a list, or of a sequence of features with or without the separators of RFC
 * 8142; several collections may follow each other. An entry that is not JSON ends where the next
 * `{"type": "Feature"` begins.
 */
export class FeatureSplitter implements RowSplitter<FeatureRow> {
  #text = ''
  #offset: number
  #row: number
  #mode: Mode | null
  #tail: CollectionTail | null = null
  #begun = false
  /** The beginning of an entry without end, of which the remainder is being passed over. */
  #passedOver: string | null = null

  constructor(offset: number, row: number, mode: Mode | null) {
    this.#offset = offset
    this.#row = row
    this.#mode = mode
    this.#begun = mode !== null
  }

  *push(bytes: Uint8Array): Generator<FeatureRow> {
    this.#text += binaryOf(bytes)
    yield* this.#take(false)
  }

  *end(): Generator<FeatureRow> {
    yield* this.#take(true)
    if (this.#passedOver !== null) yield this.#reject(this.#passedOver, this.#text.length, ENDLESS)
    if (this.#mode === 'collection' || this.#mode === 'list') yield this.#reject('', this.#text.length, CUT_OFF)
    if (!this.#begun) throw new UnreadableFile('the file is empty')
  }

  *#take(final: boolean): Generator<FeatureRow> {
    const text = this.#text
    let at = 0
    while (at < text.length) {
      const step = this.#step(text, at, final)
      if (step === null) break
      if (step.piece !== null) yield step.piece
      at = step.next
    }
    this.#text = text.slice(at)
    this.#offset += at
  }

  /** One entry further; null where more of the file must be seen first. */
  #step(text: string, from: number, final: boolean): Step | null {
    if (this.#passedOver !== null) return this.#passOver(text, from, final)
    if (this.#tail !== null) {
      const next = this.#tail.skip(text, from)
      if (this.#tail.ended) this.#tail = null
      return { piece: null, next }
    }
    const at = skipSeparators(text, from)
    if (at === text.length) return { piece: null, next: at }
    const limit = Math.min(text.length, at + LONGEST_ROW)
    const ends = final && limit === text.length
    if (this.#mode === null) return this.#begin(text, at, limit, ends)
    if (text[at] === ']' && this.#mode !== 'sequence') {
      if (this.#mode === 'collection') this.#tail = new CollectionTail()
      this.#mode = null
      return { piece: null, next: at + 1 }
    }
    const end = endOfValue(text, at, limit, ends)
    if (end !== -1) return this.#entry(text, at, end)
    if (!ends && limit < at + LONGEST_ROW) return at === from ? null : { piece: null, next: at }
    const next = nextFeature(text, at + 1, limit)
    if (next !== -1 || ends) return this.#cut(text, at, next === -1 ? limit : next, ENDLESS)
    this.#passedOver = sampleOf(Buffer.from(text.slice(at, limit), 'latin1'))
    return { piece: null, next: limit - LONGEST_BEGINNING }
  }

  #begin(text: string, at: number, limit: number, ends: boolean): Step | null {
    if (!this.#begun && text[at] !== '{' && text[at] !== '[') {
      throw new UnreadableFile('this is not GeoJSON: it does not begin with { or [')
    }
    const head = headOf(text, at, limit, ends)
    if (head === null && limit < at + LONGEST_ROW) return null
    if (head === null && !this.#begun)
      throw new UnreadableFile('this is not GeoJSON: no "features" in its first megabyte')
    this.#begun = true
    this.#mode = head?.mode ?? 'sequence'
    return { piece: null, next: head?.at ?? at }
  }

  #passOver(text: string, from: number, final: boolean): Step | null {
    const next = nextFeature(text, from, text.length)
    if (next !== -1) return { piece: this.#reject(this.#passedOver!, next, ENDLESS), next }
    const kept = final ? text.length : Math.max(from, text.length - LONGEST_BEGINNING)
    return kept === from ? null : { piece: null, next: kept }
  }

  #entry(text: string, at: number, end: number): Step {
    const raw = decodeBinary(text.slice(at, end))
    try {
      const value: unknown = JSON.parse(raw)
      return { piece: this.#piece(raw, end, null, value), next: end }
    } catch (error) {
      const next = nextFeature(text, at + 1, end)
      return this.#cut(text, at, next === -1 ? end : next, `the row is not JSON: ${(error as Error).message}`)
    }
  }

  #cut(text: string, at: number, end: number, fault: string): Step {
    return { piece: this.#reject(decodeBinary(text.slice(at, end)), end, fault), next: end }
  }

  #reject(text: string, end: number, fault: string): FeatureRow {
    this.#passedOver = null
    return this.#piece(text.trimEnd(), end, fault, null)
  }

  #piece(text: string, end: number, fault: string | null, value: unknown): FeatureRow {
    return { row: ++this.#row, offset: this.#offset + end, within: this.#mode ?? 'sequence', text, fault, value }
  }
}

function nextFeature(text: string, from: number, limit: number): number {
  const found = text.slice(from, limit).search(FEATURE)
  return found === -1 ? -1 : from + found
}
