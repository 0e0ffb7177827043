import type { Archive } from '../../../archive/archive.ts'
import type { ArchiveView } from '../../../archive/archive-view.ts'
import type { PreviewSource } from '../../../deliveries/explain.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { AnyFilter, Filter } from '../../../filter/filter/filter.ts'
import { matchesFields } from '../../../filter/filter/matches.ts'
import type { Steps } from '../../../lib/steps.ts'
import { survivingId } from '../../incidents/find.ts'

const INCIDENTS_PER_STEP = 25

export function previewSourceOf(archive: Archive, view: ArchiveView): PreviewSource {
  return {
    count: (filter, now) => countIncidents(archive, view, filter, now),
    newest: (filter, limit, now) => newestMatches(archive, view, filter, limit, now),
  }
}

function* countIncidents(archive: Archive, view: ArchiveView, filter: AnyFilter, now: number): Steps<number> {
  const { incidents } = filter
  if (incidents !== null) return followedIncidents(archive, filter, incidents, now).length
  return yield* view.count({ filter: { ...filter, incidents }, now })
}

/** As `newestIncidents`, also for a filter that follows incidents. */
export function* newestMatches(
  archive: Archive,
  view: ArchiveView,
  filter: AnyFilter,
  limit: number,
  now: number,
): Steps<Incident[]> {
  const { incidents } = filter
  if (incidents !== null) return followedIncidents(archive, filter, incidents, now).slice(0, limit)
  return yield* newestIncidents(view, { ...filter, incidents }, limit, now)
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
 * Those of a watch's few incidents that are public and match, newest first; each is looked up by
 * its id.
 */
function followedIncidents(archive: Archive, filter: AnyFilter, ids: readonly string[], now: number): Incident[] {
  const slots = new Set(ids.map((id) => archive.slotOf(survivingId(archive, id))))
  return [...slots]
    .filter((slot) => slot !== null)
    .filter((slot) => matchesFields(filter, archive.indexedFieldsOf(slot), now))
    .map((slot) => archive.incidentOf(slot))
    .sort((one, other) => (one.published_at! < other.published_at! ? 1 : -1))
}
