import type { Incident } from './incident.ts'

/**
 * Restores the order of the wire, because clients receive the bytes of the stored document.
 * Members without a value are left out.
 */
export function orderIncidentFields(incident: Incident): Incident {
  const { location, casualties, casualties_reported: reported, occurred_until } = incident
  const { dataset, attribution, merged_into } = incident
  return {
    id: incident.id,
    type: incident.type,
    category: incident.category,
    severity: incident.severity,
    state: incident.state,
    lga: incident.lga,
    lat: incident.lat,
    lng: incident.lng,
    location: {
      place: location.place,
      precision: location.precision,
      radius_km: location.radius_km,
      state_code: location.state_code,
      lga_code: location.lga_code,
      lga_basis: location.lga_basis,
    },
    confidence: incident.confidence,
    confidence_reasons: incident.confidence_reasons.map(({ reason, value, weight }) => ({ reason, value, weight })),
    summary: incident.summary,
    sources: incident.sources.map(({ url, publisher, published_at }) => ({ url, publisher, published_at })),
    ...(dataset === undefined ? {} : { dataset }),
    ...(attribution === undefined ? {} : { attribution }),
    casualties: { killed: casualties.killed, injured: casualties.injured, abducted: casualties.abducted },
    ...(reported === undefined
      ? {}
      : {
          casualties_reported: reported.map(({ source, killed, injured, abducted }) => ({
            source,
            killed,
            injured,
            abducted,
          })),
        }),
    occurred_at: incident.occurred_at,
    ...(occurred_until === undefined ? {} : { occurred_until }),
    time_precision: incident.time_precision,
    reported_at: incident.reported_at,
    confirmed_at: incident.confirmed_at,
    published_at: incident.published_at,
    updated_at: incident.updated_at,
    status: incident.status,
    version: incident.version,
    ...(merged_into === undefined ? {} : { merged_into }),
  }
}
