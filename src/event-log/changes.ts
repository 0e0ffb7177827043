import type { Archive } from '../archive/archive.ts'
import type { EventLog, LogEvent } from '../store/store.ts'
import type { RecentEvents } from './recent-events.ts'

/** A position that nobody can go on from: the log has not come so far, or a restore has lost it. */
export type UnknownPosition = { readonly notReached: number } | { readonly lostSince: number }

/**
 * The events after `seq` that this node has taken in, in order, at most `limit`. From memory where they are recent, else
 * from the log, which keeps all of them.
 */
export async function changesAfter(
  archive: Archive,
  recent: RecentEvents,
  log: () => Pick<EventLog, 'after' | 'head' | 'lastBeforeGap'>,
  seq: number,
  limit: number,
): Promise<readonly LogEvent[] | UnknownPosition> {
  const head = archive.head.seq
  // Another node may be ahead of this one, and have told the client of events that are still to arrive here.
  if (seq > head) return seq <= (await log().head()).seq ? [] : { notReached: head }
  const events = recent.after(seq, limit) ?? (await log().after(seq, limit))
  if (seq < head && events[0]?.seq !== seq + 1) {
    const since = await log().lastBeforeGap(seq)
    if (since !== null) return { lostSince: since }
  }
  return events.filter((event) => event.seq <= head)
}

/**
 * A change as JSON, with the incident's document as the log has it. The log remembers what was retracted; the world is told only of
 * what stands.
 */
export function changeJson(
  archive: Pick<Archive, 'slotOf'>,
  { seq, kind, at, incidentId, document }: LogEvent,
): string {
  const incident = archive.slotOf(incidentId) === null ? 'null' : document
  const about = JSON.stringify({ seq, event: kind, at: new Date(at).toISOString(), incident_id: incidentId })
  return `${about.slice(0, -1)},"incident":${incident}}`
}
