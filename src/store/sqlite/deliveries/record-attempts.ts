import { storableExcerpt } from '../../../domain/delivery/delivery.ts'
import type { AttemptResult, FailingWatch } from '../../deliveries.ts'
import {
  type Experience,
  failingSince,
  type KeptAttempt,
  recordOf,
  type Standing,
  type Trend,
  trendsOf,
} from '../../shared/attempt-results.ts'
import type { Database } from '../connection/database.ts'

/** Within the caller's transaction. */
export function record(
  database: Database,
  owner: string,
  results: readonly AttemptResult[],
  now: number,
): FailingWatch[] {
  const experiences: Experience[] = []
  const others: AttemptResult[] = []
  const ids = new Set<string>()
  for (const result of results.toSorted((one, other) => one.at - other.at)) {
    // Only what comes first of a delivery can be its first attempt.
    const isFirst = result.outcome === 'delivered' && !ids.has(result.deliveryId)
    const watchId = isFirst ? finishAtFirstTry(database, owner, result, now) : null
    if (watchId !== null) experiences.push({ watchId, result })
    else {
      others.push(result)
      ids.add(result.deliveryId)
    }
  }
  const recorded = recordOf(owner, others, standingsOf(database, ids), now)
  for (const standing of recorded.deliveries) write(database, standing)
  for (const attempt of recorded.attempts) keep(database, attempt)
  return follow(database, trendsOf([...experiences, ...recorded.experiences]))
}

/** What happens to most, in one statement. The watch, or null where the delivery is not as it was made. */
function finishAtFirstTry(database: Database, owner: string, result: AttemptResult, now: number): string | null {
  const row = database.get<{ watch_id: string }>(
    `UPDATE deliveries
     SET status = 'delivered', attempts = 1, tries = 1, due_at = NULL, lease_owner = NULL, finished_at = ?,
         first_at = ?, first_duration = ?, first_status_code = ?, first_answer = ?
     WHERE id = ? AND lease_owner = ? AND attempts = 0
     RETURNING watch_id`,
    [now, result.at, result.duration, result.statusCode, storableExcerpt(result.answer), result.deliveryId, owner],
  )
  return row?.watch_id ?? null
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

function follow(database: Database, trends: ReadonlyMap<string, Trend>): FailingWatch[] {
  const failed = [...trends].filter(([, trend]) => trend.failedAt !== null)
  const succeeded = [...trends].filter(([, trend]) => trend.failedAt === null).map(([watchId]) => watchId)
  database.run(
    `UPDATE watch_progress SET failing_since = NULL
     WHERE failing_since IS NOT NULL AND watch_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(succeeded)],
  )
  return failed.flatMap(([watchId, trend]) => followFailure(database, watchId, trend))
}

function followFailure(database: Database, watchId: string, trend: Trend): FailingWatch[] {
  const watch = database.get<{ accountId: string; before: number | null }>(
    `SELECT watches.account_id AS accountId, watch_progress.failing_since AS before
     FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
     WHERE watches.id = ?`,
    [watchId],
  )
  if (watch === undefined) return []
  const since = failingSince(trend, watch.before)
  if (since !== watch.before)
    database.run('UPDATE watch_progress SET failing_since = ? WHERE watch_id = ?', [since, watchId])
  return since === null ? [] : [{ watchId, accountId: watch.accountId, failingSince: since }]
}
