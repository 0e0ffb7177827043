import { PREFIXES, SUFFIX_LENGTH } from '../../domain/identifier.ts'
import { PRECISIONS } from '../../domain/incident.ts'
import { BytePattern } from '../../lib/bytes.ts'
import { type Columns, Dictionary, NO_DATASET_NUMBER, NO_LGA_NUMBER } from '../columns/columns.ts'

const DOCUMENT_START = Buffer.from(`{"id":"${PREFIXES.incident}`)
/** The text before the value of each field, in the order of `Incident`. */
const BEFORE = {
  type: new BytePattern('"type":"'),
  severity: new BytePattern('"severity":"'),
  lat: new BytePattern('"lat":'),
  lng: new BytePattern('"lng":'),
  precision: new BytePattern('"precision":"'),
  state: new BytePattern('"state_code":"'),
  lga: new BytePattern('"lga_code":'),
  confidence: new BytePattern('"confidence":'),
  dataset: new BytePattern('"dataset":"'),
  killed: new BytePattern('"casualties":{"killed":'),
  injured: new BytePattern('"injured":'),
  abducted: new BytePattern('"abducted":'),
  occurredAt: new BytePattern('"occurred_at":"'),
  publishedAt: new BytePattern('"published_at":"'),
}
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const END_OF_LIST = 0x5d
const NULL_START = 0x6e

/**
 * Reads the fields of the documents in `bytes` into columns without parsing them or making strings,
 * because a start reads a million. Relies on the output of `JSON.stringify`: no spaces, fields in
 * the order of `Incident`, no unescaped quote in a string, so that `"lat":` can only be the field.
 */
export class FieldScanner {
  readonly #bytes: Buffer
  readonly #columns: Columns
  readonly #states: TextNumbers
  readonly #lgas: TextNumbers
  readonly #types: TextNumbers
  readonly #severities: TextNumbers
  readonly #datasets: TextNumbers
  readonly #precisions = new TextNumbers(new Dictionary(PRECISIONS))

  constructor(bytes: Buffer, columns: Columns) {
    this.#bytes = bytes
    this.#columns = columns
    this.#states = new TextNumbers(columns.states)
    this.#lgas = new TextNumbers(columns.lgas)
    this.#types = new TextNumbers(columns.types)
    this.#severities = new TextNumbers(columns.severities)
    this.#datasets = new TextNumbers(columns.datasets)
  }

  /**
   * Returns false if the document in `[start, end)` has another form: it has to be parsed, and its
   * slot set.
   */
  scan(slot: number, start: number, end: number): boolean {
    const bytes = this.#bytes
    const suffix = start + DOCUMENT_START.length
    const afterId = suffix + SUFFIX_LENGTH
    if (end - start < DOCUMENT_START.length + SUFFIX_LENGTH || !this.#startsDocument(start)) return false
    const type = BEFORE.type.endIn(bytes, afterId, end)
    if (type < 0) return false
    const severity = BEFORE.severity.endIn(bytes, type, end)
    if (severity < 0) return false
    const lat = BEFORE.lat.endIn(bytes, severity, end)
    if (lat < 0) return false
    const lng = BEFORE.lng.endIn(bytes, lat, end)
    if (lng < 0) return false
    const precision = BEFORE.precision.endIn(bytes, lng, end)
    if (precision < 0) return false
    const state = BEFORE.state.endIn(bytes, precision, end)
    if (state < 0) return false
    const lga = BEFORE.lga.endIn(bytes, state, end)
    if (lga < 0) return false
    const confidence = BEFORE.confidence.endIn(bytes, lga, end)
    if (confidence < 0) return false
    // From behind, because texts of any length lie before it, and little after it.
    const killed = BEFORE.killed.endOfLastIn(bytes, confidence, end)
    if (killed < 0) return false
    const injured = BEFORE.injured.endIn(bytes, killed, end)
    if (injured < 0) return false
    const abducted = BEFORE.abducted.endIn(bytes, injured, end)
    if (abducted < 0) return false
    const occurredAt = BEFORE.occurredAt.endIn(bytes, abducted, end)
    if (occurredAt < 0) return false
    const publishedAt = BEFORE.publishedAt.endIn(bytes, occurredAt, end)
    if (publishedAt < 0) return false
    return (
      this.#setSuffix(slot, suffix) &&
      this.#setTexts(slot, type, severity, precision, state, lga, end) &&
      this.#setDataset(slot, confidence, killed, abducted, end) &&
      this.#setCasualties(slot, countAt(bytes, killed), countAt(bytes, injured), countAt(bytes, abducted)) &&
      this.#setNumbers(
        slot,
        timeAt(bytes, publishedAt, end),
        timeAt(bytes, occurredAt, end),
        decimalAt(bytes, confidence),
        decimalAt(bytes, lat),
        decimalAt(bytes, lng),
      )
    )
  }

