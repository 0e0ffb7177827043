import { hash } from 'node:crypto'
import type { FieldError } from '../../../domain/errors.ts'
import { type Incident, PRECISIONS, TIME_PRECISIONS } from '../../../domain/incident.ts'
import { isWebUrl, type Report, type ReportedSource, timeFault } from '../../../domain/report.ts'
import { categoryOf, type IncidentType, SEVERITIES, TYPE_NAMES, TYPES } from '../../../domain/taxonomy.ts'
import { CSV_COLUMNS, LIST_SEPARATOR } from '../../../formats/csv.ts'
import { suggestNames } from '../../../lib/similar-names.ts'
import { isStorable, UNSTORABLE } from '../../../lib/text.ts'
import { parseTime } from '../../../lib/time.ts'
import { readEnd } from '../../reports/read-report.ts'
import { type Assumed, type Mapping, type ParsedRow, rejected, UnreadableFile } from './format.ts'
import { attributionText, datasetName, incidentFaults, oneOf, reportedCasualtiesFit } from './ndjson.ts'
import { columnName } from './tables.ts'
import { parseList, readCountCell, readDay, readNumber, readPoint, readType, sourceOf, unknownType } from './values.ts'

const MAX_SOURCES = 100
const MAX_ID_LENGTH = 200

/** Reads a row that is not an incident of this service. */
export function readFlatReport(format: string, get: FieldReader, now: number): ParsedRow {
  const faults: string[] = []
  for (const field of FIELDS) if (!isStorable(get(field))) faults.push(`${field} ${UNSTORABLE}`)
  const type = readType(get('type'))
  if (type === null) faults.push(get('type') === '' ? 'type is empty' : unknownType(get('type')))
  const { occurredAt, precise } = readOccurredAt(get('occurred_at'), now, faults)
  const hasPoint = get('lat') !== '' || get('lng') !== ''
  const point = hasPoint ? readPoint(['lat', get('lat')], ['lng', get('lng')], type === 'piracy', faults) : null
  if (point === null && get('state') === '' && get('state_code') === '' && get('place') === '') {
    faults.push('the row names no place: it needs lat and lng, a state or a place')
  }
  if (type !== null && get('category') !== '' && get('category') !== categoryOf(type)) {
    faults.push(`category "${get('category')}" is not that of ${type}: ${categoryOf(type)}`)
  }
  const report: Omit<Report, 'type'> = {
    severity: readChoice(get, 'severity', SEVERITIES, faults),
    occurred_at: occurredAt,
    time_precision: readChoice(get, 'time_precision', TIME_PRECISIONS, faults) ?? (precise ? 'exact' : 'day'),
    lat: point?.lat ?? null,
    lng: point?.lng ?? null,
    state: get('state') || get('state_code') || null,
    lga: get('lga') || get('lga_code') || null,
    place: get('place') || null,
    precision: readChoice(get, 'precision', PRECISIONS, faults),
    summary: get('summary') || (type === null ? '' : defaultSummary(type, get)),
    sources: readSourceLists(get, faults),
    casualties: {
      killed: readCountCell('killed', get('killed'), faults),
      injured: readCountCell('injured', get('injured'), faults),
      abducted: readCountCell('abducted', get('abducted'), faults),
    },
  }
  const credit = readCredit(get, faults)
  const later = { ...credit, ...readEndField(get, occurredAt, now, faults), ...readFiguresField(get, faults) }
  const radiusKm = readNumberUpTo(get, 'radius_km', 1000, faults)
  const quality = readNumberUpTo(get, 'confidence', 1, faults)
  if (type === null || faults.length > 0) return rejected(faults.join('; '))
  const whole = { type, ...report, ...later }
  const assumed = assumedIn(whole, get)
  return { kind: 'report', sourceId: sourceIdOf(format, get), report: whole, radiusKm, quality, assumed }
}

function assumedIn({ sources }: Report, get: FieldReader): Assumed {
  return {
    ...(get('time_precision') === '' ? { timePrecision: true } : {}),
    ...(sources.length === 0 ? { sources: true } : {}),
    ...(get('summary') === '' ? { summary: 'all' as const } : {}),
  }
}

function readCredit(get: FieldReader, faults: string[]): Pick<Report, 'dataset' | 'attribution'> {
  const credit = { dataset: get('dataset'), attribution: get('attribution') }
  const checks = { dataset: datasetName, attribution: attributionText }
  const given = (['dataset', 'attribution'] as const).filter((field) => credit[field] !== '')
  for (const field of given) {
    const fault = checks[field](credit[field])
    if (fault !== null) faults.push(`${field} ${fault}`)
  }
  return Object.fromEntries(given.map((field) => [field, credit[field]]))
}

