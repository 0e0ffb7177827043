import { cellBox } from '../filter/cell-grid.ts'
import type { FieldConditions } from '../filter/filter/filter.ts'
import type { Region } from '../filter/filter/region.ts'
import { type Box, boxesIntersect, distanceKm, isInBox } from '../lib/geometry/geometry.ts'
import { isInRing, type Ring } from '../lib/geometry/ring.ts'

/**
 * A polygon with more edges is not held against cells: a start with many such watches would take
 * longer.
 */
const MAX_EDGES = 200
/** Great circles are computed with errors far below a millimetre. */
const CERTAIN = 1 - 1e-9

type Corner = readonly [lat: number, lng: number]

/**
 * Whether every point of the cell surely lies in all areas of the filter, so that nobody has to ask
 * for a point. Not a statement about the filter's other conditions.
 */
export function coversCell({ box, circle, region, route, sites }: FieldConditions, cell: number): boolean {
  // A route reaches over whole cells only with a buffer wider than most; sites are many small
  // circles.
  if (route !== null || sites !== null) return false
  const area = cellBox(cell)
  if (area === null) return false
  const corners: Corner[] = [
    [area.south, area.west],
    [area.south, area.east],
    [area.north, area.west],
    [area.north, area.east],
  ]
  return (
    (box === null || corners.every(([lat, lng]) => isInBox(box, lat, lng))) &&
    // The point of the cell that is farthest from any other is a corner.
    (circle === null ||
      corners.every(([lat, lng]) => distanceKm(circle.lat, circle.lng, lat, lng) <= circle.radiusKm * CERTAIN)) &&
    (region === null || containsBox(region, area))
  )
}

/** False also if an edge only comes near the box: then points are asked for. */
function containsBox({ polygons, box }: Region, area: Box): boolean {
  if (!isInBox(box, area.south, area.west) || !isInBox(box, area.north, area.east)) return false
  return polygons.some(
    ([outer, ...holes]) =>
      isInRing(outer!, area.south, area.west) &&
      !comesNear(outer!, area) &&
      !holes.some((hole) => isInRing(hole, area.south, area.west) || comesNear(hole, area)),
  )
}

function comesNear(ring: Ring, area: Box): boolean {
  if (ring.length > 2 * MAX_EDGES) return true
  for (let at = 2; at < ring.length; at += 2) {
    const [fromLng, fromLat, toLng, toLat] = [ring[at - 2]!, ring[at - 1]!, ring[at]!, ring[at + 1]!]
    const edge: Box = {
      west: Math.min(fromLng, toLng),
      south: Math.min(fromLat, toLat),
      east: Math.max(fromLng, toLng),
      north: Math.max(fromLat, toLat),
    }
    if (boxesIntersect(edge, area)) return true
  }
  return false
}