  #startsDocument(start: number): boolean {
    for (let index = 0; index < DOCUMENT_START.length; index++)
      if (this.#bytes[start + index] !== DOCUMENT_START[index]) return false
    return this.#bytes[start + DOCUMENT_START.length + SUFFIX_LENGTH] === QUOTE
  }

  #setSuffix(slot: number, start: number): boolean {
    const { suffix } = this.#columns
    for (let index = 0, at = slot * SUFFIX_LENGTH; index < SUFFIX_LENGTH; index++, at++) {
      const byte = this.#bytes[start + index]!
      if (byte === QUOTE || byte === BACKSLASH || byte >= 0x80) return false
      suffix[at] = byte
    }
    return true
  }

  #setTexts(
    slot: number,
    type: number,
    severity: number,
    precision: number,
    state: number,
    lga: number,
    end: number,
  ): boolean {
    const bytes = this.#bytes
    const columns = this.#columns
    const typeNumber = this.#types.numberAt(bytes, type, end)
    const severityNumber = this.#severities.numberAt(bytes, severity, end)
    const precisionNumber = this.#precisions.numberAt(bytes, precision, end)
    const stateNumber = this.#states.numberAt(bytes, state, end)
    const lgaNumber =
      bytes[lga] === QUOTE ? this.#lgas.numberAt(bytes, lga + 1, end) : bytes[lga] === NULL_START ? NO_LGA_NUMBER : -1
    if (typeNumber < 0 || severityNumber < 0 || precisionNumber < 0 || stateNumber < 0 || lgaNumber < 0) return false
    if (precisionNumber >= PRECISIONS.length) return false
    columns.type[slot] = typeNumber
    columns.severity[slot] = severityNumber
    columns.precision[slot] = precisionNumber
    columns.state[slot] = stateNumber
    columns.lga[slot] = lgaNumber
    return true
  }

  /**
   * It is optional, and stands between the sources, a list, and the casualties; so does the
   * attribution, a text. What follows is short, and searched too, for documents that were changed
   * by other programs.
   */
  #setDataset(slot: number, confidence: number, killed: number, abducted: number, end: number): boolean {
    const bytes = this.#bytes
    const before = killed - BEFORE.killed.length - 1
    if (bytes[before] !== COMMA) return false
    let dataset = bytes[before - 1] === END_OF_LIST ? -1 : BEFORE.dataset.endOfLastIn(bytes, confidence, before)
    if (dataset < 0) dataset = BEFORE.dataset.endIn(bytes, abducted, end)
    const number = dataset < 0 ? NO_DATASET_NUMBER : this.#datasets.numberAt(bytes, dataset, end)
    if (number < 0) return false
    this.#columns.dataset[slot] = number
    return true
  }

  #setCasualties(slot: number, killed: number | null, injured: number | null, abducted: number | null): boolean {
    if (Number.isNaN((killed ?? 0) + (injured ?? 0) + (abducted ?? 0))) return false
    this.#columns.casualties.set(slot, killed, injured, abducted)
    return true
  }

  #setNumbers(
    slot: number,
    publishedAt: number,
    occurredAt: number,
    confidence: number,
    lat: number,
    lng: number,
  ): boolean {
    if (Number.isNaN(publishedAt + occurredAt + confidence + lat + lng)) return false
    this.#columns.setNumbers(slot, publishedAt, occurredAt, confidence, lat, lng)
    return true
  }
}

/** Reads single values from the bytes of JSON. NaN: the document has to be parsed. */

const ZERO = 0x30
const END_OF_OBJECT = 0x7d
const MINUS = 0x2d
const POINT = 0x2e
/**
 * Integers with this many digits are exact, and so are powers of ten: their quotient is rounded
 * once, as JSON's is.
 */
const MAX_EXACT_DIGITS = 15
const POWERS_OF_TEN = Float64Array.from({ length: MAX_EXACT_DIGITS + 1 }, (_, power) => 10 ** power)

const TIME = 'dddd-dd-ddTdd:dd:dd.dddZ'
/** Without milliseconds, as sources and imports write it. */
const TIME_IN_SECONDS = 'dddd-dd-ddTdd:dd:ddZ'
const DAY_MS = 86_400_000
const MAX_DAY_OF_EVERY_MONTH = 28

