import { storableExcerpt } from '../../../domain/delivery.ts'
import type { TestDelivery } from '../../interface/deliveries.ts'
import type { Query } from '../connection.ts'
import { notifyDue } from './fan-out.ts'
import { markResent } from './listening.ts'

/** Runs within the caller's transaction. Writes nothing if the watch has been removed. */
export async function insertTest(query: Query, test: TestDelivery, now: number): Promise<void> {
  const { id, watchId, eventSeq, kind, incidentId, attempt } = test
  const status = attempt.outcome === 'delivered' ? 'delivered' : 'failed'
  const inserted = await query(
    `INSERT INTO deliveries (id, watch_id, event_seq, sequence, kind, watch_name, host, critical, test, status, attempts,
                             tries, created_at, finished_at, test_incident_id)
     SELECT $1, watches.id, $3, 0, $4, watches.name, watches.host, false, true, $5, 1, 1, $6, $7, $8
     FROM watches WHERE watches.id = $2
     RETURNING id`,
    [id, watchId, eventSeq, kind, status, attempt.at, now, incidentId],
  )
  if (inserted.length === 0) return
  await query(
    `INSERT INTO attempts (delivery_id, number, at, duration, outcome, status_code, answer, error, content_seq)
     VALUES ($1, 1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      attempt.at,
      attempt.duration,
      attempt.outcome,
      attempt.statusCode,
      storableExcerpt(attempt.answer),
      storableExcerpt(attempt.error),
      attempt.contentSeq,
    ],
  )
  await markResent(query, [id])
  await notifyDue(query)
}
