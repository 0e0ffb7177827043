import type { Cluster } from '../../archive/aggregate/tiles.ts'
import type { ArchiveView } from '../../archive/archive-view.ts'
import { latAt, lngAt, MERCATOR_BITS, mercatorX, mercatorY } from '../../archive/columns/web-mercator.ts'
import type { IncidentType, Severity } from '../../domain/taxonomy.ts'
import type { Filter } from '../../filter/filter.ts'
import type { Tile } from '../../filter/tile.ts'
import type { Box } from '../../lib/geometry.ts'
import type { Steps } from '../../lib/steps.ts'
import { durationMs } from '../../lib/time.ts'

/** Positions in shares of the world. */
export type Mark =
  | {
      readonly kind: 'cluster'
      readonly x: number
      readonly y: number
      readonly count: number
      /** From least to worst. */
      readonly bySeverity: readonly number[]
      /** The true extent of its incidents, in degrees. */
      readonly extent: Box
    }
  | {
      readonly kind: 'incident'
      readonly x: number
      readonly y: number
      readonly id: string
      readonly severity: Severity
      readonly type: IncidentType
      readonly state: string
    }

const WORLD = 2 ** MERCATOR_BITS

/** Finds the marks in the tiles that the box touches. */
export function* findMarks(
  view: ArchiveView,
  filter: Filter,
  now: number,
  box: Box,
  zoom: number,
): Steps<{ readonly marks: Mark[]; readonly validUntil: number }> {
  const marks: Mark[] = []
  let oldest = Number.POSITIVE_INFINITY
  for (const tile of tilesIn(box, zoom)) {
    const content = yield* view.tileContent({ filter, now, tile })
    oldest = Math.min(oldest, content.oldest ?? oldest)
    marks.push(...content.clusters.map(clusterMark), ...content.singles.map((slot) => incidentMark(view, slot)))
  }
  // From north to south, so that those who step through the links cross the map once.
  marks.sort((one, other) => one.y - other.y)
  return { marks, validUntil: filter.since === null ? Number.POSITIVE_INFINITY : oldest + durationMs(filter.since) }
}

function tilesIn({ west, south, east, north }: Box, z: number): Tile[] {
  const shift = MERCATOR_BITS - z
  const tiles: Tile[] = []
  for (let y = mercatorY(north) >> shift; y <= mercatorY(south) >> shift; y++)
    for (let x = mercatorX(west) >> shift; x <= mercatorX(east) >> shift; x++) tiles.push({ z, x, y })
  return tiles
}

function clusterMark({ x, y, count, bySeverity, west, north, east, south }: Cluster): Mark {
  const extent = { west: lngAt(west), south: latAt(south + 1), east: lngAt(east + 1), north: latAt(north) }
  return { kind: 'cluster', x: x / WORLD, y: y / WORLD, count, bySeverity, extent }
}

function incidentMark(view: ArchiveView, slot: number): Mark {
  const { lat, lng, severity, type, state } = view.indexedFieldsOf(slot)
  const [x, y] = [mercatorX(lng) / WORLD, mercatorY(lat) / WORLD]
  return { kind: 'incident', x, y, id: view.idOf(slot), severity, type, state }
}
