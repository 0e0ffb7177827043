import type { PlaceKind } from '../../domain/places.ts'
import { nameKey } from '../../geo/name-key.ts'
import {
  fault,
  leftOut,
  MAX_NAME_LENGTH,
  type ParsedPlaceRow,
  placeIdentity,
  pointFault,
  readPopulation,
  usableAliases,
} from './parsed-place.ts'

const COLUMNS = 19
/** Feature codes of GeoNames, by how they begin; the first that fits. Others are left out. */
const KINDS: readonly (readonly [code: RegExp, kind: PlaceKind])[] = [
  [/^P\.PPL(?!H|Q|W)/, 'settlement'],
  [/^V\.FRST|^L\.RES[FVW]|^L\.PRK/, 'forest'],
  [/^H\.(STM|CRK)/, 'river'],
  [/^H\.(LK|LGN|RSV)/, 'lake'],
  [/^T\.(MT|MTS|HLL|HLLS)$/, 'mountain'],
  [/^S\.MKT/, 'market'],
  [/^S\.(CMP|INSM)|^L\.MILB/, 'camp'],
  [/^R\.(RD|HWY)/, 'road'],
]

/** A line of a country dump of GeoNames: tab-separated, 19 columns, no header. */
export function parseGeoNamesLine(line: string): ParsedPlaceRow {
  const cells = line.split('\t')
  if (cells.length !== COLUMNS)
    return fault(`has ${cells.length} columns, separated by tabs; a GeoNames dump has ${COLUMNS}`)
  const [id = '', name = '', , others = '', latText = '', lngText = '', featureClass, code] = cells
  if (!/^\d{0,12}$/.test(id)) return fault(`the first column must be the number of the place, not "${id.slice(0, 40)}"`)
  const lat = latText === '' ? Number.NaN : Number(latText)
  const lng = lngText === '' ? Number.NaN : Number(lngText)
  const wrong = pointFault(lat, lng)
  if (wrong !== null) return fault(wrong)
  const kind = KINDS.find(([pattern]) => pattern.test(`${featureClass}.${code}`))?.[1]
  if (kind === undefined) return leftOut('kind')
  if (nameKey(name) === '') return leftOut('unnamed')
  if (name.length > MAX_NAME_LENGTH) return fault(`the name is longer than ${MAX_NAME_LENGTH} characters`)
  return {
    kind: 'place',
    // Files in the layout of GeoNames may have places that GeoNames has not.
    sourceId: id === '' ? placeIdentity(kind, name, lat, lng) : id,
    name,
    aliases: usableAliases(name, others.split(',')),
    placeKind: kind,
    lat,
    lng,
    population: readPopulation(cells[14]),
    radiusKm: null,
  }
}
