import type { Incident } from '../domain/incident.ts'
import { flattenIncident } from './flatten.ts'

/**
 * A geojsonFeature of RFC 7946. Its properties are the columns of the CSV, flat, because map software shows what lies deeper as
 * text at best; the id stands there once more, because much of it drops a geojsonFeature's own.
 */
export function geojsonFeature(incident: Incident): string {
  const { lat, lng, ...properties } = flattenIncident(incident)
  const geometry = { type: 'Point', coordinates: [lng, lat] }
  return JSON.stringify({ type: 'Feature', id: incident.id, geometry, properties })
}
