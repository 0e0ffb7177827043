import type { Incident } from '../domain/incident.ts'
import { FORMATS, type FormatName } from '../filter/listing.ts'
import { CSV_HEADER, csvRecord } from './csv.ts'
import { csvRecordFromJson } from './csv-from-json.ts'
import { geojsonFeature } from './geojson.ts'

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
