import type { ArchiveView } from '../archive/archive.ts'
import { CasualtySums, type CasualtyTotals } from '../archive/columns/casualty-column.ts'
import type { Places } from '../domain/places.ts'
import { SEVERITIES, type Severity } from '../domain/taxonomy.ts'
import type { Filter } from '../filter/filter.ts'
import type { Listing } from '../filter/listing.ts'
import type { Box } from '../lib/geometry.ts'
import type { Steps } from '../lib/steps.ts'
import { listingFor } from './map/newest.ts'

interface ShownView {
  readonly listing: Listing
  readonly filter: Filter
  /** The extent of the map; null for the states of the filter, or all of Nigeria. */
  readonly box: Box | null
}

/** Reads a map address. Parts that cannot be read are corrected or left out, as on the map. */
export function readShownView(address: URLSearchParams, places: Places, now: number): ShownView {
  const { listing } = listingFor(address, places, now)
  return { listing, filter: listing.filter, box: listing.filter.box ?? cameraBox(address.get('at')) }
}

/** Half the width and height of a desktop's map, in pixels. */
const [HALF_WIDTH, HALF_HEIGHT] = [500, 380]

/** `at=zoom/lat/lng` is the camera of the map: returns about what a desktop shows there. */
function cameraBox(text: string | null): Box | null {
  const [zoom, lat, lng] = (text ?? '').split('/', 4).map((part) => (part === '' ? Number.NaN : Number(part)))
  if (zoom === undefined || lat === undefined || lng === undefined) return null
  if (!(zoom >= 4 && zoom <= 22 && Math.abs(lat) <= 80 && Math.abs(lng) <= 170)) return null
  const degreesPerPixel = 360 / (512 * 2 ** zoom)
  const [width, height] = [
    HALF_WIDTH * degreesPerPixel,
    HALF_HEIGHT * degreesPerPixel * Math.cos((lat * Math.PI) / 180),
  ]
  return { west: lng - width, east: lng + width, south: lat - height, north: lat + height }
}

export interface Figures {
  readonly total: CasualtyTotals
  readonly bySeverity: Readonly<Record<Severity, number>>
}

/** Counts the incidents of a view and sums their casualties. */
export function* findFigures(view: ArchiveView, filter: Filter, now: number): Steps<Figures> {
  const { values, sums } = yield* view.aggregate({ groups: ['severity'], filter, now, periods: [] })
  const total = new CasualtySums(1)
  const bySeverity = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>
  for (const [index, severity] of values[0].entries()) {
    total.addBucket(0, sums, index)
    bySeverity[severity as Severity] = sums.at(index).count
  }
  return { total: total.at(0), bySeverity }
}
