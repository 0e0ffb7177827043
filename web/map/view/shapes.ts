import { nearRoute, routeOf } from '../../../src/filter/shapes.ts'
import { isInArea, polygonOf } from './drawn-area.ts'
import { routeMember } from './near-and-road.ts'
import type { View } from './view.ts'

/** The parts of a view that a query string cannot hold. */
export type Shapes = Pick<View, 'road' | 'polygon'>

/** The shapes as members of a body; null if there are none. */
export function shapeMembers({ road, polygon }: Shapes): object | null {
  if (road === null && polygon === null) return null
  return { ...(road && { route: routeMember(road) }), ...(polygon && { polygon: polygonOf(polygon) }) }
}

/**
 * Whether an incident that arrives is one of the road's and of the area's; always true without
 * them.
 */
export function isInShapes({ road, polygon }: Shapes, lat: number, lng: number): boolean {
  return (
    (road === null || nearRoute(routeOf(Float64Array.from(road.line.flat()), road.bufferKm), lat, lng)) &&
    (polygon === null || isInArea(polygon, lat, lng))
  )
}
