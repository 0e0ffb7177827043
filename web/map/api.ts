import { createApiClient } from './api-client.ts'
import { initialData } from './initial-data.ts'
import { type Shapes, shapeMembers } from './view/shapes.ts'

/** Uses the publishable key that the server has put into the page. */
export const api = createApiClient(initialData.key)

/**
 * Asks for a list or for statistics; along a road or in a drawn area with a POST, since a query
 * string holds neither. Throws an `ApiError`, or the abort's own error once `signal` is aborted.
 */
export function queryApi<Body>(
  path: '/v1/incidents' | '/v1/stats',
  query: URLSearchParams,
  shapes: Shapes,
  signal?: AbortSignal,
): Promise<Body> {
  const members = shapeMembers(shapes)
  if (members === null) return api.getJson<Body>(path, query, signal)
  return api.postJson<Body>(`${path}/query`, { ...Object.fromEntries(query), ...members }, signal)
}
