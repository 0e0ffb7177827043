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
