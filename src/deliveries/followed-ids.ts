import type { Incident } from '../domain/incident.ts'
import type { EventLog, Incidents, LogEvent } from '../store/store.ts'

/** Where merges are recorded. */
export interface MergeSources {
  readonly incidents: Pick<Incidents, 'history' | 'current'>
  readonly events: Pick<EventLog, 'ofIncident'>
}

/** An id by which an incident is followed, from the event with this `seq` on. */
export interface FollowedId {
  readonly id: string
  readonly after: number
}

/** Events of a merged incident that are looked through for its merge. */
const MAX_EVENTS = 50
/** More are not followed on: hundreds of public incidents are not one. */
const MAX_IDS = 100

/**
 * Returns the ids by which an incident is followed: its own, and those of public incidents that
 * were merged into it, however many merges lie between. A merge that was undone still counts:
 * whoever was told of this incident is told of its corrections.
 */
export async function followedIds(incidentId: string, { incidents, events }: MergeSources): Promise<FollowedId[]> {
  const found = new Map([[incidentId, 0]])
  // A map's iteration visits what is added meanwhile.
  for (const [into, after] of found) {
    if (found.size >= MAX_IDS) break
    const history = await incidents.history(into)
    const absorbed = history.flatMap(({ step, other }) => (step === 'absorb' && other !== null ? [other] : []))
    const unknown = [...new Set(absorbed)].filter((id) => !found.has(id))
    if (unknown.length === 0) continue
    for (const { id, document } of await incidents.current(unknown)) {
      // Most are reports that were never public, and nobody can follow them.
      if ((JSON.parse(document) as Incident).published_at === null) continue
      const merge = (await events.ofIncident(id, MAX_EVENTS)).findLast((event) => mergedInto(event) === into)
      if (merge !== undefined) found.set(id, Math.max(after, merge.seq))
    }
  }
  return Array.from(found, ([id, after]) => ({ id, after }))
}

/** Returns the ids by which the incident was followed at an event; a new one has only its own. */
export async function idsOfEvent(
  event: Pick<LogEvent, 'incidentId' | 'kind' | 'seq'>,
  sources: MergeSources,
): Promise<string[]> {
  const { incidentId, kind } = event
  return kind === 'incident.created' ? [incidentId] : idsAt(await followedIds(incidentId, sources), event)
}

/** The ids that counted when the event was written. */
export function idsAt(ids: readonly FollowedId[], { seq }: Pick<LogEvent, 'seq'>): string[] {
  return ids.filter(({ after }) => after < seq).map(({ id }) => id)
}

function mergedInto({ kind, document }: LogEvent): string | null {
  return kind === 'incident.retracted' ? ((JSON.parse(document) as Incident).merged_into ?? null) : null
}
