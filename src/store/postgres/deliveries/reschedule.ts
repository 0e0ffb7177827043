import type { Connection } from '../connection/connection.ts'
import { notifyDue } from './fan-out.ts'

/** Many may wait: no statement may take long, and nobody else is to wait for all of them. */
const BATCH = 1_000

interface Place {
  readonly due_at: number
  readonly host: string
  readonly id: string
}

/** Batch by batch along the queue: what has been moved lies behind, and is not met again. */
export async function reschedule(connection: Connection, by: number, now: number): Promise<void> {
  for (const critical of [true, false]) {
    let place: Place | undefined = { due_at: now, host: '', id: '' }
    while (place !== undefined) place = await moveSome(connection, critical, place, by, now)
  }
  await notifyDue(connection.query)
}

/** Resolves with the last one that was met. */
async function moveSome(
  connection: Connection,
  critical: boolean,
  { due_at, host, id }: Place,
  by: number,
  now: number,
): Promise<Place | undefined> {
  const [last] = await connection.query<Place>(
    `WITH met AS MATERIALIZED (
       SELECT due_at, host, id FROM deliveries
       WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND (due_at, host, id) > ($2, $3, $4)
       ORDER BY due_at, host, id
       LIMIT $5
       FOR UPDATE SKIP LOCKED
     ), moved AS (
       UPDATE deliveries SET due_at = greatest($6, met.due_at - $7) FROM met WHERE deliveries.id = met.id
     )
     SELECT due_at, host, id FROM met
     ORDER BY due_at DESC, host DESC, id DESC
     LIMIT 1`,
    [String(critical), due_at, host, id, BATCH, now, by],
  )
  return last
}
