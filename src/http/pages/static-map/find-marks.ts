import { MERCATOR_BITS, mercatorX, mercatorY } from '../../../archive/columns/web-mercator.ts'
import type { ArchiveView } from '../../../archive/snapshots/archive-view.ts'
import { SEVERITIES, type Severity } from '../../../domain/taxonomy.ts'
import type { Steps } from '../../../lib/async/steps.ts'
import type { Filter } from '../../../query/filter/filter.ts'
import type { Tile } from '../../../query/tile.ts'
import type { Projection } from './projection.ts'

/** Positions in pixels of the picture. */
export interface Mark {
  readonly x: number
  readonly y: number
  readonly count: number
  /** The number of each severity, from least to worst. */
  readonly bySeverity: readonly number[]
}

const WORLD = 2 ** MERCATOR_BITS

/** Finds the marks of the picture: the clusters and single incidents of the tiles at its zoom. */
export function* findMarks(view: ArchiveView, filter: Filter, now: number, projection: Projection): Steps<Mark[]> {
  const marks: Mark[] = []
  for (const tile of tilesOf(projection)) {
    const { clusters, singles } = yield* view.tileContent({ filter, now, tile })
    for (const { x, y, count, bySeverity } of clusters) marks.push({ ...placed(x, y, projection), count, bySeverity })
    for (const slot of singles) {
      const { lat, lng, severity } = view.indexedFieldsOf(slot)
      marks.push({ ...placed(mercatorX(lng), mercatorY(lat), projection), count: 1, bySeverity: oneOf(severity) })
    }
  }
  return marks.filter(({ x, y }) => x > 0 && y > 0 && x < projection.width && y < projection.height)
}

function placed(x: number, y: number, projection: Projection): { x: number; y: number } {
  const [left, top] = projection.atShare(x / WORLD, y / WORLD)
  return { x: left, y: top }
}

function oneOf(severity: Severity): number[] {
  return SEVERITIES.map((one) => (one === severity ? 1 : 0))
}

/** At most some dozens: the zoom is chosen so that a tile has at least 512 pixels. */
function tilesOf({ shown: { west, north, east, south }, markZoom: z }: Projection): Tile[] {
  const shift = MERCATOR_BITS - z
  const tiles: Tile[] = []
  for (let y = mercatorY(north) >> shift; y <= mercatorY(south) >> shift; y++)
    for (let x = mercatorX(west) >> shift; x <= mercatorX(east) >> shift; x++) tiles.push({ z, x, y })
  return tiles
}
