import type { Incident } from '../../src/domain/incident.ts'
import { categoryOf } from '../../src/domain/taxonomy.ts'

const START = Date.UTC(2026, 0, 1)

/** Returns a public incident that is determined by the number, with the given changes. */
export function anIncident(number = 1, changes: Partial<Incident> = {}): Incident {
  const publishedAt = changes.published_at ?? new Date(START + number * 60_000).toISOString()
  const type = changes.type ?? 'kidnapping'
  return {
    id: incidentId(number),
    type,
    category: categoryOf(type),
    severity: 'high',
    state: 'Kaduna',
    lga: 'Chikun',
    lat: 10.4512,
    lng: 7.3391,
    location: {
      place: 'Gonin Gora',
      precision: 'settlement',
      radius_km: 3,
      state_code: 'NG-KD',
      lga_code: 'NG-KD-CHIKUN',
      lga_basis: 'reported',
    },
    confidence: 0.82,
    confidence_reasons: [{ reason: 'independent_sources', value: 3, weight: 0.31 }],
    summary: 'Gunmen abducted eleven people near Gonin Gora.',
    sources: [{ url: 'https://example.org/1', publisher: 'Example Daily', published_at: publishedAt }],
    casualties: { killed: null, injured: 2, abducted: 11 },
    occurred_at: publishedAt,
    time_precision: 'hour',
    reported_at: publishedAt,
    confirmed_at: publishedAt,
    published_at: publishedAt,
    updated_at: publishedAt,
    status: 'confirmed',
    version: 1,
    ...changes,
  }
}

export function incidentId(number: number): string {
  return `inc_${number.toString().padStart(26, '0')}`
}
