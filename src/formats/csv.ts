import type { Incident } from '../domain/incident.ts'

export const CSV_COLUMNS = [
  'id',
  'type',
  'category',
  'severity',
  'state',
  'lga',
  'lat',
  'lng',
  'place',
  'precision',
  'radius_km',
  'state_code',
  'lga_code',
  'lga_basis',
  'confidence',
  'summary',
  'killed',
  'injured',
  'abducted',
  'occurred_at',
  'time_precision',
  'reported_at',
  'confirmed_at',
  'published_at',
  'updated_at',
  'status',
  'version',
  'source_urls',
  'source_publishers',
  'occurred_until',
  'casualties_reported',
  'dataset',
  'attribution',
] as const
export type CsvColumn = (typeof CSV_COLUMNS)[number]

/** Separates the entries of `source_urls` and `source_publishers`. */
export const LIST_SEPARATOR = '|'

/** Files written before these columns existed lack them. */
const LATER_COLUMNS: readonly CsvColumn[] = ['occurred_until', 'casualties_reported', 'dataset', 'attribution']
export const REQUIRED_COLUMNS = CSV_COLUMNS.filter((column) => !LATER_COLUMNS.includes(column))

export type FlatIncident = Readonly<Record<CsvColumn, string | number | null>>

/** Flattens for tables and maps; omits confidence reasons and sources' publication times. */
export function flattenIncident(incident: Incident): FlatIncident {
  const { location, casualties, sources } = incident
  return {
    id: incident.id,
    type: incident.type,
    category: incident.category,
    severity: incident.severity,
    state: incident.state,
    lga: incident.lga,
    lat: incident.lat,
    lng: incident.lng,
    place: location.place,
    precision: location.precision,
    radius_km: location.radius_km,
    state_code: location.state_code,
    lga_code: location.lga_code,
    lga_basis: location.lga_basis,
    confidence: incident.confidence,
    summary: incident.summary,
    killed: casualties.killed,
    injured: casualties.injured,
    abducted: casualties.abducted,
    occurred_at: incident.occurred_at,
    time_precision: incident.time_precision,
    reported_at: incident.reported_at,
    confirmed_at: incident.confirmed_at,
    published_at: incident.published_at,
    updated_at: incident.updated_at,
    status: incident.status,
    version: incident.version,
    source_urls: sources.map(({ url }) => url?.replaceAll(LIST_SEPARATOR, '%7C') ?? '').join(LIST_SEPARATOR),
    // A separator inside a name would shift all later names against their URLs.
    source_publishers: sources.map(({ publisher }) => publisher.replaceAll(LIST_SEPARATOR, '/')).join(LIST_SEPARATOR),
    occurred_until: incident.occurred_until ?? null,
    casualties_reported: incident.casualties_reported ? JSON.stringify(incident.casualties_reported) : null,
    dataset: incident.dataset ?? null,
    attribution: incident.attribution ?? null,
  }
}