/** A `source_id` such as `acme:17`, else one prefixed with the format, else a hash of the row. */
function sourceIdOf(format: string, get: FieldReader): string {
  const id = (get('source_id') || get('id')).slice(0, MAX_ID_LENGTH)
  if (id !== '') return id.includes(':') ? id : `${format}:${id}`
  const content = FIELDS.flatMap((field) => (get(field) === '' ? [] : [`${field}=${get(field)}`])).join('\u001f')
  return `${format}:${hash('blake2b512', content).slice(0, 32)}`
}

function readOccurredAt(text: string, now: number, faults: string[]): { occurredAt: string; precise: boolean } {
  const day = readDay(text, now)
  const moment = day ?? parseTime(text)
  const fault = text === '' ? 'is empty' : moment === null ? `"${text}" is not a date or time` : timeFault(moment, now)
  if (fault !== null)
    faults.push(text === '' || moment === null ? `occurred_at ${fault}` : `occurred_at ${text} ${fault}`)
  return { occurredAt: moment === null ? '' : new Date(moment).toISOString(), precise: day === null }
}

function readEndField(get: FieldReader, occurredAt: string, now: number, faults: string[]) {
  const errors: FieldError[] = []
  const end = readEnd(get('occurred_until') || null, occurredAt, now, errors)
  faults.push(...errors.map(({ message }) => `occurred_until ${message}`))
  return end
}

function readFiguresField(get: FieldReader, faults: string[]): Pick<Report, 'casualties_reported'> {
  const list = parseList(get('casualties_reported'))
  if (list !== null && list.length === 0) return {}
  if (list === null) faults.push('casualties_reported must be a list in JSON')
  return list !== null && reportedCasualtiesFit(list, faults) ? { casualties_reported: list } : {}
}

function readChoice<Name extends string>(
  get: FieldReader,
  field: Field,
  names: readonly Name[],
  faults: string[],
): Name | null {
  const text = get(field).toLowerCase()
  if (text === '') return null
  const fault = oneOf(names)(text)
  if (fault !== null) faults.push(`${field} ${fault}`)
  return text as Name
}

function readNumberUpTo(get: FieldReader, field: Field, maximum: number, faults: string[]): number | null {
  if (get(field) === '') return null
  const value = readNumber(get(field))
  if (!(value >= 0 && value <= maximum)) faults.push(`${field} "${get(field)}" must be a number from 0 to ${maximum}`)
  return value
}

/** Reads entry by entry; a source without publisher gets the host of its URL as name. */
function readSourceLists(get: FieldReader, faults: string[]): ReportedSource[] {
  const [urls, publishers] = [get('source_urls'), get('source_publishers')].map((list) =>
    list === '' ? [] : list.split(LIST_SEPARATOR).map((entry) => entry.trim()),
  ) as [string[], string[]]
  const length = Math.max(urls.length, publishers.length)
  if (length > MAX_SOURCES) faults.push(`the row has ${length} sources; at most ${MAX_SOURCES} are allowed`)
  const wrong = urls.find((url) => url !== '' && !isWebUrl(url))
  if (wrong !== undefined)
    faults.push(
      `source_urls "${wrong.slice(0, 60)}" is not an http or https address without a user name and a password`,
    )
  if (length > MAX_SOURCES || wrong !== undefined) return []
  return Array.from({ length }, (_, index) => {
    const url = urls[index] || null
    return sourceOf(publishers[index] || (url === null ? '' : new URL(url).hostname), null, url)
  }).filter(({ publisher }) => publisher !== '')
}

function defaultSummary(type: IncidentType, get: FieldReader): string {
  const where = [get('place'), get('lga'), get('state')].filter(Boolean).join(', ')
  return `${TYPES[type].label}${where === '' ? '' : ` in ${where}`}.`
}

/** A table has no columns for confidence reasons and publication times of sources. */
type Optional = 'casualties_reported' | 'dataset' | 'attribution' | 'occurred_until' | 'merged_into'
const OMITS = ['confidence_reasons', 'sources', 'merged_into'] as const

/** Reads an incident of this service from a row with all columns of our own CSV. */
export function readFlatIncident(get: FieldReader, now: number): ParsedRow {
  const text = (name: Parameters<FieldReader>[0]) => get(name) || null
  const number = (name: Parameters<FieldReader>[0]) => (get(name) === '' ? null : readNumber(get(name)))
  const reported = parseList(get('casualties_reported'))
  if (reported === null) return rejected('casualties_reported must be a list in JSON')
  const document: Record<Exclude<keyof Incident, Optional>, unknown> = {
    id: text('id'),
    type: text('type'),
    category: text('category'),
    severity: text('severity'),
    state: text('state'),
    lga: text('lga'),
    lat: number('lat'),
    lng: number('lng'),
    location: {
      place: text('place'),
      precision: text('precision'),
      radius_km: number('radius_km'),
      state_code: text('state_code'),
      lga_code: text('lga_code'),
      lga_basis: text('lga_basis'),
    },
    confidence: number('confidence'),
    confidence_reasons: [],
    summary: text('summary'),
    sources: ownSourceLists(get),
    ...(get('dataset') ? { dataset: get('dataset') } : {}),
    ...(get('attribution') ? { attribution: get('attribution') } : {}),
    casualties: { killed: number('killed'), injured: number('injured'), abducted: number('abducted') },
    ...(reported.length === 0 ? {} : { casualties_reported: reported }),
    occurred_at: text('occurred_at'),
    ...(get('occurred_until') ? { occurred_until: get('occurred_until') } : {}),
    time_precision: text('time_precision'),
    reported_at: text('reported_at'),
    confirmed_at: text('confirmed_at'),
    published_at: text('published_at'),
    updated_at: text('updated_at'),
    status: text('status'),
    version: number('version'),
  }
  const faults = incidentFaults(document, now)
  if (faults.length > 0) return rejected(faults.join('; '))
  const incident = document as unknown as Incident
  return { kind: 'incident', sourceId: incident.id, incident, omits: OMITS }
}

