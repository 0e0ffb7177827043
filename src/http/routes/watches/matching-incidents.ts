import type { ArchiveView } from '../../../archive/snapshots/archive-view.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { Steps } from '../../../lib/async/steps.ts'
import type { Filter } from '../../../query/filter/filter.ts'
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
