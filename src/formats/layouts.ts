import type { Incident } from '../domain/incident.ts'
import { FORMATS, type FormatName, type IncidentField, pickFields } from '../filter/listing.ts'
import {
  CSV_COLUMNS,
  CSV_HEADER,
  type CsvColumn,
  csvRecord,
  csvRecordFromJson,
  csvRecordOf,
  flattenIncident,
} from './csv.ts'

/** A list in a format: head, incidents with a separator between them, tail. */
export interface Layout {
  readonly name: string
  readonly contentType: string
  readonly head: Uint8Array
  readonly separator: Uint8Array
  /** Written after every incident, including the last. */
  readonly ending: Uint8Array
  /** `members` are further members of the JSON object around the list; JSON only. */
  tail(members: string): string
  /** Null to write the stored JSON bytes unchanged. */
  readonly write: ((incident: Incident) => string) | null
  /**
   * Writes the same from the stored JSON where that is quicker, bytes as characters (latin1) on
   * both sides. Returns null for a document that has to be parsed.
   */
  readonly writeFromJson?: (json: string) => string | null
}

const NOTHING = Buffer.alloc(0)
const COMMA = Buffer.from(',')
const closed = (members: string) => `]${members && `,${members}`}}`

export const LAYOUTS: Readonly<Record<FormatName, Layout>> = {
  json: {
    name: 'json',
    contentType: `${FORMATS.json}; charset=utf-8`,
    head: Buffer.from('{"data":['),
    separator: COMMA,
    ending: NOTHING,
    tail: closed,
    write: null,
  },
  geojson: {
    name: 'geojson',
    contentType: FORMATS.geojson,
    head: Buffer.from('{"type":"FeatureCollection","features":['),
    separator: COMMA,
    ending: NOTHING,
    tail: closed,
    write: geojsonFeature,
  },
  csv: {
    name: 'csv',
    contentType: `${FORMATS.csv}; charset=utf-8; header=present`,
    head: Buffer.from(`${CSV_HEADER}\r\n`),
    separator: NOTHING,
    ending: Buffer.from('\r\n'),
    tail: () => '',
    write: csvRecord,
    writeFromJson: csvRecordFromJson,
  },
  ndjson: {
    name: 'ndjson',
    contentType: FORMATS.ndjson,
    head: NOTHING,
    separator: NOTHING,
    ending: Buffer.from('\n'),
    tail: () => '',
    write: null,
  },
}

/** The columns that a member becomes where its name is not a column itself. */
const COLUMNS_OF: Partial<Record<IncidentField, readonly CsvColumn[]>> = {
  location: ['place', 'precision', 'radius_km', 'state_code', 'lga_code', 'lga_basis'],
  casualties: ['killed', 'injured', 'abducted'],
  sources: ['source_urls', 'source_publishers'],
  // No column has them.
  confidence_reasons: [],
}

/** The layout of a list whose incidents have only some members; null for all. */
export function layoutOf(format: FormatName, fields: readonly IncidentField[] | null): Layout {
  const layout = LAYOUTS[format]
  if (fields === null) return layout
  const columns = columnsOf(fields)
  const name = `${layout.name} ${fields.join()}`
  switch (format) {
    case 'csv':
      return {
        ...layout,
        name,
        head: Buffer.from(`${columns.join()}\r\n`),
        write: (each) => csvRecordOf(each, columns),
      }
    case 'geojson':
      return { ...layout, name, write: (each) => geojsonFeatureOf(each, columns) }
    default:
      return { ...layout, name, write: (each: Incident) => JSON.stringify(pickFields(each, fields)) }
  }
}

function columnsOf(fields: readonly IncidentField[]): readonly CsvColumn[] {
  const wanted = new Set<string>(fields.flatMap((field): readonly string[] => COLUMNS_OF[field] ?? [field]))
  return CSV_COLUMNS.filter((column) => wanted.has(column))
}

/**
 * Writes a feature (RFC 7946). Its properties are the flat CSV columns, because map software shows
 * nested values as text, and repeat the id, because much software drops a feature's id.
 */
export function geojsonFeature(incident: Incident): string {
  const { lat, lng, ...properties } = flattenIncident(incident)
  return featureText(incident.id, lng, lat, properties)
}

/** Writes a feature with some of the columns; `lat` and `lng` are its geometry in any case. */
export function geojsonFeatureOf(incident: Incident, columns: readonly CsvColumn[]): string {
  const { lat, lng, ...all } = flattenIncident(incident)
  const properties = Object.entries(all).filter(([name]) => columns.includes(name as CsvColumn))
  return featureText(incident.id, lng, lat, Object.fromEntries(properties))
}

function featureText(id: string, lng: unknown, lat: unknown, properties: object): string {
  const geometry = { type: 'Point', coordinates: [lng, lat] }
  return JSON.stringify({ type: 'Feature', id, geometry, properties })
}
