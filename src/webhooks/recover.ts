import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import type { Watch } from '../domain/watch.ts'
import type { LiveFilter } from '../query/filter/filter.ts'
import { matches } from '../query/filter/matches.ts'
import { indexedFieldsOf } from '../query/indexed-fields.ts'
import type { EventLog, LogEvent, NewDelivery, Store } from '../store/store.ts'

const BATCH = 1000

export interface Recovered {
  readonly failed: number
  readonly missed: number
}

/** Makes due again what failed since that time, and due for the first time what the watch was never told of. */
export async function recoverWatch(
  watch: Watch,
  filter: LiveFilter,
  since: number,
  store: Store,
  now: number,
): Promise<Recovered> {
  let failed = 0
  for (let some = BATCH; some === BATCH; failed += some) {
    some = await store.deliveries.recover(watch.accountId, watch.id, since, now, BATCH)
  }
  let missed = 0
  let seq = Math.max(watch.createdSeq, await lastBefore(since, store.events))
  for (;;) {
    const events = await store.events.after(seq, BATCH)
    const owed = events.flatMap((event) => owedOf(event, watch, filter, now))
    // Those that have a delivery already are left out by the store.
    missed += await store.deliveries.add(owed, now)
    if (events.length < BATCH) return { failed, missed }
    seq = events.at(-1)!.seq
  }
}

/** The last event committed before that time: events are in the order of time, so a few looks find it. */
export async function lastBefore(time: number, log: Pick<EventLog, 'after' | 'head'>): Promise<number> {
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

/** The delivery that the watch is owed for the event; none where it is not. */
function owedOf({ seq, kind, document, at }: LogEvent, watch: Watch, filter: LiveFilter, now: number): NewDelivery[] {
  const told = watch.events.find((event) => event === kind)
  if (told === undefined) return []
  const incident = JSON.parse(document) as Incident
  if (!matches(filter, indexedFieldsOf(incident), at)) return []
  const id = newIdentifier('delivery', now, randomBytes)
  return [{ id, watchId: watch.id, eventSeq: seq, kind: told, critical: incident.severity === 'critical' }]
}
