import type { Archive } from '../../../archive/archive.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { Filter, LiveFilter } from '../../../query/filter/filter.ts'
import type { PreviewSource } from '../../../webhooks/preview.ts'

export function previewSourceOf(archive: Archive): PreviewSource {
  return {
    count: (filter, now) => archive.count({ filter, now }),
    newest: (filter, limit, now) => newestIncidents(archive, filter, limit, now),
  }
}

/** Newest first. */
export function newestIncidents(archive: Archive, filter: Filter, limit: number, now: number): Incident[] {
  const { slots } = archive.findPage({ filter, order: 'newest', limit, after: null, now })
  return slots.map((slot) => archive.incidentOf(slot))
}

/** The newest match as JSON, or a made-up incident if none matches. */
export function sampleIncidentFor(filter: LiveFilter, archive: Archive, now: number): string {
  const [newest] = newestIncidents(archive, filter, 1, now)
  return JSON.stringify(newest ?? SAMPLE)
}

const SAMPLE: Incident = {
  id: `inc_${'0'.repeat(26)}`,
  type: 'protest',
  category: 'civil_unrest',
  severity: 'low',
  state: 'Federal Capital Territory',
  lga: null,
  lat: 9.0579,
  lng: 7.4951,
  location: {
    place: null,
    precision: 'state',
    radius_km: 50,
    state_code: 'NG-FC',
    lga_code: null,
    lga_basis: null,
  },
  confidence: 0,
  confidence_reasons: [],
  summary: 'A made-up incident, to test an endpoint with.',
  sources: [],
  casualties: { killed: null, injured: null, abducted: null },
  occurred_at: '2026-01-01T00:00:00Z',
  time_precision: 'day',
  reported_at: '2026-01-01T00:00:00Z',
  confirmed_at: '2026-01-01T00:00:00Z',
  published_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  status: 'confirmed',
  version: 1,
}