const TO_QUOTE = /[",\r\n]/
/** Matches cells to quote or escape: one test suffices for most cells of a row. */
const NEEDS_ESCAPING = /^['=+\-@\t]|[",\r\n]/

export const CSV_HEADER = CSV_COLUMNS.join(',')

/** Writes a record of RFC 4180 without its line break. Unknown values are empty. */
export function csvRecord(incident: Incident): string {
  return csvRecordOf(incident, CSV_COLUMNS)
}

/** Writes a record with some of the columns. */
export function csvRecordOf(incident: Incident, columns: readonly CsvColumn[]): string {
  const flat = flattenIncident(incident)
  let record = csvCell(flat[columns[0]!])
  for (let index = 1; index < columns.length; index++) record += `,${csvCell(flat[columns[index]!])}`
  return record
}

/** A number is never a formula, although it may begin with a minus. */
export function csvCell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  if (!NEEDS_ESCAPING.test(value)) return value
  const text = escapeFormula(value)
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text that a spreadsheet would read as a formula, or that looks like an escaped one. */
const FORMULA = /^'*[=+\-@\t\r]/
const ESCAPED = /^'+[=+\-@\t\r]/

/**
 * Prefixes a text that a spreadsheet would run (`=HYPERLINK(…)`) with an apostrophe. A text that
 * looks escaped is escaped again, so that `unescapeFormula` always restores the original.
 */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

export function unescapeFormula(text: string): string {
  return ESCAPED.test(text) ? text.slice(1) : text
}

/** Without escapes, so that no quote is inside a string. */
const TEXT = String.raw`"([^"\\]*)"`
const TEXT_OR_NULL = `(?:null|${TEXT})`
/** A word that needs no escaping in a cell. */
const WORD = String.raw`"([A-Za-z][\w-]*)"`
const WORD_OR_NULL = `(?:null|${WORD})`
const TIME = String.raw`"(\d[\dT:.Z-]*)"`
const TIME_OR_NULL = `(?:null|${TIME})`
/** As JavaScript writes it: up to 15 digits are the same when they are read and written again. */
const NUMBER = String.raw`((?!-0[^.])-?\d{1,7}(?:\.\d{0,7}[1-9])?)`
const NUMBER_OR_NULL = `(?:null|${NUMBER})`

/** An incident's JSON as the store writes it: no spaces, members in the order of `Incident`. */
const DOCUMENT = new RegExp(
  String.raw`^\{"id":${WORD},"type":${WORD},"category":${WORD},"severity":${WORD},"state":${TEXT},"lga":${TEXT_OR_NULL},` +
    String.raw`"lat":${NUMBER},"lng":${NUMBER},"location":\{"place":${TEXT_OR_NULL},"precision":${WORD},` +
    String.raw`"radius_km":${NUMBER_OR_NULL},"state_code":${WORD},"lga_code":${WORD_OR_NULL},"lga_basis":${WORD_OR_NULL}\},` +
    String.raw`"confidence":${NUMBER},"confidence_reasons":\[[^\\]*?\],"summary":${TEXT},"sources":\[([^\\]*?)\]` +
    String.raw`(?:,"dataset":${TEXT})?(?:,"attribution":${TEXT})?,"casualties":\{"killed":${NUMBER_OR_NULL},` +
    String.raw`"injured":${NUMBER_OR_NULL},"abducted":${NUMBER_OR_NULL}\}(?:,"casualties_reported":(\[[^\\]*?\]))?,` +
    `"occurred_at":${TIME}(?:,"occurred_until":${TIME})?,"time_precision":${WORD},"reported_at":${TIME},` +
    `"confirmed_at":${TIME_OR_NULL},"published_at":${TIME_OR_NULL},"updated_at":${TIME},"status":${WORD},` +
    String.raw`"version":${NUMBER}(?:,"merged_into":${WORD})?\}$`,
)
const SOURCE = new RegExp(
  String.raw`\{"url":${TEXT_OR_NULL},"publisher":${TEXT},"published_at":(?:null|"[^"\\]*")\}(?:,(?=\{)|$)`,
  'y',
)
/** A text that a spreadsheet takes for a formula begins with none of these. */
const PLAIN_START = /^[A-Za-z0-9[\x80-\xff]/

/**
 * Writes the record of `csvRecord` from an incident's JSON without parsing it. The bytes of the
 * JSON are the characters of `json` (latin1), and those of the record the bytes of the CSV. Null
 * for a document in another form and for one with escapes, which have to be parsed.
 */
export function csvRecordFromJson(json: string): string | null {
  const found = DOCUMENT.exec(json)
  if (found === null) return null
  const sources = sourceCells(found[17]!)
  if (sources === null) return null
  const [, id, type, category, severity, state, lga, lat, lng, place, precision, radius, stateCode] = found
  const [lgaCode, lgaBasis, confidence, summary] = [found[13], found[14], found[15], found[16]!]
  const reported = found[23] === undefined ? '' : csvCell(found[23])
  return (
    `${id},${type},${category},${severity},${textCell(state)},${textCell(lga)},${lat},${lng},${textCell(place)},` +
    `${precision},${radius ?? ''},${stateCode},${lgaCode ?? ''},${lgaBasis ?? ''},${confidence},${textCell(summary)},` +
    `${found[20] ?? ''},${found[21] ?? ''},${found[22] ?? ''},${found[24]},${found[26]},${found[27]},` +
    `${found[28] ?? ''},${found[29] ?? ''},${found[30]},${found[31]},${found[32]},${sources},${found[25] ?? ''},` +
    `${reported},${textCell(found[18])},${textCell(found[19])}`
  )
}

/** The cells with the addresses and the publishers; null if `list` has another form. */
function sourceCells(list: string): string | null {
  let [urls, publishers] = ['', '']
  for (let at = 0; at < list.length; at = SOURCE.lastIndex) {
    SOURCE.lastIndex = at
    const found = SOURCE.exec(list)
    if (found === null) return null
    if (at > 0) {
      urls += LIST_SEPARATOR
      publishers += LIST_SEPARATOR
    }
    urls += (found[1] ?? '').replaceAll(LIST_SEPARATOR, '%7C')
    publishers += found[2]!.replaceAll(LIST_SEPARATOR, '/')
  }
  return `${textCell(urls)},${textCell(publishers)}`
}

/** Quotes and line breaks are escaped in JSON: only a comma and a formula are left to be found. */
function textCell(text: string | undefined): string {
  if (text === undefined || (PLAIN_START.test(text) && !text.includes(','))) return text ?? ''
  return csvCell(text)
}
