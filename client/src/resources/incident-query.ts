import type { IncidentQuery as IncidentQueryBody, ListIncidentsQuery } from '../generated/types.ts'

/** Which incidents to list: all given filters must hold. `polygon` and `route` are GeoJSON, sent as a body. */
export type IncidentQuery = Omit<ListIncidentsQuery, 'format'> & Pick<IncidentQueryBody, 'polygon' | 'route'>

/** A query string cannot hold a shape. */
export function needsBody(query: { readonly polygon?: unknown; readonly route?: unknown }): boolean {
  return query.polygon !== undefined || query.route !== undefined
}
