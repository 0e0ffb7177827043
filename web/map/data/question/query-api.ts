import { nearRoute, routeOf } from '../../../../src/query/filter/route.ts'
import { api } from '../../api.ts'
import { type Road, routeMember } from '../../view/near-and-road.ts'

/**
 * Asks for a list or for statistics; along a road with a POST, since a query string holds no line.
 * Throws an `ApiError`, or the abort's own error once `signal` is aborted.
 */
export function queryApi<Body>(
  path: '/v1/incidents' | '/v1/stats',
  query: URLSearchParams,
  road: Road | null,
  signal?: AbortSignal,
): Promise<Body> {
  if (road === null) return api.getJson<Body>(path, query, signal)
  return api.postJson<Body>(`${path}/query`, { ...Object.fromEntries(query), route: routeMember(road) }, signal)
}

/** Whether an incident that arrives is one of the road's; always true without a road. */
export function isNearRoad(road: Road | null, lat: number, lng: number): boolean {
  return road === null || nearRoute(routeOf(Float64Array.from(road.line.flat()), road.bufferKm), lat, lng)
}
