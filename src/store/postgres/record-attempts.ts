import type { AttemptResult, FailingWatch } from '../interface/deliveries.ts'
import {
  applyResults,
  type DeliveryState,
  failuresText,
  healthUpdateOf,
  type NumberedAttempt,
  resultsByWatch,
  type WatchHealthRow,
  type WatchHealthUpdate,
  watchesWithFailure,
} from '../queries/attempt-results.ts'
import type { Query } from './connection.ts'

/**
 * Runs within the caller's transaction. Differs from SQLite's: rows are locked in order, and
 * written in one statement for each table.
 */
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
  return updateHealth(query, resultsByWatch(applied.watchResults))
}

async function updateDeliveries(query: Query, rows: readonly DeliveryState[]): Promise<void> {
  await query(
    `UPDATE deliveries
     SET status = next.status, attempts = next.attempts, tries = next.tries, due_at = next.due_at,
         lease_owner = next.lease_owner, finished_at = next.finished_at, postponed = false
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
    `INSERT INTO attempts (delivery_id, number, at, duration, outcome, status_code, answer, error, content_seq)
     SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::integer[], $5::text[], $6::integer[],
                          $7::text[], $8::text[], $9::bigint[])`,
    [
      attempts.map((attempt) => attempt.deliveryId),
      attempts.map((attempt) => attempt.number),
      attempts.map((attempt) => attempt.at),
      attempts.map((attempt) => attempt.duration),
      attempts.map((attempt) => attempt.outcome),
      attempts.map((attempt) => attempt.statusCode),
      attempts.map((attempt) => attempt.answer),
      attempts.map((attempt) => attempt.error),
      attempts.map((attempt) => attempt.contentSeq),
    ],
  )
}

/**
 * Most watches succeed and succeeded before: those are neither locked nor written. The URLs are
 * read once the rows are locked: whoever changes a URL clears the row, so no failure of the old one
 * is written after that.
 */
async function updateHealth(
  query: Query,
  results: ReadonlyMap<string, readonly AttemptResult[]>,
): Promise<FailingWatch[]> {
  const progress = await query<Omit<WatchHealthRow, 'account_id' | 'url'>>(
    `SELECT watch_id, failing_since, failures, warnings FROM watch_progress
     WHERE watch_id = ANY($1) AND (failing_since IS NOT NULL OR watch_id = ANY($2))
     ORDER BY watch_id
     FOR UPDATE`,
    [[...results.keys()], watchesWithFailure(results)],
  )
  if (progress.length === 0) return []
  const watches = await query<{ id: string; account_id: string; url: string }>(
    'SELECT id, account_id, url FROM watches WHERE id = ANY($1)',
    [progress.map((row) => row.watch_id)],
  )
  const watchOf = new Map(watches.map((watch) => [watch.id, watch]))
  const updates = progress.flatMap((row) => {
    const watch = watchOf.get(row.watch_id)
    return watch === undefined ? [] : [{ row, ...healthUpdateOf({ ...watch, ...row }, results.get(row.watch_id)!) }]
  })
  await writeHealth(
    query,
    updates.filter(({ changed }) => changed),
  )
  return updates.flatMap(({ failing }) => failing ?? [])
}

async function writeHealth(
  query: Query,
  updates: readonly (WatchHealthUpdate & { readonly row: { readonly watch_id: string } })[],
): Promise<void> {
  if (updates.length === 0) return
  // The redundant `ANY` makes PostgreSQL use the index instead of scanning the table.
  await query(
    `UPDATE watch_progress SET failing_since = next.since, failures = next.failures, warnings = next.warnings
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::integer[]) AS next (watch_id, since, failures, warnings)
     WHERE watch_progress.watch_id = next.watch_id AND watch_progress.watch_id = ANY($1)`,
    [
      updates.map(({ row }) => row.watch_id),
      updates.map(({ history }) => history.failingSince),
      updates.map(({ history }) => failuresText(history)),
      updates.map(({ failing }) => failing?.warnings ?? 0),
    ],
  )
}
