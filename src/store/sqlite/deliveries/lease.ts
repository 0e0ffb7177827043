import type { Dispatch, LeaseResult } from '../../deliveries.ts'
import {
  type Candidate,
  checkLeaseRequest,
  deliveriesPerWatch,
  inTurns,
  type LeaseRequest,
  MAX_WATCHES_PER_CALL,
  MIN_QUEUE_ROWS,
  PARKED_DUE_AT,
  ROWS_PER_DELIVERY,
  type WatchCursor,
  type WatchCursors,
  walkStartsOf,
} from '../../shared/lease.ts'
import { type DeliveryRow, dispatchOf, type TargetRow } from '../../shared/rows/delivery-rows.ts'
import type { Database } from '../connection/database.ts'

/** Runs within the caller's transaction. */
export function leaseDue(database: Database, cursors: WatchCursors, request: LeaseRequest): LeaseResult {
  checkLeaseRequest(request)
  releaseExpiredLeases(database, request)
  const critical = collectDue(database, cursors.critical, 1, request, request.limit)
  const rest = collectDue(database, cursors.rest, 0, request, request.limit - critical.ids.length)
  const ids = [...critical.ids, ...rest.ids]
  const dispatches = ids.flatMap((id) => claimDelivery(database, id, request))
  return { dispatches, more: ids.length > 0 && (critical.more || rest.more) }
}

/** Releases expired leases, at most `limit` per call; the next call releases more. */
function releaseExpiredLeases(database: Database, { now, limit }: LeaseRequest): void {
  database.run(
    `UPDATE deliveries SET lease_owner = NULL
     WHERE id IN (SELECT id FROM deliveries WHERE lease_owner IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?)`,
    [now, limit],
  )
}

interface Collected {
  readonly ids: readonly string[]
  /** Whether more may be due. */
  readonly more: boolean
}

/** Reads the front of the queue; if more is due, fills half of the limit watch by watch. */
function collectDue(
  database: Database,
  cursor: WatchCursor,
  critical: 0 | 1,
  request: LeaseRequest,
  limit: number,
): Collected {
  if (limit === 0) return { ids: [], more: true }
  const rowLimit = Math.max(MIN_QUEUE_ROWS, limit * ROWS_PER_DELIVERY)
  const queue = database.all<Candidate>(
    `SELECT deliveries.id, deliveries.watch_id, watches.account_id
     FROM deliveries LEFT JOIN watches ON watches.id = deliveries.watch_id
     WHERE deliveries.status = 'pending' AND deliveries.lease_owner IS NULL AND deliveries.critical = ?
       AND deliveries.due_at <= ?
     ORDER BY deliveries.due_at
     LIMIT ?`,
    [critical, request.now, rowLimit],
  )
  const excluded = new Set([...request.except.accountIds, ...request.except.watchIds])
  const candidates = queue.filter(({ watch_id, account_id }) => !excluded.has(watch_id) && !excluded.has(account_id!))
  if (queue.length < rowLimit) return { ids: inTurns(candidates, limit), more: candidates.length > limit }
  const walked = walkWatches(
    database,
    cursor,
    critical,
    request,
    excluded,
    limit - Math.min(candidates.length, limit >> 1),
  )
  const ids = new Set(walked.ids)
  for (const id of inTurns(candidates, limit)) if (ids.size < limit) ids.add(id)
  return { ids: [...ids], more: walked.more || candidates.length > 0 }
}

/** Jumps from watch to watch in the index without reading all of their deliveries. */
function walkWatches(
  database: Database,
  cursor: WatchCursor,
  critical: 0 | 1,
  request: LeaseRequest,
  excluded: ReadonlySet<string>,
  limit: number,
): Collected {
  const perWatch = deliveriesPerWatch(request.limit)
  const ids: string[] = []
  let looked = 0
  for (const from of walkStartsOf(cursor)) {
    cursor.afterWatchId = from
    for (let watch = nextWatch(database, critical, from); watch !== null; ) {
      if (ids.length >= limit || looked++ === MAX_WATCHES_PER_CALL) return { ids, more: ids.length > 0 }
      cursor.afterWatchId = watch.id
      if (!excluded.has(watch.id) && !excluded.has(watch.account_id!))
        ids.push(...dueOfWatch(database, watch.id, critical, request.now, Math.min(perWatch, limit - ids.length)))
      watch = nextWatch(database, critical, watch.id)
    }
    cursor.afterWatchId = ''
  }
  return { ids, more: false }
}

function nextWatch(database: Database, critical: 0 | 1, after: string) {
  const watch = database.get<{ id: string; account_id: string | null }>(
    `SELECT next.watch_id AS id, watches.account_id
     FROM (
       SELECT watch_id FROM deliveries
       WHERE status = 'pending' AND lease_owner IS NULL AND critical = ? AND watch_id > ?
       ORDER BY watch_id
       LIMIT 1
     ) AS next
     LEFT JOIN watches ON watches.id = next.watch_id`,
    [critical, after],
  )
  return watch ?? null
}

function dueOfWatch(database: Database, watchId: string, critical: 0 | 1, now: number, limit: number): string[] {
  const due = database.all<{ id: string }>(
    `SELECT id FROM deliveries
     WHERE status = 'pending' AND lease_owner IS NULL AND critical = ? AND watch_id = ? AND due_at <= ?
     ORDER BY due_at
     LIMIT ?`,
    [critical, watchId, now, limit],
  )
  return due.map(({ id }) => id)
}

/** Leases a delivery; parks it if its watch is inactive, fails it if the watch is removed. */
function claimDelivery(database: Database, id: string, { owner, now, until }: LeaseRequest): Dispatch[] {
  const watch = database.get<TargetRow & { status: string }>(
    `SELECT watches.status, watches.url, watches.secrets,
            watches.account_id, watch_progress.failing_since
     FROM deliveries
     JOIN watches ON watches.id = deliveries.watch_id
     JOIN watch_progress ON watch_progress.watch_id = watches.id
     WHERE deliveries.id = ?`,
    [id],
  )
  if (watch === undefined) {
    database.run(`UPDATE deliveries SET status = 'failed', due_at = NULL, finished_at = ? WHERE id = ?`, [now, id])
    return []
  }
  if (watch.status !== 'active') {
    database.run('UPDATE deliveries SET due_at = ? WHERE id = ?', [PARKED_DUE_AT, id])
    return []
  }
  const row = database.get<DeliveryRow>('UPDATE deliveries SET lease_owner = ?, due_at = ? WHERE id = ? RETURNING *', [
    owner,
    until,
    id,
  ])
  return [dispatchOf({ ...watch, ...row! })]
}
