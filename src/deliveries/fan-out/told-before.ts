import type { Deliveries, EventLog, LogEvent } from '../../store/store.ts'
import type { WatchIndex } from './watch-index.ts'

/** Of an incident with more, the watches that told only of the first ones are not found. */
const MAX_EVENTS = 100
/**
 * A change does not see events that others are about to commit, and these may be matched before it
 * is.
 */
const UNSEEN_EVENTS = 10_000
/**
 * Deliveries are kept for 30 days after their end, which retries and pauses may delay: older events
 * have none.
 */
const OLDEST_MS = 90 * 86_400_000
/** Watches in one query: others wait for the database meanwhile. */
const BATCH = 1000

export interface ToldSources {
  readonly events: Pick<EventLog, 'ofIncident'>
  readonly deliveries: Pick<Deliveries, 'told'>
}

/**
 * Returns the watches that told of the incident before the event by a filter that they no longer
 * have: a correction reaches whoever was told. Usually no filter was changed since the incident,
 * and the deliveries are not asked.
 */
export async function toldByEarlierFilter(
  { incidentId, seq, kind, at }: Pick<LogEvent, 'incidentId' | 'seq' | 'kind' | 'at'>,
  index: Pick<WatchIndex, 'hasChangedFilters' | 'changedSince'>,
  { events, deliveries }: ToldSources,
): Promise<string[]> {
  if (kind === 'incident.created' || !index.hasChangedFilters) return []
  const earlier = (await events.ofIncident(incidentId, MAX_EVENTS))
    .filter((each) => each.seq < seq && each.at > at - OLDEST_MS)
    .map((each) => each.seq)
  const first = earlier.at(-1)
  if (first === undefined) return []
  const changed = index.changedSince(first - UNSEEN_EVENTS)
  const told: string[] = []
  for (let from = 0; from < changed.length; from += BATCH)
    told.push(...(await deliveries.told(earlier, changed.slice(from, from + BATCH))))
  return told
}
