import type { Deliveries, Dispatch, LeaseResult } from '../interface/deliveries.ts'
import { type DeliveryRow, dispatchOf, ENDPOINT_COLUMNS, type TargetRow } from '../queries/delivery-rows.ts'
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
import type { PostgresConnection, Query } from './connection.ts'

/** Nodes read the same queue concurrently: with spare candidates, some remain unclaimed. */
const CANDIDATES_PER_DELIVERY = 4

/** Watches in the first batch, usually enough; each further batch is four times as large. */
const FIRST_WATCH_BATCH = 16

/**
 * Differs from SQLite's: nodes lease at the same time. Candidates are read without locks, in few
 * statements, then those that nobody else has taken are claimed, each in its own transaction.
 */
export function leasing(connection: PostgresConnection): Pick<Deliveries, 'lease' | 'leaseOfWatch'> {
  const cursors = newWatchCursors()
  return {
    lease: (owner, now, until, limit, except) =>
      connection.withConnection((query) => leaseDue(query, cursors, { owner, now, until, limit, except })),

    leaseOfWatch: (owner, watchId, now, until, limit) =>
      connection.withConnection(async (query) => {
        const due = await query<{ id: string }>(
          `SELECT id FROM deliveries
           WHERE status = 'pending' AND lease_owner IS NULL AND critical IN (true, false) AND watch_id = $1 AND due_at <= $2
           ORDER BY critical DESC, due_at, event_seq
           LIMIT $3`,
          [watchId, now, limit],
        )
        const ids = due.map(({ id }) => id)
        const leased = await claimDeliveries(query, ids, { owner, now, until, limit })
        return leased.sort((one, other) => one.delivery.eventSeq - other.delivery.eventSeq)
      }),
  }
}

