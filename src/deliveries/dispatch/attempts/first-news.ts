import type { Delivery } from '../../../domain/delivery.ts'
import { AT_ANY_TIME, type Deliveries, type EventLog } from '../../../store/store.ts'
import type { MessagePart } from './message-attempts.ts'

/** Events of an incident that are looked at. Of one with more, somebody may have been told. */
const MAX_EVENTS = 100
/**
 * Younger deliveries are kept: what is not there was not told. A day less than they are kept for.
 */
const KEPT_MS = 29 * 86_400_000

export interface DeliveriesAndEvents {
  readonly events: Pick<EventLog, 'ofIncident'>
  readonly deliveries: Pick<Deliveries, 'list'>
}

/**
 * Of incidents that were retracted, returns the deliveries that are the first their watch would
 * tell: the incident came into the filter by a correction. Nobody has to be told of its retraction.
 */
export async function firstNewsOf(
  parts: readonly MessagePart[],
  store: DeliveriesAndEvents,
  now: number,
): Promise<ReadonlySet<MessagePart>> {
  const found = new Set<MessagePart>()
  for (const group of Map.groupBy(parts, ({ event }) => event.incidentId).values()) {
    if (!group.some((part) => deliveryOf(part).kind === 'incident.retracted' && part.document !== null)) continue
    for (const ofWatch of Map.groupBy(group, (part) => deliveryOf(part).watchId).values()) {
      const first = ofWatch.reduce((one, other) =>
        deliveryOf(other).eventSeq < deliveryOf(one).eventSeq ? other : one,
      )
      if (deliveryOf(first).kind !== 'incident.created' && !(await mayHaveBeenTold(first, store, now))) found.add(first)
    }
  }
  return found
}

async function mayHaveBeenTold(
  { queued: { dispatch }, event }: MessagePart,
  { events, deliveries }: DeliveriesAndEvents,
  now: number,
): Promise<boolean> {
  const log = await events.ofIncident(event.incidentId, MAX_EVENTS)
  const earlier = log.filter(({ seq }) => seq < event.seq)
  if (log.length === MAX_EVENTS || earlier.some(({ at }) => at < now - KEPT_MS)) return true
  const isRetraction = dispatch.delivery.kind === 'incident.retracted'
  if (earlier.length === 0) return isRetraction
  const logged = await deliveries.list(dispatch.accountId, {
    watchIds: [dispatch.delivery.watchId],
    status: null,
    kind: null,
    eventSeqs: earlier.map(({ seq }) => seq),
    afterSeq: 0,
    tests: AT_ANY_TIME,
    before: null,
    limit: MAX_EVENTS,
  })
  // A retraction follows something: only what was cancelled before it was not told.
  if (isRetraction && logged.length === 0) return true
  return logged.some(({ delivery }) => !delivery.test && delivery.attempts > 0)
}

function deliveryOf({ queued }: MessagePart): Delivery {
  return queued.dispatch.delivery
}
