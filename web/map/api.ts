import { createApiClient } from './api-client.ts'
import { initialData, newestKnownSeq } from './initial-data.ts'
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
  if (members === null) return api.getJson<Body>(path, withKnownSeq(query), signal)
  return api.postJson<Body>(`${path}/query`, { ...Object.fromEntries(query), ...members }, signal)
}

/** A cache on the way has an answer for each number: all pages that know as much share one. */
function withKnownSeq(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query, ['min_seq', String(newestKnownSeq())]])
}

/** The address of a tile as of the newest event that this page knows of. */
export function tileAddress(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}min_seq=${newestKnownSeq()}`
}
