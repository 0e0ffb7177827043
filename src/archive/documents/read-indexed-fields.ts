import type { Incident } from '../../domain/incident.ts'
import { type IndexedFields, indexedFieldsOf } from '../../query/indexed-fields.ts'

/** The parts of a document that the archive's columns need. */
export interface DocumentFields {
  readonly id: string
  readonly fields: IndexedFields
}

const ID = '{"id":"'
const ZERO = 48
/** Adding digit by digit is exact up to this many digits. */
const MAX_EXACT_DIGITS = 15

/**
 * Reads the fields without parsing the document: 4 µs instead of 9 µs, and a start reads a million.
 * Relies on the output of `JSON.stringify`: no spaces, fields in the order of `Incident`, no
 * unescaped quote in a string, so that `"lat":` can only be the field. Any other document is
 * parsed. `text` holds the bytes as Latin-1 characters, because everything read here is ASCII.
 */
export function readIndexedFields(text: string, parse: () => Incident): DocumentFields {
  return scanFields(text) ?? parsedFields(parse())
}

function parsedFields(incident: Incident): DocumentFields {
  return { id: incident.id, fields: indexedFieldsOf(incident) }
}

function scanFields(text: string): DocumentFields | null {
  if (!text.startsWith(ID)) return null
  const id = stringAt(text, ID.length)
  const type = valueAfter(text, '"type":"', ID.length)
  const severity = valueAfter(text, '"severity":"', type)
  const lat = valueAfter(text, '"lat":', severity)
  const lng = valueAfter(text, '"lng":', lat)
  const precision = valueAfter(text, '"precision":"', lng)
  const state = valueAfter(text, '"state_code":"', precision)
  const lga = valueAfter(text, '"lga_code":', state)
  const confidence = valueAfter(text, '"confidence":', lga)
  const killed = valueAfter(text, '"casualties":{"killed":', confidence)
  const injured = valueAfter(text, '"injured":', killed)
  const abducted = valueAfter(text, '"abducted":', injured)
  const occurredAt = valueAfter(text, '"occurred_at":"', abducted)
  const publishedAt = valueAfter(text, '"published_at":"', occurredAt)
  if (publishedAt < 0) return null
  const fields = {
    publishedAt: Date.parse(stringAt(text, publishedAt)),
    occurredAt: Date.parse(stringAt(text, occurredAt)),
    state: stringAt(text, state),
    lga: text[lga] === '"' ? stringAt(text, lga + 1) : null,
    type: stringAt(text, type) as IndexedFields['type'],
    severity: stringAt(text, severity) as IndexedFields['severity'],
    confidence: numberAt(text, confidence),
    lat: numberAt(text, lat),
    lng: numberAt(text, lng),
    precision: stringAt(text, precision) as IndexedFields['precision'],
    killed: countAt(text, killed),
    injured: countAt(text, injured),
    abducted: countAt(text, abducted),
  }
  const hasEscape = `${id}${fields.precision}${fields.state}${fields.lga}${fields.type}${fields.severity}`.includes(
    '\\',
  )
  const sum = fields.confidence + fields.lat + fields.lng + fields.publishedAt + fields.occurredAt
  const figures = (fields.killed ?? 0) + (fields.injured ?? 0) + (fields.abducted ?? 0)
  return hasEscape || Number.isNaN(sum + figures) ? null : { id, fields }
}

/** Returns where the field's value begins; -1 if it or the field before it is missing. */
function valueAfter(text: string, name: string, from: number): number {
  if (from < 0) return -1
  const at = text.indexOf(name, from)
  return at < 0 ? -1 : at + name.length
}

function stringAt(text: string, start: number): string {
  return text.slice(start, text.indexOf('"', start))
}

function numberAt(text: string, start: number): number {
  return Number(text.slice(start, text.indexOf(',', start)))
}

/** Reads digits or null; returns NaN for anything else, such as an exponent. */
function countAt(text: string, start: number): number | null {
  if (text.startsWith('null', start)) return null
  let count = 0
  let at = start
  for (let code = text.charCodeAt(at); code >= ZERO && code <= ZERO + 9; code = text.charCodeAt(++at)) {
    count = count * 10 + code - ZERO
  }
  return at > start && at - start <= MAX_EXACT_DIGITS && (text[at] === ',' || text[at] === '}') ? count : Number.NaN
}
