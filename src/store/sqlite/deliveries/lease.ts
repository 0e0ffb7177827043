import type { Dispatch, LeaseResult } from '../../deliveries.ts'
import { type DeliveryRow, dispatchOf, type EndpointRow } from '../../shared/delivery-rows.ts'
import {
  checkLeaseRequest,
  type HostCursor,
  type HostCursors,
  type LeaseRequest,
  MAX_DELIVERIES_PER_HOST,
  MAX_HOSTS_PER_CALL,
  QUEUE_SCAN_ROWS,
  walkStartsOf,
} from '../../shared/lease.ts'
import type { Database } from '../connection/database.ts'

/** Runs within the caller's transaction. */
export function leaseDue(database: Database, cursors: HostCursors, request: LeaseRequest): LeaseResult {
  checkLeaseRequest(request)
  releaseExpiredLeases(database, request)
  const ids = new Set<string>()
  const critical = collectDue(database, cursors.critical, 1, request, ids)
  const rest = collectDue(database, cursors.rest, 0, request, ids)
  const dispatches = Array.from(ids).flatMap((id) => claimDelivery(database, id, request))
  return { dispatches, more: ids.size > 0 && (critical.more || rest.more) }
}

/** Releases expired leases, at most `limit` per call; the next call releases more. */
function releaseExpiredLeases(database: Database, { now, limit }: LeaseRequest): void {
  database.run(
    `UPDATE deliveries SET lease_owner = NULL
     WHERE id IN (SELECT id FROM deliveries WHERE lease_owner IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?)`,
    [now, limit],
  )
}

/** Reads the front of the queue; if that is all for excluded hosts, continues host by host. */
function collectDue(database: Database, cursor: HostCursor, critical: 0 | 1, request: LeaseRequest, ids: Set<string>) {
  if (ids.size === request.limit) return { more: true }
  const excluded = new Set(request.exceptHosts)
  const rowLimit = request.limit - ids.size + (excluded.size === 0 ? 0 : QUEUE_SCAN_ROWS)
  const queue = database.all<{ id: string; host: string }>(
    `SELECT id, host FROM deliveries
     WHERE status = 'pending' AND lease_owner IS NULL AND critical = ? AND due_at <= ?
     ORDER BY due_at
     LIMIT ?`,
    [critical, request.now, rowLimit],
  )
  for (const { id, host } of queue) {
    if (ids.size < request.limit && !excluded.has(host)) ids.add(id)
  }
  if (ids.size === request.limit || queue.length < rowLimit) return { more: ids.size === request.limit }
  let hostsRead = 0
  let more = false
  for (const from of walkStartsOf(cursor)) {
    cursor.afterHost = from
    for (let host = nextHost(database, critical, from); host !== null; host = nextHost(database, critical, host)) {
      if (ids.size === request.limit || hostsRead++ === MAX_HOSTS_PER_CALL) return { more: true }
      cursor.afterHost = host
      if (!excluded.has(host)) more = addFromHost(database, host, critical, request, ids) || more
    }
    cursor.afterHost = ''
  }
  return { more }
}

function nextHost(database: Database, critical: 0 | 1, after: string): string | null {
  const row = database.get<{ host: string }>(
    `SELECT host FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND critical = ? AND host > ? ORDER BY host LIMIT 1`,
    [critical, after],
  )
  return row?.host ?? null
}

/** Returns true if the host may have more due than were added. */
function addFromHost(
  database: Database,
  host: string,
  critical: 0 | 1,
  request: LeaseRequest,
  ids: Set<string>,
): boolean {
  const limit = Math.min(MAX_DELIVERIES_PER_HOST, request.limit - ids.size)
  const due = database.all<{ id: string }>(
    `SELECT id FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND critical = ? AND host = ? AND due_at <= ?
     ORDER BY due_at
     LIMIT ?`,
    [critical, host, request.now, limit],
  )
  for (const { id } of due) ids.add(id)
  return due.length === limit
}

/** Leases a delivery; fails it if its watch is removed or inactive, so that it leaves the queue. */
function claimDelivery(database: Database, id: string, { owner, now, until }: LeaseRequest): Dispatch[] {
  const watch = database.get<EndpointRow & { status: string }>(
    `SELECT watches.status, watches.url, watches.secrets
     FROM deliveries JOIN watches ON watches.id = deliveries.watch_id
     WHERE deliveries.id = ?`,
    [id],
  )
  if (watch?.status !== 'active') {
    database.run(`UPDATE deliveries SET status = 'failed', due_at = NULL, finished_at = ? WHERE id = ?`, [now, id])
    return []
  }
  const row = database.get<DeliveryRow>('UPDATE deliveries SET lease_owner = ?, due_at = ? WHERE id = ? RETURNING *', [
    owner,
    until,
    id,
  ])
  return [dispatchOf({ ...watch, ...row! })]
}
