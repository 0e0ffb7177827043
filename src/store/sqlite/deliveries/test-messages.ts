import { storableExcerpt } from '../../../domain/delivery.ts'
import type { TestDelivery } from '../../interface/deliveries.ts'
import type { Database } from '../database.ts'
import { bumpDueCounter } from './fan-out.ts'
import { markResent } from './listening.ts'

/** Runs within the caller's transaction. Writes nothing if the watch has been removed. */
export function insertTest(database: Database, test: TestDelivery, now: number): void {
  const { id, watchId, eventSeq, kind, incidentId, attempt } = test
  const inserted = database.run(
    `INSERT INTO deliveries (id, watch_id, event_seq, sequence, kind, watch_name, host, critical, test, status, attempts,
                             tries, created_at, finished_at, test_incident_id)
     SELECT :id, watches.id, :eventSeq, 0, :kind, watches.name, watches.host, 0, 1, :status, 1, 1, :at, :now, :incidentId
     FROM watches WHERE watches.id = :watchId`,
    {
      id,
      watchId,
      eventSeq,
      kind,
      status: attempt.outcome === 'delivered' ? 'delivered' : 'failed',
      at: attempt.at,
      now,
      incidentId,
    },
  )
  if (inserted === 0) return
  database.run(
    `INSERT INTO attempts (delivery_id, number, at, duration, outcome, status_code, answer, error, content_seq)
     VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)`,
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
  markResent(database, [id])
  bumpDueCounter(database)
}
