import type { SameRecipientLease, SameRecipientWatch } from '../../interface/deliveries.ts'
import { PARKED_DUE_AT } from '../../shared/lease.ts'
import { chooseTogether, partWith, type TogetherRequest, type TogetherRow } from '../../shared/together.ts'
import type { Database } from '../database.ts'
import { claimDeliveries } from './lease.ts'

export function findSameRecipient(database: Database, watchId: string, most: number): SameRecipientWatch[] {
  const ids = database.all<{ id: string }>(
    `SELECT other.id
     FROM watches AS own
     JOIN watches AS other ON other.account_id = own.account_id AND other.url = own.url AND other.channel = own.channel
     WHERE own.id = +:watchId AND other.channel IS NOT NULL AND other.status = 'active'
       AND NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.watch_id = :watchId)
     UNION
     SELECT other.id
     FROM alerts AS alert
     JOIN watches AS own ON own.id = alert.watch_id
     JOIN alerts AS others ON others.recipient_hash = alert.recipient_hash
     JOIN watches AS other ON other.id = others.watch_id AND other.channel = own.channel
     WHERE alert.watch_id = :watchId AND other.status = 'active'
     ORDER BY 1`,
    { watchId },
  )
  const part = partWith(
    ids.map(({ id }) => id),
    watchId,
    most,
  )
  return database
    .all<{ id: string; secrets: string }>(
      'SELECT id, secrets FROM watches WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
      [JSON.stringify(part)],
    )
    .map(({ id, secrets }) => ({ watchId: id, secrets: JSON.parse(secrets) as SameRecipientWatch['secrets'] }))
}

/** Runs within the caller's transaction. */
export function leaseForSameRecipient(database: Database, request: TogetherRequest): SameRecipientLease {
  const { owner, held, watchIds, now } = request
  const rows = database.all<TogetherRow>(
    `SELECT deliveries.id, deliveries.watch_id AS watchId, deliveries.event_seq AS eventSeq,
            deliveries.due_at AS dueAt, deliveries.lease_owner AS leaseOwner
     FROM json_each(:events) AS event
     CROSS JOIN json_each(:watchIds) AS asked
     CROSS JOIN watches ON watches.id = asked.value AND watches.status = 'active'
     JOIN deliveries ON deliveries.event_seq = event.value AND deliveries.watch_id = asked.value AND deliveries.test = 0
     WHERE deliveries.status = 'pending' AND deliveries.due_at < :parked
       AND (deliveries.lease_owner IS NOT NULL OR deliveries.severity IS NULL OR deliveries.due_at <= :now)
     ORDER BY deliveries.event_seq, deliveries.watch_id`,
    {
      events: JSON.stringify([...new Set(held.map(({ eventSeq }) => eventSeq))]),
      watchIds: JSON.stringify(watchIds),
      parked: PARKED_DUE_AT,
      now,
    },
  )
  const { rows: chosen, leasedUntil } = chooseTogether(rows, request)
  return { dispatches: claimDeliveries(database, chosen, { owner, now, until: leasedUntil }), leasedUntil }
}