async function leaseDue(query: Query, cursors: WatchCursors, request: LeaseRequest): Promise<LeaseResult> {
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

/**
 * Releases expired leases, at most `limit` per call; the next call releases more. What their owner
 * sent, if it did, it has not recorded.
 */
async function releaseExpiredLeases(query: Query, { now, limit }: LeaseRequest): Promise<void> {
  await query(
    `UPDATE deliveries SET lease_owner = NULL, maybe_attempted = true
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

/** Reads the front of the queue; if more is due, fills half of the limit watch by watch. */
async function collectDue(
  query: Query,
  cursor: WatchCursor,
  critical: boolean,
  request: LeaseRequest,
): Promise<Candidates> {
  const limit = request.limit * CANDIDATES_PER_DELIVERY
  const rowLimit = Math.max(MIN_QUEUE_ROWS, limit * ROWS_PER_DELIVERY)
  const queue = await query<Candidate>(
    `SELECT queue.id, queue.watch_id, watches.account_id
     FROM (
       SELECT id, watch_id, due_at FROM deliveries
       WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND due_at <= $2
       ORDER BY due_at
       LIMIT $3
     ) AS queue
     LEFT JOIN watches ON watches.id = queue.watch_id
     ORDER BY queue.due_at`,
    [String(critical), request.now, rowLimit],
  )
  const excluded = new Set([...request.except.accountIds, ...request.except.watchIds])
  const candidates = queue.filter(({ watch_id, account_id }) => !excluded.has(watch_id) && !excluded.has(account_id!))
  if (queue.length < rowLimit) return { ids: inTurns(candidates, limit), more: candidates.length > request.limit }
  const walked = await walkWatches(query, cursor, critical, request, limit - Math.min(candidates.length, limit >> 1))
  const ids = new Set(walked.ids)
  for (const id of inTurns(candidates, limit)) if (ids.size < limit) ids.add(id)
  return { ids: [...ids], more: walked.more || candidates.length > 0 }
}

/** Jumps from watch to watch in the index without reading all of their deliveries. */
async function walkWatches(
  query: Query,
  cursor: WatchCursor,
  critical: boolean,
  request: LeaseRequest,
  limit: number,
): Promise<Candidates> {
  const ids: string[] = []
  let looked = 0
  for (const from of walkStartsOf(cursor)) {
    cursor.afterWatchId = from
    for (let batch = FIRST_WATCH_BATCH, atEnd = false; !atEnd; batch *= 4) {
      const watches = await watchesAfter(query, cursor.afterWatchId, batch, critical, request)
      for (const { watch_id, due } of watches) {
        if (ids.length >= limit) return { ids, more: true }
        cursor.afterWatchId = watch_id
        ids.push(...due)
      }
      looked += watches.length
      if (looked >= MAX_WATCHES_PER_CALL) return { ids, more: ids.length > 0 }
      atEnd = watches.length < batch
    }
    cursor.afterWatchId = ''
  }
  return { ids, more: false }
}

async function watchesAfter(query: Query, after: string, batch: number, critical: boolean, request: LeaseRequest) {
  return query<{ watch_id: string; due: string[] }>(
    `WITH RECURSIVE walk (watch_id, place) AS (
       SELECT (SELECT watch_id FROM deliveries
               WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND watch_id > $3
               ORDER BY watch_id LIMIT 1), 1
       UNION ALL
       SELECT (SELECT watch_id FROM deliveries
               WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND watch_id > walk.watch_id
               ORDER BY watch_id LIMIT 1), walk.place + 1
       FROM walk WHERE walk.watch_id IS NOT NULL AND walk.place < $4
     )
     SELECT walk.watch_id,
            CASE WHEN walk.watch_id = ANY($5::text[]) OR watches.account_id = ANY($6::text[]) THEN '{}' ELSE ARRAY(
              SELECT id FROM deliveries
              WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND watch_id = walk.watch_id
                AND due_at <= $2
              ORDER BY due_at
              LIMIT $7
            ) END AS due
     FROM walk LEFT JOIN watches ON watches.id = walk.watch_id
     WHERE walk.watch_id IS NOT NULL
     ORDER BY walk.place`,
    [
      String(critical),
      request.now,
      after,
      batch,
      request.except.watchIds,
      request.except.accountIds,
      deliveriesPerWatch(request.limit),
    ],
  )
}

/** Leases deliveries; parks those whose watch is inactive, fails those whose watch is removed. */
async function claimDeliveries(
  query: Query,
  ids: readonly string[],
  request: Omit<LeaseRequest, 'except'>,
): Promise<Dispatch[]> {
  if (ids.length === 0) return []
  const rows = await query<DeliveryRow & TargetRow>(
    `WITH claimed AS (
       SELECT deliveries.id, deliveries.due_at AS was_due_at, watches.status AS watch_status
       FROM unnest($1::text[]) WITH ORDINALITY AS chosen (id, place)
       JOIN deliveries ON deliveries.id = chosen.id
       LEFT JOIN watches ON watches.id = deliveries.watch_id
       WHERE deliveries.status = 'pending' AND deliveries.lease_owner IS NULL AND deliveries.due_at <= $2
       ORDER BY chosen.place
       LIMIT $3
       FOR UPDATE OF deliveries SKIP LOCKED
     ), failed AS (
       UPDATE deliveries SET status = 'failed', due_at = NULL, finished_at = $2
       FROM claimed WHERE deliveries.id = claimed.id AND claimed.watch_status IS NULL
     ), parked AS (
       UPDATE deliveries SET due_at = $6
       FROM claimed WHERE deliveries.id = claimed.id AND claimed.watch_status <> 'active'
     ), leased AS (
       UPDATE deliveries SET lease_owner = $4, due_at = $5
       FROM claimed WHERE deliveries.id = claimed.id AND claimed.watch_status = 'active'
       RETURNING deliveries.*, claimed.was_due_at
     )
     SELECT leased.*, ${ENDPOINT_COLUMNS},
            watches.account_id, watch_progress.failing_since
     FROM leased
     JOIN watches ON watches.id = leased.watch_id
     JOIN watch_progress ON watch_progress.watch_id = leased.watch_id
     ORDER BY leased.was_due_at`,
    [ids, request.now, request.limit, request.owner, request.until, PARKED_DUE_AT],
  )
  return rows.map(dispatchOf)
}
