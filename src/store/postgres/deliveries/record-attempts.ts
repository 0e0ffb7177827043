import type { AttemptResult, FailingWatch } from '../../deliveries.ts'
import {
  applyResults,
  type DeliveryState,
  failingSinceAfter,
  type NumberedAttempt,
  outcomesByWatch,
  type WatchOutcome,
} from '../../shared/attempt-results.ts'
import type { Query } from '../connection/connection.ts'

/** Runs within the caller's transaction. */
export async function recordAttempts(
  query: Query,
  owner: string,
  results: readonly AttemptResult[],
  now: number,
): Promise<FailingWatch[]> {
  // A fixed order, here and below, prevents deadlocks between concurrent calls.
  const states = await query<DeliveryState>(
    `SELECT id, watch_id, status, attempts, tries, due_at, lease_owner, finished_at FROM deliveries
     WHERE id = ANY($1) ORDER BY id FOR UPDATE`,
    [results.map((result) => result.deliveryId)],
  )
  const applied = applyResults(owner, results, states, now)
  await updateDeliveries(query, applied.deliveries)
  await insertAttempts(query, applied.attempts)
  return updateFailingSince(query, outcomesByWatch(applied.watchResults))
}

async function updateDeliveries(query: Query, rows: readonly DeliveryState[]): Promise<void> {
  await query(
    `UPDATE deliveries
     SET status = next.status, attempts = next.attempts, tries = next.tries, due_at = next.due_at,
         lease_owner = next.lease_owner, finished_at = next.finished_at
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::integer[], $5::bigint[], $6::text[], $7::bigint[])
       AS next (id, status, attempts, tries, due_at, lease_owner, finished_at)
     WHERE deliveries.id = next.id`,
    [
      rows.map((row) => row.id),
      rows.map((row) => row.status),
      rows.map((row) => row.attempts),
      rows.map((row) => row.tries),
      rows.map((row) => row.due_at),
      rows.map((row) => row.lease_owner),
      rows.map((row) => row.finished_at),
    ],
  )
}

async function insertAttempts(query: Query, attempts: readonly NumberedAttempt[]): Promise<void> {
  await query(
    `INSERT INTO attempts (delivery_id, number, at, duration, outcome, status_code, answer, error)
     SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::integer[], $5::text[], $6::integer[],
                          $7::text[], $8::text[])`,
    [
      attempts.map((attempt) => attempt.deliveryId),
      attempts.map((attempt) => attempt.number),
      attempts.map((attempt) => attempt.at),
      attempts.map((attempt) => attempt.duration),
      attempts.map((attempt) => attempt.outcome),
      attempts.map((attempt) => attempt.statusCode),
      attempts.map((attempt) => attempt.answer),
      attempts.map((attempt) => attempt.error),
    ],
  )
}

/** Most watches succeed and succeeded before: those are neither locked nor written. */
async function updateFailingSince(query: Query, outcomes: ReadonlyMap<string, WatchOutcome>): Promise<FailingWatch[]> {
  const failed = [...outcomes].filter(([, outcome]) => outcome.failedAt !== null).map(([id]) => id)
  const watches = await query<{ watchId: string; accountId: string; before: number | null }>(
    `SELECT watch_progress.watch_id AS "watchId", watches.account_id AS "accountId",
            watch_progress.failing_since AS before
     FROM watch_progress JOIN watches ON watches.id = watch_progress.watch_id
     WHERE watch_progress.watch_id = ANY($1)
       AND (watch_progress.failing_since IS NOT NULL OR watch_progress.watch_id = ANY($2))
     ORDER BY watch_progress.watch_id
     FOR UPDATE OF watch_progress`,
    [[...outcomes.keys()], failed],
  )
  const updated = watches.map((watch) => ({
    ...watch,
    since: failingSinceAfter(outcomes.get(watch.watchId)!, watch.before),
  }))
  const changed = updated.filter((watch) => watch.since !== watch.before)
  if (changed.length > 0) {
    // The redundant `ANY` makes PostgreSQL use the index instead of scanning the table.
    await query(
      `UPDATE watch_progress SET failing_since = next.since
       FROM unnest($1::text[], $2::bigint[]) AS next (watch_id, since)
       WHERE watch_progress.watch_id = next.watch_id AND watch_progress.watch_id = ANY($1)`,
      [changed.map((watch) => watch.watchId), changed.map((watch) => watch.since)],
    )
  }
  return updated.flatMap(({ watchId, accountId, since }) =>
    since === null ? [] : [{ watchId, accountId, failingSince: since }],
  )
}
