import type { Deliveries, HeldDelivery, SameRecipientWatch } from '../store.ts'
import { type DeliveryRow, dispatchOf, ENDPOINT_COLUMNS, type TargetRow } from './delivery-rows.ts'
import { among, differing, indexedBy, isFalse, plain, shared, THEN_JOIN } from './dialect.ts'
import { PARKED_DUE_AT } from './lease.ts'
import { begin, type QueriesOf, rows, run, sql } from './query.ts'

// One message for several watches that the same person reads (decision 66).

export const sameRecipient = {
  *findSameRecipient(watchId, most) {
    const found = yield* rows<{ id: string }>(
      sql`SELECT other.id
          FROM watches AS own
          JOIN watches AS other
            ON other.account_id = own.account_id AND other.url = own.url AND other.channel = own.channel
          WHERE own.id = ${plain(watchId)} AND other.channel IS NOT NULL AND other.status = 'active'
            AND NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.watch_id = ${watchId})
          UNION
          SELECT other.id
          FROM alerts AS alert
          JOIN watches AS own ON own.id = alert.watch_id
          JOIN alerts AS others ON others.recipient_hash = alert.recipient_hash
          JOIN watches AS other ON other.id = others.watch_id AND other.channel = own.channel
          WHERE alert.watch_id = ${watchId} AND other.status = 'active'
          ORDER BY 1`,
    )
    // In parts, in order: each watch is in one part only, and this is the one with the watch.
    const ids = found.map(({ id }) => id)
    const start = Math.floor(Math.max(0, ids.indexOf(watchId)) / most) * most
    const part = yield* rows<{ id: string; secrets: string }>(
      sql`SELECT id, secrets FROM watches WHERE id ${among(ids.slice(start, start + most))} ORDER BY id`,
    )
    return part.map(({ id, secrets }) => ({
      watchId: id,
      secrets: JSON.parse(secrets) as SameRecipientWatch['secrets'],
    }))
  },

  *leaseForSameRecipient(owner, held, watchIds, now, until) {
    yield* begin()
    // Locked in the order of `recordAttempts`, to prevent deadlocks.
    const pending = yield* rows<DeliveryRow & TargetRow>(
      sql`SELECT deliveries.*, ${ENDPOINT}, watches.account_id, watch_progress.failing_since
          FROM deliveries ${BY_EVENT}
          ${THEN_JOIN} watches ON watches.id = deliveries.watch_id AND watches.status = 'active'
          ${THEN_JOIN} watch_progress ON watch_progress.watch_id = deliveries.watch_id
          WHERE deliveries.event_seq ${among([...new Set(held.map(({ eventSeq }) => eventSeq))])}
            AND deliveries.watch_id ${among(watchIds)} AND ${NO_TEST}
            AND deliveries.status = 'pending' AND deliveries.due_at < ${PARKED_DUE_AT}
            AND (deliveries.lease_owner IS NOT NULL OR deliveries.severity IS NULL OR deliveries.due_at <= ${now})
          ORDER BY deliveries.id
          ${FOR_UPDATE_OF_DELIVERIES}`,
    )
    const chosen = stillHeld(pending, owner, held).toSorted(inOrder)
    // Whoever has one of them in a queue must not take the new lease for its own.
    const leases = chosen.flatMap(({ lease_owner, due_at }) => (lease_owner === null ? [] : [due_at! + 1]))
    const leasedUntil = Math.max(until, ...leases)
    if (chosen.length > 0)
      yield* run(
        sql`UPDATE deliveries
            SET lease_owner = ${owner}, due_at = ${leasedUntil},
                maybe_attempted = (maybe_attempted OR (lease_owner IS NOT NULL AND lease_owner <> ${owner}))
            WHERE id ${among(chosen.map(({ id }) => id))}`,
      )
    const lease = { lease_owner: owner, due_at: leasedUntil }
    const dispatches = chosen.map((row) => {
      const wasOfOther = row.lease_owner !== null && row.lease_owner !== owner
      return dispatchOf({ ...row, ...lease, maybe_attempted: Boolean(row.maybe_attempted) || wasOfOther })
    })
    return { dispatches, leasedUntil }
  },
} satisfies Pick<QueriesOf<Deliveries>, 'findSameRecipient' | 'leaseForSameRecipient'>

const ENDPOINT = shared(ENDPOINT_COLUMNS)
const BY_EVENT = indexedBy('deliveries_event')
const NO_TEST = isFalse('deliveries.test')
const FOR_UPDATE_OF_DELIVERIES = differing('', 'FOR UPDATE OF deliveries')

/** Deliveries that the owner holds under the leases it names, and all else of the same events. */
function stillHeld<Row extends DeliveryRow>(
  pending: readonly Row[],
  owner: string,
  held: readonly HeldDelivery[],
): Row[] {
  const lease = new Map(held.map(({ id, leasedUntil }) => [id, leasedUntil]))
  const isHeld = ({ id, lease_owner, due_at }: Row) => lease_owner === owner && lease.get(id) === due_at
  const events = new Set(pending.filter(isHeld).map(({ event_seq }) => event_seq))
  return pending.filter((row) => isHeld(row) || (!lease.has(row.id) && events.has(row.event_seq)))
}

function inOrder(one: DeliveryRow, other: DeliveryRow): number {
  return one.event_seq - other.event_seq || (one.watch_id < other.watch_id ? -1 : 1)
}
