import type { PlaceKind } from '../../domain/found-place.ts'
import type { Locate } from '../locating/locate.ts'
import type { NamedPlace } from './gazetteer.ts'

const COLUMNS = 19
/** Feature codes of GeoNames, by how they begin; the first that fits. Others are left out. */
const KINDS: readonly (readonly [code: RegExp, kind: PlaceKind])[] = [
  [/^P\.PPL(?!H|Q|W)/, 'settlement'],
  [/^V\.FRST|^L\.RESF|^L\.RESV|^L\.PRK|^L\.RESW/, 'forest'],
  [/^H\.(STM|CRK)/, 'river'],
  [/^H\.(LK|LGN|RSV)/, 'lake'],
  [/^T\.(MT|MTS|HLL|HLLS)$/, 'mountain'],
  [/^S\.MKT/, 'market'],
  [/^S\.(CMP|INSM)|^L\.MILB/, 'camp'],
  [/^R\.(RD|HWY)/, 'road'],
]

export interface GeoNamesReading {
  readonly places: NamedPlace[]
  /** Lines without the 19 columns or without a point, and points outside Nigeria. */
  readonly rejected: number
  /** Lines of kinds that are no place of this gazetteer. */
  readonly left: number
}

/** Reads a country dump of GeoNames: tab-separated, 19 columns, no header. */
export function readGeoNames(text: string, locate: Locate): GeoNamesReading {
  const places: NamedPlace[] = []
  let rejected = 0
  let left = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const cells = line.replace(/\r$/, '').split('\t')
    const [, name = '', , others = '', latText = '', lngText = '', featureClass, code] = cells
    const lat = Number(latText)
    const lng = Number(lngText)
    const located = latText === '' || lngText === '' ? null : locate(lat, lng)
    if (cells.length !== COLUMNS || name === '' || located?.kind !== 'located') {
      rejected++
      continue
    }
    const kind = KINDS.find(([pattern]) => pattern.test(`${featureClass}.${code}`))?.[1]
    if (kind === undefined) {
      left++
      continue
    }
    const { state, lga } = located
    const population = Math.max(0, Number(cells[14]) || 0)
    places.push({ name, lat, lng, state, lga, population, kind, others: others === '' ? [] : others.split(',') })
  }
  return { places, rejected, left }
}
