import type { Incident } from '../domain/incident.ts'
import { retractionOf } from '../domain/message-content.ts'
import type { WatchEvent } from '../domain/watch.ts'

/** JSON text of the made-up incident of a test message. */
export function sampleDocument(event: WatchEvent): string {
  if (event !== 'incident.retracted') return JSON.stringify(SAMPLE_INCIDENT)
  return JSON.stringify(retractionOf({ ...SAMPLE_INCIDENT, status: 'retracted', version: 2 }))
}

export const SAMPLE_INCIDENT: Incident = {
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
