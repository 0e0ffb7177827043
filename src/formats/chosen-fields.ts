import type { Incident } from '../domain/incident.ts'
import { type FormatName, type IncidentField, pickFields } from '../filter/listing.ts'
import { csvRecordOf } from './csv.ts'
import { CSV_COLUMNS, type CsvColumn } from './csv-columns.ts'
import { geojsonFeatureOf } from './geojson.ts'
import { LAYOUTS, type Layout } from './layouts.ts'

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