function ownSourceLists(get: FieldReader): { url: string | null; publisher: string; published_at: null }[] {
  if (get('source_publishers') === '') return []
  const urls = get('source_urls').split(LIST_SEPARATOR)
  return get('source_publishers')
    .split(LIST_SEPARATOR)
    .map((publisher, index) => ({ url: urls[index]?.trim() || null, publisher: publisher.trim(), published_at: null }))
}

/** The columns of our own CSV, and the row's id in its source. */
export const FIELDS = [...CSV_COLUMNS, 'source_id'] as const
export type Field = (typeof FIELDS)[number]

/** Returns trimmed text; empty if the row lacks the field. */
export type FieldReader = (field: Field) => string

const IGNORED = '-'
const ANY_COLUMN = '*'

export type ColumnMap = (column: string) => Field | 'ignored' | 'unknown'

const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name)

/** Maps columns by the map, then by name. A column is ignored only if the map says so. */
export function columnMap(map: ReadonlyMap<string, string> = new Map()): ColumnMap {
  const mapped = new Map([...map].map(([column, field]) => [columnName(column), field]))
  for (const [column, field] of map) {
    if (field === IGNORED) continue
    if (isField(field) && column !== ANY_COLUMN) continue
    const near = suggestNames(field, FIELDS)
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the fields are ${FIELDS.join(', ')}`
    throw new UnreadableFile(`--map ${column}=${field}: the field does not exist; ${hint}`)
  }
  return (column) => {
    const name = columnName(column)
    const field = mapped.get(name) ?? (isField(name) ? name : mapped.get(ANY_COLUMN))
    if (field === undefined) return 'unknown'
    return field === IGNORED ? 'ignored' : (field as Field)
  }
}

export function mappingHint(column: string): string {
  const near = suggestNames(columnName(column), FIELDS, 1)[0] ?? 'field'
  return `map it with --map "${column}=${near}", or ignore it with --map "${column}=-"`
}

const ANY_VALUE = '*'

/** Identify a row: one value for all would make one incident of the whole file. */
const NEVER_CONSTANT: readonly string[] = ['id', 'source_id']

const CHOICES: Readonly<Partial<Record<Field, readonly string[]>>> = {
  type: TYPE_NAMES,
  severity: SEVERITIES,
  precision: PRECISIONS,
  time_precision: TIME_PRECISIONS,
}

/** Throws `UnreadableFile` if a field does not exist, or cannot have a value that it is given. */
export function checkMapping({ values, constants }: Mapping): void {
  for (const [field, value] of constants) {
    checkValue(field, value, `--constant ${field}=${value}`)
    if (NEVER_CONSTANT.includes(field))
      throw new UnreadableFile(`--constant ${field}=${value}: every row would be the same incident`)
  }
  for (const [field, pairs] of values) {
    for (const [theirs, ours] of pairs) checkValue(field, ours, `--value ${field}:${theirs}=${ours}`)
  }
}

function checkValue(field: string, value: string, said: string): void {
  const unknownField = oneOf(FIELDS)(field)
  if (unknownField !== null) throw new UnreadableFile(`${said}: the field ${unknownField}`)
  const choices = CHOICES[field as Field]
  const fault = choices === undefined || value === '' ? null : oneOf(choices)(value)
  if (fault !== null) throw new UnreadableFile(`${said}: the value ${fault}`)
}

/** A reader of the mapped values over one of the file's own. */
export function mappedReader(get: FieldReader, { values, constants }: Mapping): FieldReader {
  if (values.size === 0 && constants.size === 0) return get
  return (field) => {
    const constant = constants.get(field)
    if (constant !== undefined) return constant
    const text = get(field)
    const pairs = values.get(field)
    return pairs === undefined ? text : (pairs.get(text.toLowerCase()) ?? pairs.get(ANY_VALUE) ?? text)
  }
}

export function constantFields({ constants }: Mapping): Field[] {
  return [...constants.keys()].filter(isField)
}
