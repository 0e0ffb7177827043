import type { Incident } from '../../domain/incident.ts'
import { type IndexedFields, indexedFieldsOf } from '../../query/indexed-fields.ts'

/** An incident's document as far as the archive's columns need it. */
export interface Read {
  readonly id: string
  readonly facts: IndexedFields
}

const ID = '{"id":"'
const ZERO = 48
/** Up to here, adding digit by digit is exact. */
const MOST_DIGITS = 15

/**
 * Takes the facts out of a document without parsing all of it: parsing takes 9 µs a document, this 4, and a start
 * has a million of them. It leans on what `JSON.stringify` writes: no spaces, the fields in the order of `Incident`, and within a
 * string no quote without a backslash before it, so that `"lat":` can only be the field. Whatever does not look so is
 * parsed instead. `text` holds the document's bytes as characters (Latin-1): all that is read here is ASCII.
 */
export function readFacts(text: string, parse: () => Incident): Read {
  return quickly(text) ?? slowly(parse())
}

function slowly(incident: Incident): Read {
  return { id: incident.id, facts: indexedFieldsOf(incident) }
}

function quickly(text: string): Read | null {
  if (!text.startsWith(ID)) return null
  const id = stringAt(text, ID.length)
  const type = after(text, '"type":"', ID.length)
  const severity = after(text, '"severity":"', type)
  const lat = after(text, '"lat":', severity)
  const lng = after(text, '"lng":', lat)
  const state = after(text, '"state_code":"', lng)
  const lga = after(text, '"lga_code":', state)
  const confidence = after(text, '"confidence":', lga)
  const killed = after(text, '"casualties":{"killed":', confidence)
  const injured = after(text, '"injured":', killed)
  const abducted = after(text, '"abducted":', injured)
  const occurredAt = after(text, '"occurred_at":"', abducted)
  const publishedAt = after(text, '"published_at":"', occurredAt)
  if (publishedAt < 0) return null
  const facts = {
    publishedAt: Date.parse(stringAt(text, publishedAt)),
    occurredAt: Date.parse(stringAt(text, occurredAt)),
    state: stringAt(text, state),
    lga: text[lga] === '"' ? stringAt(text, lga + 1) : null,
    type: stringAt(text, type) as IndexedFields['type'],
    severity: stringAt(text, severity) as IndexedFields['severity'],
    confidence: numberAt(text, confidence),
    lat: numberAt(text, lat),
    lng: numberAt(text, lng),
    killed: countAt(text, killed),
    injured: countAt(text, injured),
    abducted: countAt(text, abducted),
  }
  const strange = `${id}${facts.state}${facts.lga}${facts.type}${facts.severity}`.includes('\\')
  const sum = facts.confidence + facts.lat + facts.lng + facts.publishedAt + facts.occurredAt
  const figures = (facts.killed ?? 0) + (facts.injured ?? 0) + (facts.abducted ?? 0)
  return strange || Number.isNaN(sum + figures) ? null : { id, facts }
}

/** Where the field's value begins; -1 where it is missing, or the one before it was. */
function after(text: string, name: string, from: number): number {
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

/** Digits alone, or null; NaN where there is anything else, as an exponent. */
function countAt(text: string, start: number): number | null {
  if (text.startsWith('null', start)) return null
  let count = 0
  let at = start
  for (let code = text.charCodeAt(at); code >= ZERO && code <= ZERO + 9; code = text.charCodeAt(++at)) {
    count = count * 10 + code - ZERO
  }
  return at > start && at - start <= MOST_DIGITS && (text[at] === ',' || text[at] === '}') ? count : Number.NaN
}