/** Reads a string without escapes up to its closing quote. */
function textAt(bytes: Buffer, start: number, end: number): string | null {
  let at = start
  for (; at < end && bytes[at] !== QUOTE; at++) if (!isPlain(bytes[at]!)) return null
  return at === end ? null : bytes.toString('latin1', start, at)
}

/** Reads a number without an exponent. */
export function decimalAt(bytes: Buffer, start: number): number {
  const isNegative = bytes[start] === MINUS
  let digits = 0
  let value = 0
  let decimals = -1
  let at = isNegative ? start + 1 : start
  for (; ; at++) {
    const byte = bytes[at]!
    if (byte === POINT && decimals < 0) decimals = 0
    else if (isDigit(byte)) {
      value = value * 10 + byte - ZERO
      digits++
      if (decimals >= 0) decimals++
    } else break
  }
  if (digits === 0 || decimals === 0 || !endsValue(bytes[at])) return Number.NaN
  if (digits > MAX_EXACT_DIGITS) return Number(bytes.toString('latin1', start, at))
  const magnitude = decimals > 0 ? value / POWERS_OF_TEN[decimals]! : value
  return isNegative ? -magnitude : magnitude
}

/** Reads digits, or null. */
export function countAt(bytes: Buffer, start: number): number | null {
  if (bytes[start] === 0x6e) return null
  let count = 0
  let at = start
  for (; isDigit(bytes[at]!); at++) count = count * 10 + bytes[at]! - ZERO
  return at > start && at - start <= MAX_EXACT_DIGITS && endsValue(bytes[at]) ? count : Number.NaN
}

/**
 * Reads a time as `Date.toISOString` writes it, or without its milliseconds; other forms as
 * `Date.parse` does.
 */
export function timeAt(bytes: Buffer, start: number, end: number): number {
  const isInSeconds = bytes[start + TIME_IN_SECONDS.length] === QUOTE
  if (!hasForm(bytes, start, isInSeconds ? TIME_IN_SECONDS : TIME)) return Date.parse(textAt(bytes, start, end) ?? '')
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2)
  const month = twoDigits(bytes, start + 5)
  const day = twoDigits(bytes, start + 8)
  const hour = twoDigits(bytes, start + 11)
  const minute = twoDigits(bytes, start + 14)
  const second = twoDigits(bytes, start + 17)
  const isCommon = month >= 1 && month <= 12 && day >= 1 && day <= MAX_DAY_OF_EVERY_MONTH
  if (!isCommon || hour > 23 || minute > 59 || second > 59) return Date.parse(textAt(bytes, start, end) ?? '')
  const millisecond = isInSeconds ? 0 : (bytes[start + 20]! - ZERO) * 100 + twoDigits(bytes, start + 21)
  return daysOf(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
}

function hasForm(bytes: Buffer, start: number, form: string): boolean {
  for (let index = 0; index < form.length; index++) {
    const byte = bytes[start + index]!
    const wanted = form.charCodeAt(index)
    if (wanted === 0x64 ? !isDigit(byte) : byte !== wanted) return false
  }
  return bytes[start + form.length] === QUOTE
}

/**
 * Days since 1970 in the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms").
 */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

function twoDigits(bytes: Buffer, at: number): number {
  return (bytes[at]! - ZERO) * 10 + bytes[at + 1]! - ZERO
}

function isPlain(byte: number): boolean {
  return byte !== BACKSLASH && byte < 0x80
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}

function endsValue(byte: number | undefined): boolean {
  return byte === COMMA || byte === END_OF_OBJECT
}

const ENTRIES = 1 << 12

/**
 * Numbers the texts of a column by their bytes: for one that was read before, no string is made.
 */
export class TextNumbers {
  readonly #dictionary: Dictionary
  /** By a part of the hash: the number of the last text that had it, plus one. */
  readonly #numbers = new Uint16Array(ENTRIES)

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary
  }

  /** Reads a JSON string up to its closing quote. Returns -1 if it is not ASCII, or has escapes. */
  numberAt(bytes: Buffer, start: number, end: number): number {
    let hash = 0
    let at = start
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) break
      if (byte === BACKSLASH || byte >= 0x80) return -1
      hash = Math.imul(hash ^ byte, 0x01000193)
    }
    if (at >= end) return -1
    const entry = (hash ^ (hash >>> 15)) & (ENTRIES - 1)
    const known = this.#numbers[entry]! - 1
    if (known >= 0 && isAt(bytes, start, at, this.#dictionary.textOf(known))) return known
    const number = this.#dictionary.add(bytes.toString('latin1', start, at))
    this.#numbers[entry] = number + 1
    return number
  }
}

function isAt(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== bytes[start + index]) return false
  return true
}
