import type { Deliveries } from '../../../store/store.ts'
import { isSameReceiver } from '../../channels/target.ts'
import { addressOf } from '../../send/message.ts'
import type { QueuedDelivery } from '../queues/watch-queue.ts'

export interface CompanionsOptions {
  readonly deliveries: Pick<Deliveries, 'companions' | 'leaseTogether'>
  readonly owner: string
  readonly leaseMs: number
  readonly clock: () => number
}

/**
 * Watches in one message: the link in the header of a mail names each, and a line has 998
 * characters.
 */
export const MAX_WATCHES_TOGETHER = 12

/**
 * Adds the deliveries of the same events for other watches that the same person reads. Returns none
 * of those that are in another message by now.
 */
export async function withCompanions(
  held: readonly QueuedDelivery[],
  { deliveries, owner, leaseMs, clock }: CompanionsOptions,
): Promise<readonly QueuedDelivery[]> {
  const { delivery, endpoint } = held[0]!.dispatch
  const found = await deliveries.companions(delivery.watchId, MAX_WATCHES_TOGETHER)
  const watchIds = found
    .filter(({ secrets }) => isSameReceiver(endpoint.channel, addressOf(endpoint.secrets), addressOf(secrets)))
    .map(({ watchId }) => watchId)
  if (watchIds.length < 2) return held
  const now = clock()
  const { dispatches, leasedUntil } = await deliveries.leaseTogether(
    owner,
    held.map(({ dispatch, leasedUntil }) => ({
      id: dispatch.delivery.id,
      eventSeq: dispatch.delivery.eventSeq,
      leasedUntil,
    })),
    watchIds,
    now,
    now + leaseMs,
  )
  const wasLost = held.some((queued) => queued.wasLost)
  return dispatches.map((dispatch) => ({ dispatch, leasedUntil, wasLost }))
}
