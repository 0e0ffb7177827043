import type { AttemptResult, FailingWatch } from '../deliveries.ts'
import { failingSince, type KeptAttempt, recordOf, type Standing, type Trend } from '../record.ts'
import type { Database } from './database.ts'

/** Within the caller's transaction. */
export function record(
  database: Database,
  owner: string,
  results: readonly AttemptResult[],
  now: number,
): FailingWatch[] {
  const ids = new Set(results.map((result) => result.deliveryId))
  const recorded = recordOf(owner, results, standingsOf(database, ids), now)
  for (const standing of recorded.deliveries) write(database, standing)
  for (const attempt of recorded.attempts) keep(database, attempt)
  return [...recorded.watches].flatMap(([watchId, trend]) => follow(database, watchId, trend))
}

function standingsOf(database: Database, ids: Iterable<string>): Standing[] {
  return Array.from(ids).flatMap((id) =>
    database.all<Standing>(
      'SELECT id, watch_id, status, attempts, tries, due_at, lease_owner, finished_at FROM deliveries WHERE id = ?',
      [id],
    ),
  )
}

function write(database: Database, { id, status, attempts, tries, due_at, lease_owner, finished_at }: Standing): void {
  database.run(
    `UPDATE deliveries SET status = ?, attempts = ?, tries = ?, due_at = ?, lease_owner = ?, finished_at = ?
     WHERE id = ?`,
    [status, attempts, tries, due_at, lease_owner, finished_at, id],
  )
}

function keep(database: Database, attempt: KeptAttempt): void {
  database.run(
    `INSERT INTO attempts (delivery_id, number, at, duration, outcome, status_code, answer, error)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      attempt.deliveryId,
      attempt.number,
      attempt.at,
      attempt.duration,
      attempt.outcome,
      attempt.statusCode,
      attempt.answer,
      attempt.error,
    ],
  )
}

function follow(database: Database, watchId: string, trend: Trend): FailingWatch[] {
  const watch = database.get<{ accountId: string; before: number | null }>(
    `SELECT watches.account_id AS accountId, watch_progress.failing_since AS before
     FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
     WHERE watches.id = ?`,
    [watchId],
  )
  if (watch === undefined) return []
  const since = failingSince(trend, watch.before)
  if (since !== watch.before) {
    database.run('UPDATE watch_progress SET failing_since = ? WHERE watch_id = ?', [since, watchId])
  }
  return since === null ? [] : [{ watchId, accountId: watch.accountId, failingSince: since }]
}
