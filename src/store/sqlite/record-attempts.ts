import { storableExcerpt } from '../../domain/delivery.ts'
import type { FailureHistory } from '../../domain/watch-health.ts'
import type { AttemptResult, FailingWatch } from '../interface/deliveries.ts'
import {
  applyResults,
  type DeliveryState,
  failuresText,
  healthUpdateOf,
  type NumberedAttempt,
  resultsByWatch,
  type WatchHealthRow,
  type WatchResult,
  watchesWithFailure,
} from '../queries/attempt-results.ts'
import type { Database } from './database.ts'

/**
 * Runs within the caller's transaction. Differs from PostgreSQL's: a first attempt that succeeds,
 * which is most of them, is one statement without reading.
 */
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
    if (isFirst && finishAtFirstAttempt(database, owner, result, now))
      watchResults.push({ watchId: result.watchId, result })
    else {
      others.push(result)
      ids.add(result.deliveryId)
    }
  }
  const applied = applyResults(owner, others, deliveryStatesOf(database, ids), now)
  for (const state of applied.deliveries) updateDelivery(database, state)
  for (const attempt of applied.attempts) insertAttempt(database, attempt)
  return updateHealth(database, resultsByWatch([...watchResults, ...applied.watchResults]))
}

/**
 * Records a success at the first attempt, the most frequent case, in one statement; returns whether
 * it did. It does not if the delivery was attempted before or the owner does not hold its lease.
 */
function finishAtFirstAttempt(database: Database, owner: string, result: AttemptResult, now: number): boolean {
  const changed = database.run(
    `UPDATE deliveries
     SET status = 'delivered', attempts = 1, tries = 1, due_at = NULL, lease_owner = NULL, finished_at = ?,
         first_at = ?, first_duration = ?, first_status_code = ?, first_answer = ?,
         first_content_seq = ?
     WHERE id = ? AND lease_owner = ? AND attempts = 0`,
    [
      now,
      result.at,
      result.duration,
      result.statusCode,
      storableExcerpt(result.answer),
      result.contentSeq,
      result.deliveryId,
      owner,
    ],
  )
  return changed === 1
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
    `UPDATE deliveries
     SET status = ?, attempts = ?, tries = ?, due_at = ?, lease_owner = ?, finished_at = ?, postponed = 0
     WHERE id = ?`,
    [status, attempts, tries, due_at, lease_owner, finished_at, id],
  )
}

function insertAttempt(database: Database, attempt: NumberedAttempt): void {
  database.run(
    `INSERT INTO attempts (delivery_id, number, at, duration, outcome, status_code, answer, error, content_seq)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      attempt.deliveryId,
      attempt.number,
      attempt.at,
      attempt.duration,
      attempt.outcome,
      attempt.statusCode,
      attempt.answer,
      attempt.error,
      attempt.contentSeq,
    ],
  )
}

/** Most watches succeed and succeeded before: those are not read. */
function updateHealth(database: Database, results: ReadonlyMap<string, readonly AttemptResult[]>): FailingWatch[] {
  const rows = database.all<WatchHealthRow>(
    `SELECT watch_progress.watch_id, watches.account_id, watches.url, watch_progress.failing_since,
            watch_progress.failures, watch_progress.warnings
     FROM json_each(?) AS given
     JOIN watch_progress ON watch_progress.watch_id = given.value
     JOIN watches ON watches.id = watch_progress.watch_id
     WHERE watch_progress.failing_since IS NOT NULL
        OR watch_progress.watch_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...results.keys()]), JSON.stringify(watchesWithFailure(results))],
  )
  return rows.flatMap((row) => {
    const { history, changed, failing } = healthUpdateOf(row, results.get(row.watch_id)!)
    if (changed) writeHealth(database, row.watch_id, history, failing?.warnings ?? 0)
    return failing ?? []
  })
}

function writeHealth(database: Database, watchId: string, history: FailureHistory, warnings: number): void {
  database.run('UPDATE watch_progress SET failing_since = ?, failures = ?, warnings = ? WHERE watch_id = ?', [
    history.failingSince,
    failuresText(history),
    warnings,
    watchId,
  ])
}
