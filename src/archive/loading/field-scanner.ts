import { PREFIXES, SUFFIX_LENGTH } from '../../domain/identifier.ts'
import { PRECISIONS } from '../../domain/incident.ts'
import { BytePattern } from '../../lib/text/byte-pattern.ts'
import { type Columns, NO_DATASET_NUMBER, NO_LGA_NUMBER } from '../columns/columns.ts'
import { Dictionary } from '../columns/dictionary.ts'
import { countAt, decimalAt, timeAt } from './read-values.ts'
import { TextNumbers } from './text-numbers.ts'

const DOCUMENT_START = Buffer.from(`{"id":"${PREFIXES.incident}`)
/** What stands before the value of each field, in the order of `Incident`. */
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
