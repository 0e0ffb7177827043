import type { Dispatch, FullQueues, LeaseResult } from '../interface/deliveries.ts'
import { type DeliveryRow, deliveryOf, ENDPOINT_COLUMNS, type TargetRow, targetOf } from '../queries/delivery-rows.ts'
import {
  type Candidate,
  checkLeaseRequest,
  deliveriesPerWatch,
  inTurns,
  type LeaseRequest,
  MAX_WATCHES_PER_CALL,
  MIN_QUEUE_ROWS,
  newWatchCursors,
  PARKED_DUE_AT,
  ROWS_PER_DELIVERY,
  type WatchCursor,
  type WatchCursors,
  walkStartsOf,
} from '../queries/lease.ts'
import type { Database } from './database.ts'

/**
 * Differs from PostgreSQL's: a write is alone here, so that the candidates are the deliveries that
 * it claims, and lookups one by one cost no message to a server.
 */
export function leasing(database: Database) {
  const cursors = newWatchCursors()
  return {
    lease(owner: string, now: number, until: number, limit: number, except: FullQueues): LeaseResult {
      return database.transaction(() => leaseDue(database, cursors, { owner, now, until, limit, except }))
    },

    leaseOfWatch(owner: string, watchId: string, now: number, until: number, limit: number): Dispatch[] {
      const dueOf = (critical: 0 | 1) => dueOfWatch(database, watchId, critical, now, limit)
      return database.transaction(() => {
        const due = [...dueOf(1), ...dueOf(0)].slice(0, limit)
        const leased = claimDeliveries(database, due, { owner, now, until })
        return leased.sort((one, other) => one.delivery.eventSeq - other.delivery.eventSeq)
      })
    },
  }
}

function leaseDue(database: Database, cursors: WatchCursors, request: LeaseRequest): LeaseResult {
  checkLeaseRequest(request)
  releaseExpiredLeases(database, request)
  const critical = collectDue(database, cursors.critical, 1, request, request.limit)
  const rest = collectDue(database, cursors.rest, 0, request, request.limit - critical.due.length)
  const due = [...critical.due, ...rest.due]
  return { dispatches: claimDeliveries(database, due, request), more: due.length > 0 && (critical.more || rest.more) }
}

/**
 * Releases expired leases, at most `limit` per call; the next call releases more. What their owner
 * sent, if it did, it has not recorded.
 */
function releaseExpiredLeases(database: Database, { now, limit }: LeaseRequest): void {
  database.run(
    `UPDATE deliveries SET lease_owner = NULL, maybe_attempted = 1
     WHERE id IN (SELECT id FROM deliveries WHERE lease_owner IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT +?)`,
    [now, limit],
  )
}

interface DueDelivery {
  readonly id: string
  readonly watchId: string
}

interface Collected {
  readonly due: readonly DueDelivery[]
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
  if (limit === 0) return { due: [], more: true }
  const rowLimit = Math.max(MIN_QUEUE_ROWS, limit * ROWS_PER_DELIVERY)
  const queue = frontOfQueue(database, critical, request.now, rowLimit)
  const excluded = new Set([...request.except.accountIds, ...request.except.watchIds])
  const candidates = queue.filter(({ watch_id, account_id }) => !excluded.has(watch_id) && !excluded.has(account_id!))
  const watchOf = new Map(candidates.map(({ id, watch_id }) => [id, watch_id]))
  const inOrder = inTurns(candidates, limit).map((id) => ({ id, watchId: watchOf.get(id)! }))
  if (queue.length < rowLimit) return { due: inOrder, more: candidates.length > limit }
  const walked = walkWatches(
    database,
    cursor,
    critical,
    request,
    excluded,
    limit - Math.min(candidates.length, limit >> 1),
  )
  const due = new Map(walked.due.map((delivery) => [delivery.id, delivery]))
  for (const delivery of inOrder) if (due.size < limit) due.set(delivery.id, delivery)
  return { due: [...due.values()], more: walked.more || candidates.length > 0 }
}

/**
 * The accounts are read once for each watch: joining them to each row doubles the cost of a lease.
 */
