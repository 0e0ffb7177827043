import { isIdentifier } from '../../../domain/identifier.ts'
import {
  type Casualties,
  type ConfidenceReason,
  DATASET_NAME,
  type Incident,
  LGA_BASES,
  type Location,
  PRECISIONS,
  type ReportedCasualties,
  type Source,
  STATUSES,
  TIME_PRECISIONS,
} from '../../../domain/incident.ts'
import { coordinatesFault, isWebUrl, timeFault } from '../../../domain/report.ts'
import { CATEGORY_NAMES, categoryOf, SEVERITIES, TYPE_NAMES } from '../../../domain/taxonomy.ts'
import { suggestNames } from '../../../lib/similar-names.ts'
import { isStorable, UNSTORABLE } from '../../../lib/text.ts'
import { parseTime } from '../../../lib/time.ts'
import { type Format, type ParsedRow, rejected } from './format.ts'
import { LineSplitter, readRows } from './rows.ts'

/** One incident per line, as in the archive downloads. Rows are numbered by line. */
export const ndjson: Format = {
  read(open, { now, after }) {
    const splitterAt = (offset: number) => new LineSplitter(offset, after?.row ?? 0)
    return readRows(open, after?.offset ?? 0, splitterAt, ({ text }) => parseDocument(text, now))
  },
}

function parseDocument(text: string, now: number): ParsedRow {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    return rejected(`the row is not JSON: ${(error as Error).message}`)
  }
  return parseIncident(document, now)
}

export function parseIncident(document: unknown, now: number): ParsedRow {
  const faults = incidentFaults(document, now)
  if (faults.length > 0) return rejected(faults.join('; '))
  const incident = document as Incident
  return { kind: 'incident', sourceId: incident.id, incident, omits: [] }
}

/** Returns the fault, worded to follow the field's name; null if the value is correct. */
export type Check = (value: unknown) => string | null

type Checks<Document> = Readonly<Record<keyof Document & string, Check>>

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'undefined'

const nullable =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value)

const optionals = new WeakSet<Check>()

/** For a field that may be absent. */
export const optional = (check: Check): Check => {
  const checked: Check = (value) => check(value)
  optionals.add(checked)
  return checked
}

export const text: Check = (value) => {
  if (typeof value !== 'string') return 'must be text'
  if (value === '') return 'is empty'
  return isStorable(value) ? null : UNSTORABLE
}

const like =
  (pattern: RegExp, example: string): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? null : `must look like ${example}`

