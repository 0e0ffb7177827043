import { PARKED_DUE_AT } from '../../shared/lease.ts'
import type { PostgresConnection } from '../connection.ts'
import { notifyDue } from './fan-out.ts'

/** Small batches keep statements short and hold few locks at a time. */
const BATCH_ROWS = 1_000

interface QueuePosition {
  readonly due_at: number
  readonly watch_id: string
  readonly id: string
}

/** Moves batch by batch along the queue: moved deliveries lie behind and are not read again. */
export async function reschedule(connection: PostgresConnection, by: number, now: number): Promise<void> {
  for (const critical of [true, false]) {
    let position: QueuePosition | undefined = { due_at: now, watch_id: '', id: '' }
    while (position !== undefined) position = await rescheduleBatch(connection, critical, position, by, now)
  }
  await notifyDue(connection.query)
}

/** Returns the position of the last delivery read. */
async function rescheduleBatch(
  connection: PostgresConnection,
  critical: boolean,
  { due_at, watch_id, id }: QueuePosition,
  by: number,
  now: number,
): Promise<QueuePosition | undefined> {
  const [last] = await connection.query<QueuePosition>(
    `WITH batch AS MATERIALIZED (
       SELECT due_at, watch_id, id FROM deliveries
       WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND (due_at, watch_id, id) > ($2, $3, $4)
         AND due_at < $8
       ORDER BY due_at, watch_id, id
       LIMIT $5
       FOR UPDATE SKIP LOCKED
     ), moved AS (
       UPDATE deliveries SET due_at = greatest($6, batch.due_at - $7) FROM batch WHERE deliveries.id = batch.id
     )
     SELECT due_at, watch_id, id FROM batch
     ORDER BY due_at DESC, watch_id DESC, id DESC
     LIMIT 1`,
    [String(critical), due_at, watch_id, id, BATCH_ROWS, now, by, PARKED_DUE_AT],
  )
  return last
}
