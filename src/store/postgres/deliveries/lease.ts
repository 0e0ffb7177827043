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
import type { Query } from '../connection/connection.ts'

/** Nodes read the same queue concurrently: with spare candidates, some remain unclaimed. */
const CANDIDATES_PER_DELIVERY = 4

/** Hosts in the first batch, usually enough; each further batch is four times as large. */
const FIRST_HOST_BATCH = 16

/** Reads candidates without locks, then claims them in a separate transaction. */
export async function leaseDue(query: Query, cursors: HostCursors, request: LeaseRequest): Promise<LeaseResult> {
  checkLeaseRequest(request)
  await releaseExpiredLeases(query, request)
  const critical = await collectDue(query, cursors.critical, true, request)
  const first = await claimDeliveries(query, critical.ids, request)
  const left = { ...request, limit: request.limit - first.length }
  if (left.limit === 0) return { dispatches: first, more: true }
  const rest = await collectDue(query, cursors.rest, false, left)
  const dispatches = [...first, ...(await claimDeliveries(query, rest.ids, left))]
  return { dispatches, more: critical.more || rest.more }
}

/** Releases expired leases, at most `limit` per call; the next call releases more. */
async function releaseExpiredLeases(query: Query, { now, limit }: LeaseRequest): Promise<void> {
  await query(
    `UPDATE deliveries SET lease_owner = NULL
     WHERE id = ANY (ARRAY(
       SELECT id FROM deliveries WHERE lease_owner IS NOT NULL AND due_at <= $1
       ORDER BY due_at
       LIMIT $2
       FOR UPDATE SKIP LOCKED
     ))`,
    [now, limit],
  )
}

interface Candidates {
  readonly ids: readonly string[]
  readonly more: boolean
}

/** Reads the front of the queue; if that is all for excluded hosts, continues host by host. */
async function collectDue(
  query: Query,
  cursor: HostCursor,
  critical: boolean,
  request: LeaseRequest,
): Promise<Candidates> {
  const rowLimit = request.limit * CANDIDATES_PER_DELIVERY + QUEUE_SCAN_ROWS
  const [queue] = await query<{ looked: number; ids: string[] }>(
    `WITH queue AS MATERIALIZED (
       SELECT id, host, due_at FROM deliveries
       WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND due_at <= $2
       ORDER BY due_at
       LIMIT $3
     )
     SELECT (SELECT count(*) FROM queue) AS looked,
            ARRAY(SELECT id FROM queue WHERE host <> ALL($4::text[]) ORDER BY due_at LIMIT $5) AS ids`,
    [String(critical), request.now, rowLimit, request.exceptHosts, request.limit * CANDIDATES_PER_DELIVERY],
  )
  const { looked, ids } = queue!
  if (ids.length >= request.limit || looked < rowLimit) return { ids, more: ids.length >= request.limit }
  return collectByHost(query, cursor, critical, request, new Set(ids))
}

async function collectByHost(
  query: Query,
  cursor: HostCursor,
  critical: boolean,
  request: LeaseRequest,
  ids: Set<string>,
): Promise<Candidates> {
  let looked = 0
  let more = false
  for (const from of walkStartsOf(cursor)) {
    cursor.afterHost = from
    for (let batch = FIRST_HOST_BATCH, atEnd = false; !atEnd; batch *= 4) {
      const hosts = await hostsAfter(query, cursor.afterHost, batch, critical, request)
      for (const { host, due } of hosts) {
        if (ids.size >= request.limit * CANDIDATES_PER_DELIVERY) return { ids: [...ids], more: true }
        cursor.afterHost = host
        for (const id of due) ids.add(id)
        more ||= due.length === MAX_DELIVERIES_PER_HOST
      }
      looked += hosts.length
      if (looked >= MAX_HOSTS_PER_CALL) return { ids: [...ids], more: ids.size > 0 }
      atEnd = hosts.length < batch
    }
    cursor.afterHost = ''
  }
  return { ids: [...ids], more: more || ids.size >= request.limit }
}

/** Jumps from host to host in the index without reading all of their deliveries. */
async function hostsAfter(query: Query, after: string, batch: number, critical: boolean, request: LeaseRequest) {
  return query<{ host: string; due: string[] }>(
    `WITH RECURSIVE walk (host, place) AS (
       SELECT (SELECT host FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND host > $3
               ORDER BY host LIMIT 1), 1
       UNION ALL
       SELECT (SELECT host FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND host > walk.host
               ORDER BY host LIMIT 1), walk.place + 1
       FROM walk WHERE walk.host IS NOT NULL AND walk.place < $4
     )
     SELECT walk.host,
            CASE WHEN walk.host = ANY($5::text[]) THEN '{}' ELSE ARRAY(
              SELECT id FROM deliveries
              WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND host = walk.host AND due_at <= $2
              ORDER BY due_at
              LIMIT $6
            ) END AS due
     FROM walk
     WHERE walk.host IS NOT NULL
     ORDER BY walk.place`,
    [String(critical), request.now, after, batch, request.exceptHosts, MAX_DELIVERIES_PER_HOST],
  )
}

/** Leases deliveries; fails those whose watch is removed or inactive, so they leave the queue. */
async function claimDeliveries(query: Query, ids: readonly string[], request: LeaseRequest): Promise<Dispatch[]> {
  if (ids.length === 0) return []
  const rows = await query<DeliveryRow & EndpointRow>(
    `WITH claimed AS (
       SELECT deliveries.id, deliveries.due_at AS was_due_at, watches.status AS watch_status
       FROM deliveries LEFT JOIN watches ON watches.id = deliveries.watch_id
       WHERE deliveries.id = ANY($1) AND deliveries.status = 'pending' AND deliveries.lease_owner IS NULL
         AND deliveries.due_at <= $2
       ORDER BY deliveries.due_at
       LIMIT $3
       FOR UPDATE OF deliveries SKIP LOCKED
     ), failed AS (
       UPDATE deliveries SET status = 'failed', due_at = NULL, finished_at = $2
       FROM claimed WHERE deliveries.id = claimed.id AND claimed.watch_status IS DISTINCT FROM 'active'
     ), leased AS (
       UPDATE deliveries SET lease_owner = $4, due_at = $5
       FROM claimed WHERE deliveries.id = claimed.id AND claimed.watch_status = 'active'
       RETURNING deliveries.*, claimed.was_due_at
     )
     SELECT leased.*, watches.url, watches.secrets
     FROM leased JOIN watches ON watches.id = leased.watch_id
     ORDER BY leased.was_due_at`,
    [ids, request.now, request.limit, request.owner, request.until],
  )
  return rows.map(dispatchOf)
}
