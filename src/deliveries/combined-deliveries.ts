import type { Delivery } from '../domain/delivery.ts'
import { releaseAt } from '../domain/schedule.ts'
import { isMessenger } from '../domain/watch.ts'
import type { Deliveries, Dispatch, Store } from '../store/store.ts'
import type { MessageWatch } from './channels/alert.ts'
import { isSameReceiver } from './channels/target.ts'
import { deliveriesOfEvents } from './earlier-versions.ts'
import type { OutgoingMessage } from './messages.ts'
import type { QueuedDelivery } from './queues.ts'
import { addressOf } from './send/message.ts'

/** A delivery with what it says at this moment. */
export interface MessagePart extends OutgoingMessage {
  readonly queued: QueuedDelivery
}

type Scheduled = Pick<Dispatch, 'delivery' | 'endpoint'>

/**
 * Returns until when the watch's schedule holds the delivery; null if it may be sent. What was
 * written before the watch had a schedule is not held.
 */
export function heldUntil({ delivery, endpoint: { schedule } }: Scheduled, now: number): number | null {
  const { severity, createdAt } = delivery
  if (schedule === null || severity === null) return null
  const at = releaseAt(schedule, { severity, createdAt }, now)
  return at > now ? at : null
}

/** Whether all that is due for the watch is one message. Programs get one for each event. */
export function isDigest({ endpoint: { channel, schedule } }: Scheduled): boolean {
  return schedule !== null && isMessenger(channel)
}

/** Whether the message may be of several deliveries, of one watch or of one reader's. */
export function isCombined(dispatch: Scheduled): boolean {
  return dispatch.endpoint.sharesReceiver || isDigest(dispatch)
}

/** Watches in one message: a header line names each, and has 998 characters. */
export const MAX_WATCHES_TOGETHER = 12

/**
 * Adds the deliveries of the same events for other watches that the same person reads. Returns none
 * of those that are in another message by now.
 */
export async function withSameRecipient(
  held: readonly QueuedDelivery[],
  deliveries: Pick<Deliveries, 'findSameRecipient' | 'leaseForSameRecipient'>,
  owner: string,
  now: () => number,
  leaseMs: number,
): Promise<readonly QueuedDelivery[]> {
  const { delivery, endpoint } = held[0]!.dispatch
  const found = await deliveries.findSameRecipient(delivery.watchId, MAX_WATCHES_TOGETHER)
  const watchIds = found
    .filter(({ secrets }) => isSameReceiver(endpoint.channel, addressOf(endpoint.secrets), addressOf(secrets)))
    .map(({ watchId }) => watchId)
  if (watchIds.length < 2) return held
  const leases = held.map(({ dispatch: { delivery }, leasedUntil }) => {
    const { id, eventSeq } = delivery
    return { id, eventSeq, leasedUntil }
  })
  const at = now()
  const { dispatches, leasedUntil } = await deliveries.leaseForSameRecipient(owner, leases, watchIds, at, at + leaseMs)
  const wasLost = held.some((queued) => queued.wasLost)
  return dispatches.map((dispatch) => ({ dispatch, leasedUntil, wasLost }))
}

/** The watches that the message is for besides its own, by id. */
export function otherWatches({ delivery }: Dispatch, parts: readonly MessagePart[]): MessageWatch[] {
  const watches = new Map(parts.map(({ queued: { dispatch } }) => [dispatch.delivery.watchId, dispatch]))
  watches.delete(delivery.watchId)
  return [...watches]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([
        watchId,
        {
          delivery: { watchName },
          endpoint,
        },
      ]) => {
        return { watchId, watchName, target: addressOf(endpoint.secrets) }
      },
    )
}

/** Events of an incident that are looked at. If it has more, a message is assumed to be sent. */
const MAX_EVENTS = 100
/** A day less than deliveries are kept: a younger one that is missing was not told. */
const KEPT_MS = 29 * 86_400_000

type DeliveriesAndEvents = {
  readonly events: Pick<Store['events'], 'ofIncident'>
  readonly deliveries: Pick<Deliveries, 'list'>
}

/**
 * Of incidents that were retracted, returns the deliveries that are the first their watch would
 * tell: the incident came into the filter by a correction. Nobody has to be told of its retraction.
 */
export async function unannouncedRetractions(
  parts: readonly MessagePart[],
  store: DeliveriesAndEvents,
  now: number,
  mayHaveArrived: (delivery: Delivery) => boolean,
): Promise<ReadonlySet<MessagePart>> {
  const found = new Set<MessagePart>()
  for (const group of Map.groupBy(parts, ({ event }) => event.incidentId).values()) {
    if (!group.some((part) => deliveryOf(part).kind === 'incident.retracted' && part.document !== null)) continue
    for (const ofWatch of Map.groupBy(group, (part) => deliveryOf(part).watchId).values()) {
      const first = ofWatch.reduce((one, other) =>
        deliveryOf(other).eventSeq < deliveryOf(one).eventSeq ? other : one,
      )
      if (deliveryOf(first).kind === 'incident.created') continue
      if (!(await mayHaveBeenTold(first, store, now, mayHaveArrived))) found.add(first)
    }
  }
  return found
}

async function mayHaveBeenTold(
  { queued: { dispatch }, event }: MessagePart,
  { events, deliveries }: DeliveriesAndEvents,
  now: number,
  mayHaveArrived: (delivery: Delivery) => boolean,
): Promise<boolean> {
  const log = await events.ofIncident(event.incidentId, MAX_EVENTS)
  const earlier = log.filter(({ seq }) => seq < event.seq)
  if (log.length === MAX_EVENTS || earlier.some(({ at }) => at < now - KEPT_MS)) return true
  const isRetraction = dispatch.delivery.kind === 'incident.retracted'
  if (earlier.length === 0) return isRetraction
  const watch = { accountId: dispatch.accountId, id: dispatch.delivery.watchId }
  const logged = await deliveriesOfEvents(deliveries, watch, earlier, MAX_EVENTS)
  // A retraction follows something: only what was cancelled before it was not told.
  if (isRetraction && logged.length === 0) return true
  // Another process may be sending what it has leased.
  const isLeasedElsewhere = ({ leaseOwner }: Delivery) =>
    leaseOwner !== null && leaseOwner !== dispatch.delivery.leaseOwner
  return logged.some((delivery) => !delivery.test && (mayHaveArrived(delivery) || isLeasedElsewhere(delivery)))
}

function deliveryOf({ queued }: MessagePart): Delivery {
  return queued.dispatch.delivery
}
