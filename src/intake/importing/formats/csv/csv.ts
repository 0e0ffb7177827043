import { isIdentifier } from '../../../../domain/identifier.ts'
import { REQUIRED_COLUMNS } from '../../../../formats/csv-columns.ts'
import { unescapeFormula } from '../../../../formats/escape-formula.ts'
import { columnMap, type Field, type FieldReader, mappingHint } from '../column-map.ts'
import { readFlatIncident } from '../flat-incident.ts'
import { readFlatReport } from '../flat-report.ts'
import { type Format, UnreadableFile } from '../format.ts'
import { columnName } from './find-columns.ts'
import { tableFormat } from './table-format.ts'

/** Our own columns or mapped ones. Complete incidents of this service stay unchanged. */
export const csv: Format = tableFormat((header, { now, map }) => {
  const places = placesOf(header, map)
  const complete = REQUIRED_COLUMNS.every((column) => places.has(column))
  return (cells) => {
    const get: FieldReader = (field) => {
      const place = places.get(field)
      return place === undefined ? '' : cells[place]!.trim()
    }
    const ours = complete && isIdentifier('incident', get('id'))
    return ours ? readFlatIncident((field) => unescapeFormula(get(field)), now) : readFlatReport('csv', get, now)
  }
})

function placesOf(header: readonly string[], map: ReadonlyMap<string, string> | undefined): ReadonlyMap<Field, number> {
  const fieldOf = columnMap(map)
  const names = new Set(['*', ...header.map(columnName)])
  for (const column of map?.keys() ?? []) {
    if (!names.has(columnName(column))) throw new UnreadableFile(`--map: the file has no column "${column}"`)
  }
  const places = new Map<Field, number>()
  for (const [place, column] of header.entries()) {
    if (column.trim() === '') continue
    const field = fieldOf(column)
    if (field === 'ignored') continue
    if (field === 'unknown') throw new UnreadableFile(`the column "${column}" is not known: ${mappingHint(column)}`)
    if (places.has(field)) throw new UnreadableFile(`two columns are mapped to ${field}`)
    places.set(field, place)
  }
  const missing = (['type', 'occurred_at'] as const).filter((field) => !places.has(field)).map(String)
  const placement =
    (places.has('lat') && places.has('lng')) ||
    (['state', 'state_code', 'place'] as const).some((field) => places.has(field))
  if (!placement) missing.push('a place (lat and lng, state or place)')
  if (missing.length > 0)
    throw new UnreadableFile(`the file lacks ${missing.join(', ')}; --map column=field maps foreign columns`)
  return places
}
