import { isIdentifier } from '../../../domain/identifier.ts'
import { CSV_COLUMNS, REQUIRED_COLUMNS } from '../../../formats/csv.ts'
import {
  type ColumnMap,
  checkMapping,
  columnMap,
  constantFields,
  type Field,
  mappedReader,
  mappingHint,
  readFlatIncident,
  readFlatReport,
} from './flat-rows.ts'
import {
  type Format,
  type Mapping,
  NO_MAPPING,
  type ParsedRow,
  type ReadOptions,
  rejected,
  UnreadableFile,
} from './format.ts'
import { INCIDENT_FIELDS, parseIncident } from './ndjson.ts'
import { decodeBinary, MAX_ROW_BYTES, type RawRow, readRows, type SplitRow, sampleOf, TextSplitter } from './rows.ts'

/** Points whose properties are our fields or mapped ones. Rows are numbered by feature. */
export const geojson: Format = {
  read(open, options) {
    const { after } = options
    if (after !== undefined && after.within === undefined) throw new TypeError('the checkpoint lacks `within`')
    const meaningOf = featureReader(options)
    const splitterAt = (offset: number) => new FeatureSplitter(offset, after?.row ?? 0, after?.within ?? null)
    return readRows(open, after?.offset ?? 0, splitterAt, ({ value }) => meaningOf(value))
  },
}

interface Feature {
  readonly id?: unknown
  readonly geometry: { readonly coordinates: readonly unknown[] } | null
  readonly properties: Readonly<Record<string, unknown>>
}

function featureReader({ now, mapping = NO_MAPPING }: ReadOptions): (value: unknown) => ParsedRow {
  checkMapping(mapping)
  const fieldOf = columnMap(mapping.columns)
  return (value) => {
    const fault = featureFault(value)
    if (fault !== null) return rejected(fault)
    const feature = value as Feature
    const id = feature.id ?? feature.properties.id
    const ours = typeof id === 'string' && isIdentifier('incident', id)
    return ours ? ownIncident(feature, id, now) : foreignReport(feature, fieldOf, mapping, now)
  }
}

function featureFault(value: unknown): string | null {
  if (!isObject(value) || value.type !== 'Feature') return 'the row is not a GeoJSON feature'
  if (!isObject(value.properties)) return 'the feature has no properties'
  if (value.geometry === null || value.geometry === undefined) return null
  if (!isObject(value.geometry)) return 'geometry must be an object or null'
  if (value.geometry.type !== 'Point') return `geometry must be a Point, not ${JSON.stringify(value.geometry.type)}`
  const { coordinates } = value.geometry
  const numbers = Array.isArray(coordinates) && coordinates.length >= 2 && coordinates.every(Number.isFinite)
  return numbers ? null : 'geometry.coordinates must be [lng, lat]'
}

/** Id and point may be in the feature, in its properties, or in both if they agree. */
function ownIncident(feature: Feature, id: string, now: number): ParsedRow {
  const [lng, lat] = feature.geometry?.coordinates ?? []
  const document: Record<string, unknown> = { ...feature.properties }
  for (const [name, value] of Object.entries({ id, lat, lng })) {
    if (value !== undefined && document[name] !== undefined && document[name] !== value) {
      return rejected(`${name} is ${value} in the feature and ${JSON.stringify(document[name])} in its properties`)
    }
    document[name] ??= value
  }
  return isFlat(document) ? parseFlatIncident(document, now) : parseIncident(inOrder(document), now)
}

/** True for properties as the feed writes them; otherwise they are the document itself. */
function isFlat(document: Record<string, unknown>): boolean {
  return document.location === undefined && REQUIRED_COLUMNS.every((column) => document[column] !== undefined)
}

function parseFlatIncident(document: Record<string, unknown>, now: number): ParsedRow {
  const strange = Object.keys(document).find((name) => !(CSV_COLUMNS as readonly string[]).includes(name))
  if (strange !== undefined) return rejected(`${strange.slice(0, 60)} is not a field of an incident`)
  return readFlatIncident((field) => String(document[field] ?? ''), now)
}

/** Known fields in the order of the wire, for equal text; unknown ones follow and are rejected. */
function inOrder(document: Record<string, unknown>): Record<string, unknown> {
  const ordered: Record<string, unknown> = {}
  for (const name of INCIDENT_FIELDS) if (document[name] !== undefined) ordered[name] = document[name]
  return Object.assign(ordered, document)
}

