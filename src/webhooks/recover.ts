import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import type { Watch } from '../domain/watch.ts'
import type { LiveFilter } from '../query/filter/filter.ts'
import { matches } from '../query/filter/matches.ts'
import { indexedFieldsOf } from '../query/indexed-fields.ts'
import type { EventLog, LogEvent, NewDelivery, Store } from '../store/store.ts'

const BATCH = 1000

export interface RecoveredCounts {
  /** Failed deliveries, due again. */
  readonly failed: number
  /** Events that had no delivery. */
  readonly missed: number
}

/** Each batch is committed with its count, so that a request repeated after a crash adds up. */
export interface RecoveryWrites {
  readonly storeCounting: (name: keyof RecoveredCounts) => Pick<Store, 'deliveries'>
  /** The counts of an earlier run that ended in a crash. */
  readonly counted: Partial<RecoveredCounts>
}

/** Reschedules deliveries that failed since the time, and adds those that were never created. */
export async function recoverWatch(
  watch: Watch,
  filter: LiveFilter,
  since: number,
  store: Store,
  now: number,
  { storeCounting, counted }: RecoveryWrites = { storeCounting: () => store, counted: {} },
): Promise<RecoveredCounts> {
  let { failed = 0, missed = 0 } = counted
  for (let count = BATCH; count === BATCH; failed += count) {
    count = await storeCounting('failed').deliveries.recover(watch.accountId, watch.id, since, now, BATCH)
  }
  let seq = Math.max(watch.createdSeq, await lastSeqBefore(since, store.events))
  for (;;) {
    const events = await store.events.after(seq, BATCH)
    const deliveries = events.flatMap((event) => deliveryFor(event, watch, filter, now))
    // The store skips events for which the watch has a delivery already.
    missed += await storeCounting('missed').deliveries.add(deliveries, now)
    if (events.length < BATCH) return { failed, missed }
    seq = events.at(-1)!.seq
  }
}

/** The number of the last event committed before the time, by binary search. */
export async function lastSeqBefore(time: number, log: Pick<EventLog, 'after' | 'head'>): Promise<number> {
  let low = 0
  let high = (await log.head()).seq
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const [event] = await log.after(middle - 1, 1)
    if (event === undefined || event.at >= time) high = middle - 1
    else low = middle
  }
  return low
}

/** The event's delivery to the watch, as a list of one; empty if the watch does not match. */
function deliveryFor(
  { seq, kind, document, at }: LogEvent,
  watch: Watch,
  filter: LiveFilter,
  now: number,
): NewDelivery[] {
  const watched = watch.events.find((event) => event === kind)
  if (watched === undefined) return []
  const incident = JSON.parse(document) as Incident
  if (!matches(filter, indexedFieldsOf(incident), at)) return []
  const id = newIdentifier('delivery', now, randomBytes)
  return [{ id, watchId: watch.id, eventSeq: seq, kind: watched, critical: incident.severity === 'critical' }]
}
