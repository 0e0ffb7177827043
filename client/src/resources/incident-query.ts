import type { IncidentQuery as IncidentQueryBody, ListIncidentsQuery } from '../generated/types.ts'

/**
 * The incidents to list: all given filters must hold. `polygon` and `route` are GeoJSON, sent as
 * a body.
 */
export type IncidentQuery = Omit<ListIncidentsQuery, 'format' | 'fields'> &
  Pick<IncidentQueryBody, 'polygon' | 'route'> & {
    /** With `fields`, the incidents have these members only: see `ChosenFields`. */
    readonly fields?: undefined
  }

/** A query string cannot hold a shape. */
export function needsBody(query: { readonly polygon?: unknown; readonly route?: unknown }): boolean {
  return query.polygon !== undefined || query.route !== undefined
}