function frontOfQueue(database: Database, critical: 0 | 1, now: number, limit: number): Candidate[] {
  const rows = database.all<Pick<Candidate, 'id' | 'watch_id'>>(
    `SELECT id, watch_id FROM deliveries
     WHERE status = 'pending' AND lease_owner IS NULL AND critical = +? AND due_at <= ?
     ORDER BY due_at
     LIMIT +?`,
    [critical, now, limit],
  )
  if (rows.length === 0) return []
  const watches = database.all<{ id: string; account_id: string }>(
    'SELECT watches.id, account_id FROM json_each(?) AS asked JOIN watches ON watches.id = asked.value',
    [JSON.stringify([...new Set(rows.map(({ watch_id }) => watch_id))])],
  )
  const accounts = new Map(watches.map(({ id, account_id }) => [id, account_id]))
  return rows.map(({ id, watch_id }) => ({ id, watch_id, account_id: accounts.get(watch_id) ?? null }))
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
  const due: DueDelivery[] = []
  let looked = 0
  for (const from of walkStartsOf(cursor)) {
    cursor.afterWatchId = from
    for (let watch = nextWatch(database, critical, from); watch !== null; ) {
      if (due.length >= limit || looked++ === MAX_WATCHES_PER_CALL) return { due, more: due.length > 0 }
      cursor.afterWatchId = watch.id
      if (!excluded.has(watch.id) && !excluded.has(watch.account_id!))
        due.push(...dueOfWatch(database, watch.id, critical, request.now, Math.min(perWatch, limit - due.length)))
      watch = nextWatch(database, critical, watch.id)
    }
    cursor.afterWatchId = ''
  }
  return { due, more: false }
}

function nextWatch(database: Database, critical: 0 | 1, after: string) {
  const watch = database.get<{ id: string; account_id: string | null }>(
    `SELECT next.watch_id AS id, watches.account_id
     FROM (
       SELECT watch_id FROM deliveries
       WHERE status = 'pending' AND lease_owner IS NULL AND critical = +? AND watch_id > ?
       ORDER BY watch_id
       LIMIT 1
     ) AS next
     LEFT JOIN watches ON watches.id = next.watch_id`,
    [critical, after],
  )
  return watch ?? null
}

function dueOfWatch(database: Database, watchId: string, critical: 0 | 1, now: number, limit: number): DueDelivery[] {
  const due = database.all<{ id: string }>(
    `SELECT id FROM deliveries
     WHERE status = 'pending' AND lease_owner IS NULL AND critical = +? AND watch_id = +? AND due_at <= ?
     ORDER BY due_at
     LIMIT +?`,
    [critical, watchId, now, limit],
  )
  return due.map(({ id }) => ({ id, watchId }))
}

/** Leases deliveries; parks those of an inactive watch, fails those of a removed one. */
function claimDeliveries(
  database: Database,
  due: readonly DueDelivery[],
  request: Pick<LeaseRequest, 'owner' | 'now' | 'until'>,
): Dispatch[] {
  if (due.length === 0) return []
  const targets = targetsOf(database, new Set(due.map(({ watchId }) => watchId)))
  const active: string[] = []
  for (const { id, watchId } of due) {
    const target = targets.get(watchId)
    if (target?.status === 'active') active.push(id)
    else if (target === undefined) failOrphan(database, id, request.now)
    else database.run('UPDATE deliveries SET due_at = ? WHERE id = ?', [PARKED_DUE_AT, id])
  }
  const rows = database.all<DeliveryRow>(
    `UPDATE deliveries SET lease_owner = ?, due_at = ?
     WHERE id IN (SELECT value FROM json_each(?))
     RETURNING *`,
    [request.owner, request.until, JSON.stringify(active)],
  )
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  // In the order of the turns.
  return active.map((id) => dispatchTo(rowOf.get(id)!, targets))
}

function failOrphan(database: Database, id: string, now: number): void {
  database.run(`UPDATE deliveries SET status = 'failed', due_at = NULL, finished_at = ? WHERE id = ?`, [now, id])
}

interface LeaseTarget extends ReturnType<typeof targetOf> {
  readonly status: string
}

function targetsOf(database: Database, watchIds: ReadonlySet<string>): ReadonlyMap<string, LeaseTarget> {
  const rows = database.all<TargetRow & { id: string; status: string }>(
    `SELECT watches.id, watches.status, ${ENDPOINT_COLUMNS},
            watches.account_id, watch_progress.failing_since
     FROM json_each(?) AS asked
     JOIN watches ON watches.id = asked.value
     JOIN watch_progress ON watch_progress.watch_id = watches.id`,
    [JSON.stringify([...watchIds])],
  )
  return new Map(rows.map((row) => [row.id, { ...targetOf(row), status: row.status }]))
}

function dispatchTo(row: DeliveryRow, targets: ReadonlyMap<string, LeaseTarget>): Dispatch {
  const { endpoint, accountId, failing } = targets.get(row.watch_id)!
  return { delivery: deliveryOf(row), endpoint, accountId, failing, postponed: Boolean(row.postponed) }
}
