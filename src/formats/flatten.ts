import type { Incident } from '../domain/incident.ts'
import { type CsvColumn, LIST_SEPARATOR } from './csv-columns.ts'

export type FlatIncident = Readonly<Record<CsvColumn, string | number | null>>

/** Flattens for tables and maps; omits confidence reasons and sources' publication times. */
export function flattenIncident(incident: Incident): FlatIncident {
  const { location, casualties, sources } = incident
  return {
    id: incident.id,
    type: incident.type,
    category: incident.category,
    severity: incident.severity,
    state: incident.state,
    lga: incident.lga,
    lat: incident.lat,
    lng: incident.lng,
    place: location.place,
    precision: location.precision,
    radius_km: location.radius_km,
    state_code: location.state_code,
    lga_code: location.lga_code,
    lga_basis: location.lga_basis,
    confidence: incident.confidence,
    summary: incident.summary,
    killed: casualties.killed,
    injured: casualties.injured,
    abducted: casualties.abducted,
    occurred_at: incident.occurred_at,
    time_precision: incident.time_precision,
    reported_at: incident.reported_at,
    confirmed_at: incident.confirmed_at,
    published_at: incident.published_at,
    updated_at: incident.updated_at,
    status: incident.status,
    version: incident.version,
    source_urls: sources.map(({ url }) => url?.replaceAll(LIST_SEPARATOR, '%7C') ?? '').join(LIST_SEPARATOR),
    // A separator inside a name would shift all later names against their URLs.
    source_publishers: sources.map(({ publisher }) => publisher.replaceAll(LIST_SEPARATOR, '/')).join(LIST_SEPARATOR),
    occurred_until: incident.occurred_until ?? null,
    casualties_reported: incident.casualties_reported ? JSON.stringify(incident.casualties_reported) : null,
    dataset: incident.dataset ?? null,
    attribution: incident.attribution ?? null,
  }
}
