import type { Archive } from '../archive/archive.ts'
import type { EventLog, LogEvent } from '../store/store.ts'
import type { RecentEvents } from './recent-events.ts'

/** Cannot be continued from: the log has not reached it, or a restore has lost it. */
export type UnknownPosition = { readonly notReached: number } | { readonly lostSince: number }

/** Returns up to `limit` applied events after `seq`, in order, from memory or else from the log. */
export async function changesAfter(
  archive: Archive,
  recent: RecentEvents,
  log: () => Pick<EventLog, 'after' | 'head' | 'lastBeforeGap'>,
  seq: number,
  limit: number,
): Promise<readonly LogEvent[] | UnknownPosition> {
  const head = archive.head.seq
  // Another node may be ahead and may have sent the client events that this one still lacks.
  if (seq > head) return seq <= (await log().head()).seq ? [] : { notReached: head }
  const events = recent.after(seq, limit) ?? (await log().after(seq, limit))
  if (seq < head && events[0]?.seq !== seq + 1) {
    const since = await log().lastBeforeGap(seq)
    if (since !== null) return { lostSince: since }
  }
  return events.filter((event) => event.seq <= head)
}

/**
 * Writes a change as JSON with the incident's document from the log. A retracted incident is
 * written as null: the log keeps its document, clients must not receive it. A change that took the
 * incident from the feed has none even if it is back, and says where a merged one went. `redacted`
 * is written only if it is true.
 */
export function changeJson(
  archive: Pick<Archive, 'slotOf' | 'mergedInto'>,
  { seq, kind, at, incidentId, document, redacted }: LogEvent,
): string {
  const isGone = kind === 'incident.retracted'
  const incident = isGone || archive.slotOf(incidentId) === null ? 'null' : document
  const into = isGone ? archive.mergedInto(incidentId) : null
  const about = JSON.stringify({ seq, event: kind, at: new Date(at).toISOString(), incident_id: incidentId, redacted })
  return `${about.slice(0, -1)},"incident":${incident}${into === null ? '' : `,"merged_into":"${into}"`}}`
}