function foreignReport(feature: Feature, fieldOf: ColumnMap, mapping: Mapping, now: number): ParsedRow {
  const [lng, lat] = feature.geometry?.coordinates ?? []
  const texts = new Map<Field, string>()
  for (const [field, value] of Object.entries({ id: feature.id, lat, lng })) {
    if (value !== undefined && value !== null) texts.set(field as Field, String(value))
  }
  for (const [name, value] of Object.entries(feature.properties)) {
    const field = fieldOf(name)
    if (field === 'ignored' || value === null) continue
    if (field === 'unknown') return rejected(`the property "${name}" is not known: ${mappingHint(name)}`)
    if (typeof value === 'object') return rejected(`the property "${name}" must be text or a number`)
    const text = String(value).trim()
    if (texts.has(field) && texts.get(field) !== text) return rejected(`${field} is given twice, and differs`)
    texts.set(field, text)
  }
  const twice = constantFields(mapping).find((field) => texts.has(field))
  if (twice !== undefined) return rejected(`${twice} is given by the row and by --constant`)
  return readFlatReport(
    'geojson',
    mappedReader((field) => texts.get(field) ?? '', mapping),
    now,
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface FeatureRow extends RawRow {
  readonly value: unknown
}

type Mode = Head['mode']

/** Begins a feature. It cannot occur in a string, where the quotes would be escaped. */
const FEATURE = /\{\s{0,64}"type"\s{0,64}:\s{0,64}"Feature"/
const MAX_FEATURE_MATCH_LENGTH = 256
const UNCLOSED = `a brace or a quote is not closed, or the row is longer than ${MAX_ROW_BYTES / 1_000_000} MB`
const LIST_NOT_CLOSED = 'the file ends before its list of features does'

/**
 * Splits collections, lists and sequences of features, with or without the separators of RFC 8142.
 * An entry that is not JSON ends where the next `{"type": "Feature"` begins.
 */
export class FeatureSplitter extends TextSplitter<FeatureRow> {
  #mode: Mode | null
  #tail: CollectionTail | null = null
  #begun: boolean
  /** The beginning of an endless entry whose remainder is skipped. */
  #skipped: string | null = null

  constructor(offset: number, row: number, mode: Mode | null) {
    super(offset, row)
    this.#mode = mode
    this.#begun = mode !== null
  }

  protected override *finish(rest: number): Generator<FeatureRow> {
    if (this.#skipped !== null) yield this.#reject(this.#skipped, rest, UNCLOSED)
    if (this.#mode === 'collection' || this.#mode === 'list') yield this.#reject('', rest, LIST_NOT_CLOSED)
    if (!this.#begun) throw new UnreadableFile('the file is empty')
  }

  protected override splitRow(text: string, from: number, final: boolean): SplitRow<FeatureRow> | null {
    if (this.#skipped !== null) return this.#skip(text, from, final)
    if (this.#tail !== null) {
      const next = this.#tail.skip(text, from)
      if (this.#tail.ended) this.#tail = null
      return { row: null, next }
    }
    const at = skipSeparators(text, from)
    if (at === text.length) return { row: null, next: at }
    const limit = Math.min(text.length, at + MAX_ROW_BYTES)
    const ends = final && limit === text.length
    if (this.#mode === null) return this.#begin(text, at, limit, ends)
    if (text[at] === ']' && this.#mode !== 'sequence') {
      if (this.#mode === 'collection') this.#tail = new CollectionTail()
      this.#mode = null
      return { row: null, next: at + 1 }
    }
    const end = endOfValue(text, at, limit, ends)
    if (end !== -1) return this.#entry(text, at, end)
    if (!ends && limit < at + MAX_ROW_BYTES) return at === from ? null : { row: null, next: at }
    const next = nextFeature(text, at + 1, limit)
    if (next !== -1 || ends) return this.#cut(text, at, next === -1 ? limit : next, UNCLOSED)
    this.#skipped = sampleOf(text.slice(at, limit))
    return { row: null, next: limit - MAX_FEATURE_MATCH_LENGTH }
  }

  #begin(text: string, at: number, limit: number, ends: boolean): SplitRow<FeatureRow> | null {
    if (!this.#begun && text[at] !== '{' && text[at] !== '[') {
      throw new UnreadableFile('this is not GeoJSON: it does not begin with { or [')
    }
    const head = headOf(text, at, limit, ends)
    if (head === null && limit < at + MAX_ROW_BYTES) return null
    if (head === null && !this.#begun)
      throw new UnreadableFile('this is not GeoJSON: no "features" in its first megabyte')
    this.#begun = true
    this.#mode = head?.mode ?? 'sequence'
    return { row: null, next: head?.at ?? at }
  }

  #skip(text: string, from: number, final: boolean): SplitRow<FeatureRow> | null {
    const next = nextFeature(text, from, text.length)
    if (next !== -1) return { row: this.#reject(this.#skipped!, next, UNCLOSED), next }
    const kept = final ? text.length : Math.max(from, text.length - MAX_FEATURE_MATCH_LENGTH)
    return kept === from ? null : { row: null, next: kept }
  }

  #entry(text: string, at: number, end: number): SplitRow<FeatureRow> {
    const raw = decodeBinary(text.slice(at, end))
    try {
      const value: unknown = JSON.parse(raw)
      return { row: this.#featureRow(raw, end, null, value), next: end }
    } catch (error) {
      const next = nextFeature(text, at + 1, end)
      return this.#cut(text, at, next === -1 ? end : next, `the row is not JSON: ${(error as Error).message}`)
    }
  }

  #cut(text: string, at: number, end: number, fault: string): SplitRow<FeatureRow> {
    return { row: this.#reject(decodeBinary(text.slice(at, end)), end, fault), next: end }
  }

  #reject(text: string, end: number, fault: string): FeatureRow {
    this.#skipped = null
    return this.#featureRow(text.trimEnd(), end, fault, null)
  }

  #featureRow(text: string, end: number, fault: string | null, value: unknown): FeatureRow {
    return { row: ++this.rows, offset: this.offset + end, within: this.#mode ?? 'sequence', text, fault, value }
  }
}

function nextFeature(text: string, from: number, limit: number): number {
  const found = text.slice(from, limit).search(FEATURE)
  return found === -1 ? -1 : from + found
}

const QUOTE = 34
const BACKSLASH = 92
const OPENING = new Set([123, 91])
const CLOSING = new Set([125, 93])
const RECORD_SEPARATOR = 30
const SEPARATORS = new Set([9, 10, 13, 32, 44, RECORD_SEPARATOR])
/** Characters that end invalid text, because a value may begin there. */
const GARBAGE_ENDS = new Set([10, 13, 44, 93, 123, RECORD_SEPARATOR])

/** Skips white space, commas and the separators of RFC 8142. */
function skipSeparators(text: string, at: number): number {
  while (at < text.length && SEPARATORS.has(text.charCodeAt(at))) at++
  return at
}

/** Returns the index after the string at `at`; -1 if it does not end before `limit`. */
function endOfString(text: string, at: number, limit: number): number {
  for (let index = at + 1; index < limit; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) return index + 1
    if (code === BACKSLASH) index++
  }
  return -1
}

/** Returns the index after the value or invalid text at `at`; -1 if no end before `limit`. */
function endOfValue(text: string, at: number, limit: number, final: boolean): number {
  if (text.charCodeAt(at) === QUOTE) return endOfString(text, at, limit)
  if (!OPENING.has(text.charCodeAt(at))) return endOfGarbage(text, at, limit, final)
  let depth = 0
  for (let index = at; index < limit; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      const end = endOfString(text, index, limit)
      if (end === -1) return -1
      index = end - 1
    } else if (code === 123 || code === 91) depth++
    else if ((code === 125 || code === 93) && --depth === 0) return index + 1
  }
  return -1
}

function endOfGarbage(text: string, at: number, limit: number, final: boolean): number {
  for (let index = at + 1; index < limit; index++) if (GARBAGE_ENDS.has(text.charCodeAt(index))) return index
  return final ? limit : -1
}

/** The list that holds the features; the first entry begins at `at`. */
type Head = { readonly mode: 'collection' | 'list' | 'sequence'; readonly at: number }

/** Finds the list of features in the document at `at`; null if more of the file is needed. */
export function headOf(text: string, at: number, limit: number, final: boolean): Head | null {
  if (text[at] === '[') return { mode: 'list', at: at + 1 }
  if (text[at] !== '{') return { mode: 'sequence', at }
  let depth = 0
  for (let index = at; index < limit; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      const end = endOfString(text, index, limit)
      if (end === -1) break
      if (depth === 1 && text.slice(index, end) === '"features"') {
        const list = /^\s{0,64}:\s{0,64}\[/.exec(text.slice(end, end + 200))
        if (list) return { mode: 'collection', at: end + list[0].length }
        if (end + 200 > limit && !final) return null
      }
      index = end - 1
    } else if (OPENING.has(code)) depth++
    else if (CLOSING.has(code) && --depth === 0) return { mode: 'sequence', at }
  }
  return final ? { mode: 'sequence', at } : null
}

/** Skips what follows the features of a collection, up to its closing brace. */
class CollectionTail {
  #depth = 1
  #quoted = false
  #escaped = false

  get ended(): boolean {
    return this.#depth === 0
  }

  /** Returns the index after the tail; the text's length if the tail continues. */
  skip(text: string, from: number): number {
    for (let index = from; index < text.length; index++) {
      this.#see(text[index]!)
      if (this.ended) return index + 1
    }
    return text.length
  }

  #see(character: string): void {
    if (this.#escaped) this.#escaped = false
    else if (this.#quoted && character === '\\') this.#escaped = true
    else if (character === '"') this.#quoted = !this.#quoted
    else if (this.#quoted) return
    else if (character === '{' || character === '[') this.#depth++
    else if (character === '}' || character === ']') this.#depth--
  }
}
