import { type Incident, NO_DATASET } from '../../domain/incident.ts'
import { BytePattern } from '../../lib/text/byte-pattern.ts'
import { type IndexedFields, indexedFieldsOf } from '../../query/indexed-fields.ts'
import { countAt, decimalAt, repeatedTextAt, textAt, timeAt } from './read-values.ts'

/** The parts of a document that the archive's columns need. */
export interface DocumentFields {
  readonly id: string
  readonly fields: IndexedFields
}

/** What stands before the value of each field, in the order of `Incident`. */
const BEFORE = {
  id: new BytePattern('{"id":"'),
  type: new BytePattern('"type":"'),
  severity: new BytePattern('"severity":"'),
  lat: new BytePattern('"lat":'),
  lng: new BytePattern('"lng":'),
  precision: new BytePattern('"precision":"'),
  state: new BytePattern('"state_code":"'),
  lga: new BytePattern('"lga_code":'),
  confidence: new BytePattern('"confidence":'),
  killed: new BytePattern('"casualties":{"killed":'),
  injured: new BytePattern('"injured":'),
  abducted: new BytePattern('"abducted":'),
  occurredAt: new BytePattern('"occurred_at":"'),
  publishedAt: new BytePattern('"published_at":"'),
}
/** Optional. */
const BEFORE_DATASET = Buffer.from('"dataset":"')
const ID_START = '{"id":"'.length
const QUOTE = 0x22
const NULL_START = 0x6e

/**
 * Reads the fields of the document in `[start, end)` without parsing it or making strings that are
 * not kept, because a start reads a million. Relies on the output of `JSON.stringify`: no spaces,
 * fields in the order of `Incident`, no unescaped quote in a string, so that `"lat":` can only be
 * the field. Any other document is parsed.
 */
export function readIndexedFields(
  bytes: Buffer,
  start: number,
  end: number,
  parse: () => Incident,
  findDataset = datasetFinder(bytes),
): DocumentFields {
  return scanFields(bytes, start, end, findDataset) ?? parsedFields(parse())
}

/** Returns where the name of a data set begins between two positions, or -1. */
export type FindDataset = (from: number, end: number) => number

/**
 * Remembers the next one, for documents that are read one after the other: most have none, and looking for it in
 * each would take longer than all other fields.
 */
export function datasetFinder(bytes: Buffer): FindDataset {
  let next = -1
  return (from, end) => {
    if (next < from) {
      const found = bytes.indexOf(BEFORE_DATASET, from)
      next = found < 0 ? Number.POSITIVE_INFINITY : found
    }
    return next + BEFORE_DATASET.length <= end ? next + BEFORE_DATASET.length : -1
  }
}

function parsedFields(incident: Incident): DocumentFields {
  return { id: incident.id, fields: indexedFieldsOf(incident) }
}

function scanFields(bytes: Buffer, start: number, end: number, findDataset: FindDataset): DocumentFields | null {
  const valueAfter = (pattern: BytePattern, from: number) => (from < 0 ? -1 : pattern.endIn(bytes, from, end))
  const id = BEFORE.id.endIn(bytes, start, Math.min(end, start + ID_START))
  const type = valueAfter(BEFORE.type, id)
  const severity = valueAfter(BEFORE.severity, type)
  const lat = valueAfter(BEFORE.lat, severity)
  const lng = valueAfter(BEFORE.lng, lat)
  const precision = valueAfter(BEFORE.precision, lng)
  const state = valueAfter(BEFORE.state, precision)
  const lga = valueAfter(BEFORE.lga, state)
  const confidence = valueAfter(BEFORE.confidence, lga)
  const killed = valueAfter(BEFORE.killed, confidence)
  const injured = valueAfter(BEFORE.injured, killed)
  const abducted = valueAfter(BEFORE.abducted, injured)
  const occurredAt = valueAfter(BEFORE.occurredAt, abducted)
  const publishedAt = valueAfter(BEFORE.publishedAt, occurredAt)
  if (publishedAt < 0) return null
  const dataset = findDataset(confidence, end)
  const idText = textAt(bytes, id, end)
  const fields = {
    publishedAt: timeAt(bytes, publishedAt, end),
    occurredAt: timeAt(bytes, occurredAt, end),
    state: repeatedTextAt(bytes, state, end)!,
    lga: bytes[lga] === QUOTE ? repeatedTextAt(bytes, lga + 1, end) : null,
    type: repeatedTextAt(bytes, type, end) as IndexedFields['type'],
    severity: repeatedTextAt(bytes, severity, end) as IndexedFields['severity'],
    confidence: decimalAt(bytes, confidence),
    lat: decimalAt(bytes, lat),
    lng: decimalAt(bytes, lng),
    precision: repeatedTextAt(bytes, precision, end) as IndexedFields['precision'],
    dataset: dataset < 0 ? NO_DATASET : repeatedTextAt(bytes, dataset, end)!,
    killed: countAt(bytes, killed),
    injured: countAt(bytes, injured),
    abducted: countAt(bytes, abducted),
  }
  const isText =
    idText !== null &&
    fields.state !== null &&
    (fields.lga !== null || bytes[lga] === NULL_START) &&
    fields.type !== null &&
    fields.severity !== null &&
    fields.precision !== null &&
    fields.dataset !== null
  const sum = fields.confidence + fields.lat + fields.lng + fields.publishedAt + fields.occurredAt
  const figures = (fields.killed ?? 0) + (fields.injured ?? 0) + (fields.abducted ?? 0)
  return isText && !Number.isNaN(sum + figures) ? { id: idText, fields } : null
}
