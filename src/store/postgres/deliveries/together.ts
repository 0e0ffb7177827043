import type { SameRecipientLease, SameRecipientWatch } from '../../interface/deliveries.ts'
import { PARKED_DUE_AT } from '../../shared/lease.ts'
import { type DeliveryRow, dispatchOf, ENDPOINT_COLUMNS, type TargetRow } from '../../shared/rows/delivery-rows.ts'
import { chooseTogether, partWith, type TogetherRequest, type TogetherRow } from '../../shared/together.ts'
import type { Query } from '../connection.ts'

export async function findSameRecipient(query: Query, watchId: string, most: number): Promise<SameRecipientWatch[]> {
  const ids = await query<{ id: string }>(
    `SELECT other.id
     FROM watches AS own
     JOIN watches AS other ON other.account_id = own.account_id AND other.url = own.url AND other.channel = own.channel
     WHERE own.id = $1 AND other.channel IS NOT NULL AND other.status = 'active'
       AND NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.watch_id = $1)
     UNION
     SELECT other.id
     FROM alerts AS alert
     JOIN watches AS own ON own.id = alert.watch_id
     JOIN alerts AS others ON others.recipient_hash = alert.recipient_hash
     JOIN watches AS other ON other.id = others.watch_id AND other.channel = own.channel
     WHERE alert.watch_id = $1 AND other.status = 'active'
     ORDER BY 1`,
    [watchId],
  )
  const part = partWith(
    ids.map(({ id }) => id),
    watchId,
    most,
  )
  const rows = await query<{ id: string; secrets: string }>(
    'SELECT id, secrets FROM watches WHERE id = ANY($1) ORDER BY id',
    [part],
  )
  return rows.map(({ id, secrets }) => ({ watchId: id, secrets: JSON.parse(secrets) as SameRecipientWatch['secrets'] }))
}

/** Runs within the caller's transaction. */
export async function leaseForSameRecipient(query: Query, request: TogetherRequest): Promise<SameRecipientLease> {
  const { owner, held, watchIds, now } = request
  // The same order as in `recordAttempts`, to prevent deadlocks.
  const rows = await query<TogetherRow>(
    `SELECT deliveries.id, deliveries.watch_id AS "watchId", deliveries.event_seq AS "eventSeq",
            deliveries.due_at AS "dueAt", deliveries.lease_owner AS "leaseOwner"
     FROM deliveries JOIN watches ON watches.id = deliveries.watch_id AND watches.status = 'active'
     WHERE deliveries.event_seq = ANY($1) AND deliveries.watch_id = ANY($2) AND NOT deliveries.test
       AND deliveries.status = 'pending' AND deliveries.due_at < $3
       AND (deliveries.lease_owner IS NOT NULL OR deliveries.severity IS NULL OR deliveries.due_at <= $4)
     ORDER BY deliveries.id
     FOR UPDATE OF deliveries`,
    [[...new Set(held.map(({ eventSeq }) => eventSeq))], watchIds, PARKED_DUE_AT, now],
  )
  const { rows: chosen, leasedUntil } = chooseTogether(rows, request)
  const leased = await query<DeliveryRow & TargetRow>(
    `WITH leased AS (
       UPDATE deliveries SET lease_owner = $2, due_at = $3 WHERE id = ANY($1) RETURNING *
     )
     SELECT leased.*, ${ENDPOINT_COLUMNS},
            watches.account_id, watch_progress.failing_since
     FROM leased
     JOIN watches ON watches.id = leased.watch_id
     JOIN watch_progress ON watch_progress.watch_id = leased.watch_id
     ORDER BY leased.event_seq, leased.watch_id`,
    [chosen.map(({ id }) => id), owner, leasedUntil],
  )
  return { dispatches: leased.map(dispatchOf), leasedUntil }
}
