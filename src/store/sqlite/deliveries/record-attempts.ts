import { storableExcerpt } from '../../../domain/delivery/delivery.ts'
import type { AttemptResult, FailingWatch } from '../../deliveries.ts'
import {
  applyResults,
  type DeliveryState,
  failingSinceAfter,
  type NumberedAttempt,
  outcomesByWatch,
  type WatchOutcome,
  type WatchResult,
} from '../../shared/attempt-results.ts'
import type { Database } from '../connection/database.ts'

/** Runs within the caller's transaction. */
export function recordAttempts(
  database: Database,
  owner: string,
  results: readonly AttemptResult[],
  now: number,
): FailingWatch[] {
  const watchResults: WatchResult[] = []
  const others: AttemptResult[] = []
  const ids = new Set<string>()
  for (const result of results.toSorted((one, other) => one.at - other.at)) {
    // Only the earliest result of a delivery can be its first attempt.
    const isFirst = result.outcome === 'delivered' && !ids.has(result.deliveryId)
    const watchId = isFirst ? finishAtFirstAttempt(database, owner, result, now) : null
    if (watchId !== null) watchResults.push({ watchId, result })
    else {
      others.push(result)
      ids.add(result.deliveryId)
    }
  }
  const applied = applyResults(owner, others, deliveryStatesOf(database, ids), now)
  for (const state of applied.deliveries) updateDelivery(database, state)
  for (const attempt of applied.attempts) insertAttempt(database, attempt)
  return updateFailingSince(database, outcomesByWatch([...watchResults, ...applied.watchResults]))
}

/**
 * Records a success at the first attempt, the most frequent case, in one statement. Returns null if
 * the delivery was attempted before or the owner does not hold its lease.
 */
function finishAtFirstAttempt(database: Database, owner: string, result: AttemptResult, now: number): string | null {
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

function deliveryStatesOf(database: Database, ids: Iterable<string>): DeliveryState[] {
  return Array.from(ids).flatMap((id) =>
    database.all<DeliveryState>(
      'SELECT id, watch_id, status, attempts, tries, due_at, lease_owner, finished_at FROM deliveries WHERE id = ?',
      [id],
    ),
  )
}

function updateDelivery(
  database: Database,
  { id, status, attempts, tries, due_at, lease_owner, finished_at }: DeliveryState,
): void {
  database.run(
    `UPDATE deliveries SET status = ?, attempts = ?, tries = ?, due_at = ?, lease_owner = ?, finished_at = ?
     WHERE id = ?`,
    [status, attempts, tries, due_at, lease_owner, finished_at, id],
  )
}

function insertAttempt(database: Database, attempt: NumberedAttempt): void {
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

function updateFailingSince(database: Database, outcomes: ReadonlyMap<string, WatchOutcome>): FailingWatch[] {
  const failed = [...outcomes].filter(([, outcome]) => outcome.failedAt !== null)
  const succeeded = [...outcomes].filter(([, outcome]) => outcome.failedAt === null).map(([watchId]) => watchId)
  database.run(
    `UPDATE watch_progress SET failing_since = NULL
     WHERE failing_since IS NOT NULL AND watch_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(succeeded)],
  )
  return failed.flatMap(([watchId, outcome]) => recordFailure(database, watchId, outcome))
}

function recordFailure(database: Database, watchId: string, outcome: WatchOutcome): FailingWatch[] {
  const watch = database.get<{ accountId: string; before: number | null }>(
    `SELECT watches.account_id AS accountId, watch_progress.failing_since AS before
     FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
     WHERE watches.id = ?`,
    [watchId],
  )
  if (watch === undefined) return []
  const since = failingSinceAfter(outcome, watch.before)
  if (since !== watch.before)
    database.run('UPDATE watch_progress SET failing_since = ? WHERE watch_id = ?', [since, watchId])
  return since === null ? [] : [{ watchId, accountId: watch.accountId, failingSince: since }]
}
