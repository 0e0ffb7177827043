import { randomFillSync } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { newIdentifier } from '../../domain/identifier.ts'
import { releaseAt, type WatchSchedule } from '../../domain/schedule.ts'
import type { PlannedDelivery } from '../dispatch/queues/admission/delivery-plan.ts'
import type { Match, MatchedEvent } from './pending-events.ts'

/** Deliveries made in one turn of the event loop; requests are answered in between. */
const DELIVERIES_PER_TURN = 100

/**
 * A delivery for each match; one that its watch's schedule holds has the time when it falls due.
 */
export async function newDeliveries(
  matches: readonly Match[],
  clock: () => number,
): Promise<PlannedDelivery['delivery'][]> {
  const deliveries: PlannedDelivery['delivery'][] = []
  for (const { event, watch } of matches) {
    const now = clock()
    const id = newIdentifier('delivery', now, pooledRandomBytes)
    const { seq: eventSeq, kind, critical } = event
    const delivery = { id, watchId: watch.id, accountId: watch.accountId, eventSeq, kind, critical }
    deliveries.push(
      watch.schedule === null ? delivery : { ...delivery, ...scheduledFields(watch.schedule, event, now) },
    )
    if (deliveries.length % DELIVERIES_PER_TURN === 0) await nextTurn()
  }
  return deliveries
}

function scheduledFields(schedule: WatchSchedule, { severity }: MatchedEvent, now: number) {
  const at = releaseAt(schedule, { severity, createdAt: now }, now)
  return at > now ? { severity, dueAt: at } : { severity }
}

const randomPool = Buffer.allocUnsafe(4096)
let usedBytes = randomPool.length

/** Like `randomBytes` of node:crypto, which for few bytes costs half as much as signing. */
export function pooledRandomBytes(size: number): Uint8Array {
  if (usedBytes + size > randomPool.length) {
    randomFillSync(randomPool)
    usedBytes = 0
  }
  usedBytes += size
  // A copy, which the next refill does not change.
  return Uint8Array.prototype.slice.call(randomPool, usedBytes - size, usedBytes)
}