export const oneOf = (names: readonly string[]): Check => {
  const known = new Set<unknown>(names)
  return (value) => {
    if (known.has(value)) return null
    const near = typeof value === 'string' ? suggestNames(value, names) : []
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it must be one of ${names.join(', ')}`
    return `${shown(value)} is not known; ${hint}`
  }
}

const number =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most ? null : `must be a number from ${least} to ${most}`

export const whole =
  (least: number, most: number = Number.MAX_SAFE_INTEGER): Check =>
  (value) => {
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return null
    return `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`
  }

const UTC = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/
const IN_EVERY_MONTH = /^.{8}(?:[01]|2[0-8])/

/**
 * `parseTime` costs as much as the rest of a row, which has five times: it is called only for the
 * last days of a month, which not every month has.
 */
function isUtcTime(value: string): boolean {
  return UTC.test(value) && (IN_EVERY_MONTH.test(value) || parseTime(value) !== null)
}

const time: Check = (value) =>
  typeof value === 'string' && isUtcTime(value) ? null : 'must be a time in UTC, as 2026-01-31T08:00:00Z'

/** Adds a fault for every field that is wrong, missing or unknown. */
function checkFields<Document>(
  document: unknown,
  checks: Checks<Document>,
  path: string,
  faults: string[],
): document is Document {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    faults.push(`${path === '' ? 'the row' : path.slice(0, -1)} must be an object`)
    return false
  }
  const before = faults.length
  const fields = document as Record<string, unknown>
  for (const name in checks) {
    const value = fields[name]
    const check = (checks as Record<string, Check>)[name]!
    const fault = value === undefined ? (optionals.has(check) ? null : 'is missing') : check(value)
    if (fault !== null) faults.push(`${path}${name} ${fault}`)
  }
  for (const name in fields) {
    if (!Object.hasOwn(checks, name)) faults.push(`${path}${name.slice(0, 60)} is not a field of an incident`)
  }
  return faults.length === before
}

function checkList<Entry>(
  list: unknown,
  checks: Checks<Entry>,
  path: string,
  maxEntries: number,
  faults: string[],
): list is Entry[] {
  if (!Array.isArray(list)) {
    faults.push(`${path} must be a list`)
    return false
  }
  if (list.length > maxEntries) {
    faults.push(`${path} has ${list.length} entries; at most ${maxEntries} are allowed`)
    return false
  }
  const before = faults.length
  for (let index = 0; index < list.length; index++) checkFields(list[index], checks, `${path}.${index}.`, faults)
  return faults.length === before
}

const MAX_SOURCES = 1_000
const MAX_REASONS = 100
const MAX_ATTRIBUTION_LENGTH = 300
/** Half of the circumference of the earth. */
const MAX_RADIUS_KM = 20_040
/** Above any real version, and within the integer type of both databases. */
const MAX_VERSION = 1_000_000_000

/** For fields that `incidentFaults` checks separately. */
const checkedSeparately: Check = () => null

const webAddress: Check = (value) =>
  typeof value === 'string' && isWebUrl(value)
    ? null
    : 'must be an http or https address without a user name and a password'

const reasonValue: Check = (value) =>
  typeof value === 'string'
    ? isStorable(value)
      ? null
      : UNSTORABLE
    : typeof value === 'number' || typeof value === 'boolean'
      ? null
      : 'must be a number, text, true, false or null'

/** As a filter takes it, and as a column holds it: few and short. */
export const datasetName: Check = like(DATASET_NAME, 'ucdp: up to 40 small letters, digits, - and _, but not none')

export const attributionText: Check = (value) =>
  text(value) ?? ((value as string).length <= MAX_ATTRIBUTION_LENGTH ? null : 'is longer than 300 characters')

const INCIDENT: Checks<Incident> = {
  id: (value) =>
    typeof value === 'string' && isIdentifier('incident', value) ? null : 'must be inc_ and 26 characters',
  type: oneOf(TYPE_NAMES),
  category: oneOf(CATEGORY_NAMES),
  severity: oneOf(SEVERITIES),
  state: text,
  lga: nullable(text),
  lat: number(-180, 180),
  lng: number(-180, 180),
  location: checkedSeparately,
  confidence: number(0, 1),
  confidence_reasons: checkedSeparately,
  summary: text,
  sources: checkedSeparately,
  dataset: optional(datasetName),
  attribution: optional(attributionText),
  casualties: checkedSeparately,
  casualties_reported: optional(checkedSeparately),
  occurred_at: time,
  occurred_until: optional(time),
  time_precision: oneOf(TIME_PRECISIONS),
  reported_at: time,
  confirmed_at: nullable(time),
  published_at: nullable(time),
  updated_at: time,
  status: oneOf(STATUSES),
  version: whole(1, MAX_VERSION),
  merged_into: optional(text),
}

export const INCIDENT_FIELDS = Object.keys(INCIDENT) as readonly (keyof Incident)[]

const LOCATION: Checks<Location> = {
  place: nullable(text),
  precision: oneOf(PRECISIONS),
  radius_km: nullable(number(0, MAX_RADIUS_KM)),
  state_code: like(/^NG-[A-Z]{2}$/, 'NG-KD'),
  lga_code: nullable(like(/^NG-[A-Z]{2}-[A-Z0-9-]+$/, 'NG-KD-CHIKUN')),
  lga_basis: nullable(oneOf(LGA_BASES)),
}

const REASON: Checks<ConfidenceReason> = { reason: text, value: nullable(reasonValue), weight: number(-1, 1) }

const SOURCE: Checks<Source> = { url: nullable(webAddress), publisher: text, published_at: nullable(time) }

const count = nullable(whole(0))
const CASUALTIES: Checks<Casualties> = { killed: count, injured: count, abducted: count }

const REPORTED_CASUALTIES: Checks<ReportedCasualties> = { source: text, ...CASUALTIES }

/** Adds a fault for every wrong entry. */
export function reportedCasualtiesFit(list: unknown, faults: string[]): list is ReportedCasualties[] {
  return checkList<ReportedCasualties>(list, REPORTED_CASUALTIES, 'casualties_reported', MAX_SOURCES, faults)
}

/** Returns every fault; empty if the document is valid. */
export function incidentFaults(document: unknown, now: number): string[] {
  const faults: string[] = []
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return ['the row is not an object']
  if (!checkFields<Incident>(document, INCIDENT, '', faults)) return faults
  checkFields<Location>(document.location, LOCATION, 'location.', faults)
  checkList<ConfidenceReason>(document.confidence_reasons, REASON, 'confidence_reasons', MAX_REASONS, faults)
  checkList<Source>(document.sources, SOURCE, 'sources', MAX_SOURCES, faults)
  checkFields<Casualties>(document.casualties, CASUALTIES, 'casualties.', faults)
  if (document.casualties_reported !== undefined) reportedCasualtiesFit(document.casualties_reported, faults)
  if (faults.length === 0) checkConsistency(document, now, faults)
  return faults
}

/** Checks that fields agree with each other, and that place and time are plausible. */
function checkConsistency(incident: Incident, now: number, faults: string[]): void {
  const { type, category, lat, lng, location, status, published_at } = incident
  if (categoryOf(type) !== category) faults.push(`category ${category} is not that of ${type}: ${categoryOf(type)}`)
  const point = coordinatesFault(lat, lng, true)
  if (point !== null) faults.push(point)
  for (const field of ['occurred_at', 'occurred_until'] as const) {
    const given = incident[field]
    const fault = given === undefined ? null : timeFault(Date.parse(given), now)
    if (fault !== null) faults.push(`${field} ${given} ${fault}`)
  }
  if (incident.occurred_until !== undefined && Date.parse(incident.occurred_until) < Date.parse(incident.occurred_at))
    faults.push(`occurred_until ${incident.occurred_until} lies before occurred_at`)
  if (location.lga_code !== null && !location.lga_code.startsWith(`${location.state_code}-`)) {
    faults.push(`location.lga_code ${location.lga_code} does not lie in ${location.state_code}`)
  }
  if (status === 'confirmed' && published_at === null) faults.push('published_at is null, though it is confirmed')
}
