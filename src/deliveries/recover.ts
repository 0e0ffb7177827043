import { newIdentifier } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import { messageContent } from '../domain/message-content.ts'
import type { Watch, WatchEvent } from '../domain/watch.ts'
import { indexedFieldsOf, type LiveFilter } from '../filter/filter.ts'
import { randomBytes } from '../lib/runtime.ts'
import type { EventLog, LogEvent, NewDelivery, Store } from '../store/store.ts'
import { matchesEvent } from './earlier-versions.ts'

const DELIVERY_BATCH = 1000
/** The incidents of a batch are parsed in one turn of the event loop. */
const EVENT_BATCH = 250

interface RecoveredCounts {
  /** Deliveries on their way already; left as they are. */
  readonly pending: number
  /** Failed deliveries, due again. */
  readonly failed: number
  /** Events that had no delivery. */
  readonly missed: number
}

/** Each batch is committed with its count, so that a request repeated after a crash adds up. */
interface RecoveryWrites {
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
  const pending = await store.deliveries.countPending(watch.accountId, watch.id, since)
  let { failed = 0, missed = 0 } = counted
  for (let count = DELIVERY_BATCH; count === DELIVERY_BATCH; failed += count) {
    count = await storeCounting('failed').deliveries.recover(watch.accountId, watch.id, since, now, DELIVERY_BATCH)
  }
  let seq = Math.max(watch.createdSeq, await lastSeqBefore(since, store.events))
  for (;;) {
    const events = await store.events.after(seq, EVENT_BATCH)
    const watched = await watchedEvents(events, watch, filter, store)
    // The store skips events for which the watch has a delivery already.
    missed += await storeCounting('missed').deliveries.add(
      watched.map((event) => deliveryOf(event, watch, now)),
      now,
    )
    if (events.length < EVENT_BATCH) return { pending, failed, missed }
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

type WatchedEvent = { readonly seq: number; readonly kind: WatchEvent; readonly incident: Incident }

/** The events that the watch should have been sent and that are still true. */
async function watchedEvents(
  events: readonly LogEvent[],
  watch: Watch,
  filter: LiveFilter,
  store: Store,
): Promise<WatchedEvent[]> {
  const found: WatchedEvent[] = []
  for (const event of events) {
    const kind = watch.events.find((each) => each === event.kind)
    if (kind === undefined) continue
    const incident = JSON.parse(event.document) as Incident
    if (await matchesEvent(filter, event, indexedFieldsOf(incident), store))
      found.push({ seq: event.seq, kind, incident })
  }
  if (found.length === 0) return found
  const ids = [...new Set(found.map(({ incident }) => incident.id))]
  const status = new Map((await store.incidents.current(ids)).map((current) => [current.id, current.status]))
  return found.filter(({ kind, incident }) => messageContent(kind, status.get(incident.id) ?? null) !== null)
}

function deliveryOf({ seq, kind, incident }: WatchedEvent, watch: Watch, now: number): NewDelivery {
  const id = newIdentifier('delivery', now, randomBytes)
  const { severity } = incident
  const delivery = { id, watchId: watch.id, eventSeq: seq, kind, critical: severity === 'critical' }
  return watch.schedule === null ? delivery : { ...delivery, severity }
}

const BATCH = 1000
/** A lease that began before a watch was resumed may park a delivery after it; it ends sooner. */
const RESUME_SETTLES_MS = 60_000
const WATCHES_PER_RUN = 100
/** Any parked delivery is due after this, and no other. */
const FAR_FUTURE = Date.UTC(9000, 0)

/** Makes every pending delivery of the watch due at once. Returns how many were not yet. */
export function retryPending(watch: Pick<Watch, 'id' | 'accountId'>, store: Store, now: number): Promise<number> {
  return makeDueInBatches(watch, store, now, now)
}

/** Makes the rest due of what was parked while watches were paused: a crash may have left some. */
export async function finishResuming(store: Store, now: number): Promise<void> {
  for (const watch of await store.watches.resuming(now - RESUME_SETTLES_MS, WATCHES_PER_RUN)) {
    await makeDueInBatches(watch, store, FAR_FUTURE, now)
    await store.watches.finishResuming(watch)
  }
}

/** Short transactions: a watch may have 100,000 pending, and others write meanwhile. */
async function makeDueInBatches(
  { id, accountId }: Pick<Watch, 'id' | 'accountId'>,
  { deliveries }: Store,
  dueAfter: number,
  now: number,
): Promise<number> {
  let count = 0
  for (let afterSeq: number | null = 0; afterSeq !== null; ) {
    const { due, lastSeq } = await deliveries.makeDue(accountId, id, afterSeq, dueAfter, now, BATCH)
    count += due
    afterSeq = lastSeq
  }
  return count
}
