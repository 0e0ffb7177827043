import type { ArchiveView } from '../../../archive/snapshots/archive-view.ts'
import { retractionOf } from '../../../domain/delivery/message-content.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { WatchEvent } from '../../../domain/watch.ts'
import type { Steps } from '../../../lib/async/steps.ts'
import type { Filter, LiveFilter } from '../../../query/filter/filter.ts'
import type { PreviewSource } from '../../../webhooks/preview.ts'

const INCIDENTS_PER_STEP = 25

export function previewSourceOf(view: ArchiveView): PreviewSource {
  return {
    count: (filter, now) => view.count({ filter, now }),
    newest: (filter, limit, now) => newestIncidents(view, filter, limit, now),
  }
}

/** Newest first. */
export function* newestIncidents(view: ArchiveView, filter: Filter, limit: number, now: number): Steps<Incident[]> {
  const { slots } = yield* view.findPage({ filter, order: 'newest', limit, after: null, now })
  const incidents: Incident[] = []
  for (const slot of slots) {
    incidents.push(view.incidentOf(slot))
    if (incidents.length % INCIDENTS_PER_STEP === 0) yield
  }
  return incidents
}

/**
 * JSON text for a test message: the newest match, or a made-up incident if none matches. A retraction
 * is always of the made-up one: a receiver that ignores `test` must not remove a real incident.
 */
export function* sampleDocumentFor(
  event: WatchEvent,
  filter: LiveFilter,
  view: ArchiveView,
  now: number,
): Steps<string> {
  if (event === 'incident.retracted')
    return JSON.stringify(retractionOf({ ...SAMPLE, status: 'retracted', version: 2 }))
  const [newest] = yield* newestIncidents(view, filter, 1, now)
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
