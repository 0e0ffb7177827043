import type { EventLog, LogEvent } from '../store/store.ts'
import type { Archive } from './archive.ts'
import type { RecentEvents } from './recent-events.ts'

/**
 * The events after `seq` that this node has taken in, in order, at most `limit`. From memory where they are recent, else
 * from the log, which keeps all of them. Null for a position that the log has not reached.
 */
export async function changesAfter(
  archive: Archive,
  recent: RecentEvents,
  log: () => Pick<EventLog, 'after' | 'head'>,
  seq: number,
  limit: number,
): Promise<readonly LogEvent[] | null> {
  const head = archive.head.seq
  // Another node may be ahead of this one, and have told the client of events that are still to arrive here.
  if (seq > head) return seq <= (await log().head()).seq ? [] : null
  const events = recent.after(seq, limit) ?? (await log().after(seq, limit))
  return events.filter((event) => event.seq <= head)
}
