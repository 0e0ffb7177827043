import { isIdentifier } from '../../../domain/identifier.ts'
import { REQUIRED_COLUMNS, unescapeFormula } from '../../../formats/csv.ts'
import {
  checkMapping,
  columnMap,
  constantFields,
  type Field,
  type FieldReader,
  mappedReader,
  mappingHint,
  readFlatIncident,
  readFlatReport,
} from './flat-rows.ts'
import { type Format, type Mapping, NO_MAPPING, UnreadableFile } from './format.ts'
import { columnName, tableFormat } from './tables.ts'

/** Our own columns or mapped ones. Complete incidents of this service stay unchanged. */
export const csv: Format = tableFormat((header, { now, mapping = NO_MAPPING }) => {
  checkMapping(mapping)
  const places = placesOf(header, mapping)
  const complete = REQUIRED_COLUMNS.every((column) => places.has(column))
  return (cells) => {
    const get: FieldReader = (field) => {
      const place = places.get(field)
      return place === undefined ? '' : cells[place]!.trim()
    }
    const ours = complete && isIdentifier('incident', get('id'))
    return ours
      ? readFlatIncident((field) => unescapeFormula(get(field)), now)
      : readFlatReport('csv', mappedReader(get, mapping), now)
  }
})

function placesOf(header: readonly string[], mapping: Mapping): ReadonlyMap<Field, number> {
  const fieldOf = columnMap(mapping.columns)
  const names = new Set(['*', ...header.map(columnName)])
  for (const column of mapping.columns.keys()) {
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
  const constants = constantFields(mapping)
  const twice = constants.find((field) => places.has(field))
  if (twice !== undefined)
    throw new UnreadableFile(
      `--constant ${twice}: the file has a column for ${twice}; ignore it with --map "${header[places.get(twice)!]}=-"`,
    )
  const unmapped = [...mapping.values.keys()].find((field) => !places.has(field as Field))
  if (unmapped !== undefined) throw new UnreadableFile(`--value ${unmapped}: the file has no column for ${unmapped}`)
  const isGiven = (field: Field) => places.has(field) || constants.includes(field)
  const missing = (['type', 'occurred_at'] as const).filter((field) => !isGiven(field)).map(String)
  const placement =
    (isGiven('lat') && isGiven('lng')) || (['state', 'state_code', 'place'] as const).some((field) => isGiven(field))
  if (!placement) missing.push('a place (lat and lng, state or place)')
  if (missing.length > 0)
    throw new UnreadableFile(
      `the file lacks ${missing.join(', ')}; --map column=field maps foreign columns, --constant field=value sets one for all rows`,
    )
  return places
}
