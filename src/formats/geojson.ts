import type { Incident } from '../domain/incident.ts'
import { flattenIncident } from './flatten.ts'

/**
 * Writes a feature (RFC 7946). Its properties are the flat CSV columns, because map software shows
 * nested values as text, and repeat the id, because much software drops a feature's id.
 */
export function geojsonFeature(incident: Incident): string {
  const { lat, lng, ...properties } = flattenIncident(incident)
  const geometry = { type: 'Point', coordinates: [lng, lat] }
  return JSON.stringify({ type: 'Feature', id: incident.id, geometry, properties })
}
