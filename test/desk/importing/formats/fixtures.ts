import type { Format, Open, ReadOptions, Row } from '../../../../src/desk/importing/formats/format.ts'
import type { Incident } from '../../../../src/domain/incident.ts'
import { CSV_COLUMNS } from '../../../../src/formats/csv.ts'
import { anIncident } from '../../../support/incident.ts'

export type Cells = Record<string, string | number>

const quoted = (cell: string | number): string =>
  /[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell)

/** CSV text with the columns of the first row. */
export function csvOf(rows: readonly Cells[], newline = '\r\n'): string {
  const columns = Object.keys(rows[0]!)
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','))
  return [columns.map(quoted).join(','), ...lines, ''].join(newline)
}

export function ucdpRow(changes: Cells = {}): Cells {
  return {
    id: 900001,
    relid: 'NIG-2031-9-1-1',
    year: 2021,
    type_of_violence: 1,
    conflict_name: 'Nigeria: Made up',
    dyad_name: 'Government of Nigeria - IS',
    side_a: 'Government of Nigeria',
    side_b: 'IS',
    number_of_sources: 2,
    source_article: '"Example Wire,2021-03-05,A title; with a semicolon"',
    source_office: 'Example Wire;Example Daily',
    source_date: '2021-03-05;2021-03-06',
    source_headline: 'A title;Another, "quoted"',
    where_prec: 1,
    where_coordinates: 'Madeup town',
    where_description: 'Madeup town, near the market',
    adm_1: 'Borno state',
    adm_2: 'Gwoza lga',
    latitude: 11.25,
    longitude: 13.5,
    country: 'Nigeria',
    event_clarity: 1,
    date_prec: 1,
    date_start: '2021-03-04 00:00:00.000',
    date_end: '2021-03-04 00:00:00.000',
    deaths_a: 1,
    deaths_b: 4,
    deaths_civilians: 0,
    deaths_unknown: 0,
    best: 5,
    high: 7,
    low: 5,
    ...changes,
  }
}

export function acledRow(changes: Cells = {}): Cells {
  return {
    event_id_cnty: 'NIG99001',
    event_date: '04 March 2021',
    year: 2021,
    time_precision: 1,
    disorder_type: 'Political violence',
    event_type: 'Violence against civilians',
    sub_event_type: 'Attack',
    actor1: 'Example Communal Militia (Nigeria)',
    assoc_actor_1: '',
    inter1: 4,
    actor2: 'Civilians (Nigeria)',
    assoc_actor_2: '',
    iso: 566,
    country: 'Nigeria',
    admin1: 'Kaduna',
    admin2: 'Chikun',
    admin3: '',
    location: 'Madeup',
    latitude: 10.45,
    longitude: 7.33,
    geo_precision: 1,
    source: 'Example Daily (Nigeria); Example Wire',
    source_scale: 'National',
    notes: 'On 4 March 2021, something was made up in Madeup. 3 fatalities. [size=no report]',
    fatalities: 3,
    ...changes,
  }
}

/** A row with the columns of a report. */
export function plainRow(changes: Cells = {}): Cells {
  return {
    source_id: 'acme:17',
    type: 'kidnapping',
    occurred_at: '2024-05-01',
    state: 'Kaduna',
    place: 'Madeup',
    ...changes,
  }
}

/** An incident as a row of the exported CSV. */
export function ownRow(incident: Incident): Cells {
  const { location, casualties, sources, confidence_reasons: _, ...rest } = incident
  const all: Record<string, unknown> = {
    ...rest,
    ...location,
    ...casualties,
    source_urls: sources.map(({ url }) => url ?? '').join('|'),
    source_publishers: sources.map(({ publisher }) => publisher).join('|'),
  }
  return Object.fromEntries(CSV_COLUMNS.map((column) => [column, (all[column] ?? '') as string | number]))
}

export function featureOf(incident: Incident): object {
  const { id, lat, lng, ...properties } = incident
  return { type: 'Feature', id, geometry: { type: 'Point', coordinates: [lng, lat] }, properties }
}

export function foreignFeature(properties: object = {}, coordinates: unknown = [7.33, 10.45]): object {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: { source_id: 'acme:17', type: 'kidnapping', occurred_at: '2024-05-01', ...properties },
  }
}

export function collectionOf(features: readonly object[]): string {
  return JSON.stringify({ type: 'FeatureCollection', name: 'a "features": [ in a name', features, has_more: false })
}

export function ndjsonOf(incidents: readonly unknown[]): string {
  return incidents.map((incident) => `${JSON.stringify(incident)}\n`).join('')
}

export function incidents(count: number): Incident[] {
  return Array.from({ length: count }, (_, index) =>
    anIncident(index + 1, { summary: `Number ${index + 1}: ₦500, “quoted”, {braces}, "features": [\\.` }),
  )
}

export const NOW = Date.UTC(2026, 10, 15)

export type Content = string | Uint8Array

/** A file in memory, cut into chunks of these lengths, the last of which is repeated. */
export function openOf(content: Content, lengths: readonly number[] = [65_536]): Open {
  const bytes = Buffer.from(content)
  return async function* (offset) {
    for (let at = offset, chunk = 0; at < bytes.length; chunk++) {
      const length = Math.max(1, lengths[Math.min(chunk, lengths.length - 1)]!)
      yield bytes.subarray(at, at + length)
      at += length
    }
  }
}

export async function rowsOf(
  format: Format,
  content: Content,
  options: Partial<ReadOptions> = {},
  lengths?: readonly number[],
): Promise<Row[]> {
  return Array.fromAsync(format.read(openOf(content, lengths), { now: NOW, ...options }))
}

/** The one row of a file with one row. */
export async function rowOf(format: Format, content: Content, options: Partial<ReadOptions> = {}): Promise<Row> {
  const rows = await rowsOf(format, content, options)
  if (rows.length !== 1) throw new Error(`${rows.length} rows, not 1`)
  return rows[0]!
}

export function reportIn(row: Row) {
  if (row.kind !== 'report') throw new Error(`no report: ${JSON.stringify(row)}`)
  return row
}

export function reasonIn(row: Row): string {
  if (row.kind !== 'rejected') throw new Error(`not rejected: ${JSON.stringify(row)}`)
  return row.reason
}

/** Describes each row in short: its number, and the reason if it was rejected. */
export function outcomes(rows: readonly Row[]): string[] {
  return rows.map((row) =>
    row.kind === 'rejected' ? `${row.row} rejected: ${row.reason}` : `${row.row} ${row.sourceId}`,
  )
}

interface LineValues {
  readonly id: string
  readonly name: string
  readonly others: string
  readonly lat: string
  readonly lng: string
  readonly code: string
  readonly population: string
}

/** A line in the layout of GeoNames. */
export function aLine(changes: Partial<LineValues> = {}): string {
  const defaults = { id: '1', name: 'Gwandu', others: '', lat: '12.49', lng: '4.64', code: 'P.PPL', population: '0' }
  const { id, name, others, lat, lng, code, population } = { ...defaults, ...changes }
  const cells = [id, name, name, others, lat, lng, ...code.split('.'), 'NG', '', '', '', '', '', population]
  return [...cells, '', '', 'Africa/Lagos', ''].join('\t')
}
