import type { Delivery } from '../../domain/delivery.ts'
import type { Dispatch } from '../deliveries.ts'
import { deliveryValues, type EndpointRow, endpointOf } from '../delivery-rows.ts'
import type { FanOutChunk, FanOutPosition, Owed } from '../fan-out.ts'
import type { Database } from './database.ts'

export function fanOut(database: Database) {
  return {
    lease(owner: string, now: number, until: number): FanOutPosition | null {
      const position = database.get<FanOutPosition>(
        `UPDATE fan_out SET owner = :owner, lease_until = :until
         WHERE owner IS NULL OR owner = :owner OR lease_until <= :now
         RETURNING seq, after_watch_id AS afterWatchId`,
        { owner, now, until },
      )
      return position === undefined ? null : { ...position }
    },

    release(owner: string): void {
      database.run('UPDATE fan_out SET owner = NULL WHERE owner = ?', [owner])
    },

    write(owner: string, { from, to, owed }: FanOutChunk, now: number, leaseUntil: number | null): Dispatch[] | null {
      return database.transaction(() => {
        const moved = database.run(
          `UPDATE fan_out SET seq = ?, after_watch_id = ?
           WHERE owner = ? AND seq = ? AND after_watch_id IS ?`,
          [to.seq, to.afterWatchId, owner, from.seq, from.afterWatchId],
        )
        if (moved === 0) return null
        return insertOwed(database, owed, now, leaseUntil === null ? null : { owner, until: leaseUntil })
      })
    },
  }
}

interface OwnerRow extends EndpointRow {
  name: string
  host: string
  sequence: number
}

/** Within the caller's transaction. Without a lease they are due at once. */
export function insertOwed(
  database: Database,
  owed: readonly Owed[],
  now: number,
  lease: { owner: string; until: number } | null,
): Dispatch[] {
  const dispatches: Dispatch[] = []
  for (const { id, watchId, eventSeq, kind, critical } of owed.toSorted((a, b) => a.eventSeq - b.eventSeq)) {
    const watch = database.get<OwnerRow>(
      `SELECT watches.name, watches.host, watches.url, watches.secret, watches.previous_secret,
              watches.previous_secret_expires_at, watch_progress.sequence
       FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
       WHERE watches.id = ? AND watches.status = 'active' AND watches.created_seq < ?`,
      [watchId, eventSeq],
    )
    if (watch === undefined) continue
    const delivery: Delivery = {
      id,
      watchId,
      eventSeq,
      sequence: watch.sequence + 1,
      kind,
      watchName: watch.name,
      host: watch.host,
      critical,
      status: 'pending',
      attempts: 0,
      tries: 0,
      dueAt: lease?.until ?? now,
      leaseOwner: lease?.owner ?? null,
      createdAt: now,
      finishedAt: null,
    }
    if (!insertDelivery(database, delivery)) continue
    database.run('UPDATE watch_progress SET sequence = ? WHERE watch_id = ?', [delivery.sequence, watchId])
    dispatches.push({ delivery, endpoint: endpointOf(watch) })
  }
  if (lease === null && dispatches.length > 0) countMadeDue(database)
  return dispatches
}

/** Whether the watch had none of this event. */
function insertDelivery(database: Database, delivery: Delivery): boolean {
  const inserted = database.run(
    `INSERT INTO deliveries (id, watch_id, event_seq, sequence, kind, watch_name, host, critical, status, attempts,
                             tries, due_at, lease_owner, created_at, finished_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (event_seq, watch_id) DO NOTHING`,
    deliveryValues(delivery),
  )
  return inserted === 1
}

/** For other processes to see that there is something to lease. */
export function countMadeDue(database: Database): void {
  database.run('UPDATE fan_out SET made_due = made_due + 1')
}
