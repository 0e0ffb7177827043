import type { Incident } from '../domain/incident.ts'
import type { CsvColumn } from './csv-columns.ts'
import { flattenIncident } from './flatten.ts'

/**
 * Writes a feature (RFC 7946). Its properties are the flat CSV columns, because map software shows
 * nested values as text, and repeat the id, because much software drops a feature's id.
 */
export function geojsonFeature(incident: Incident): string {
  const { lat, lng, ...properties } = flattenIncident(incident)
  return featureText(incident.id, lng, lat, properties)
}

/** Writes a feature with some of the columns; `lat` and `lng` are its geometry in any case. */
export function geojsonFeatureOf(incident: Incident, columns: readonly CsvColumn[]): string {
  const { lat, lng, ...all } = flattenIncident(incident)
  const properties = Object.entries(all).filter(([name]) => columns.includes(name as CsvColumn))
  return featureText(incident.id, lng, lat, Object.fromEntries(properties))
}

function featureText(id: string, lng: unknown, lat: unknown, properties: object): string {
  const geometry = { type: 'Point', coordinates: [lng, lat] }
  return JSON.stringify({ type: 'Feature', id, geometry, properties })
}
