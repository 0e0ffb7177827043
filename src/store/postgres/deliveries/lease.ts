import type { Dispatch, Leased } from '../../deliveries.ts'
import { type DeliveryRow, dispatchOf, type EndpointRow } from '../../shared/delivery-rows.ts'
import {
  checkWish,
  HOSTS,
  type HostTurn,
  type HostTurns,
  type LeaseWish,
  SHARE,
  WINDOW,
  walksOf,
} from '../../shared/lease.ts'
import type { Query } from '../connection/connection.ts'

/** Other nodes look at the same queue at the same time: whoever has more to choose from finds some that are free. */
const CHOICE = 4

/** How many hosts are looked at first; the next time four times as many: most often these have enough. */
const FIRST_BATCH = 16

/** Each statement a transaction of its own: what is due is looked for without a lock, and claimed with one. */
export async function leaseDue(query: Query, turns: HostTurns, wish: LeaseWish): Promise<Leased> {
  checkWish(wish)
  await takeBack(query, wish)
  const critical = await collect(query, turns.critical, true, wish)
  const first = await claim(query, critical.ids, wish)
  const left = { ...wish, limit: wish.limit - first.length }
  if (left.limit === 0) return { dispatches: first, more: true }
  const rest = await collect(query, turns.rest, false, left)
  const dispatches = [...first, ...(await claim(query, rest.ids, left))]
  return { dispatches, more: critical.more || rest.more }
}

/** What a lease has run out for is due again, for anybody. As many as are asked for will do: the next call takes back more. */
async function takeBack(query: Query, { now, limit }: LeaseWish): Promise<void> {
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

/** Along the queue; where its beginning is all for hosts that are left out, host by host. */
async function collect(query: Query, turn: HostTurn, critical: boolean, wish: LeaseWish): Promise<Candidates> {
  const window = wish.limit * CHOICE + WINDOW
  const [queue] = await query<{ looked: number; ids: string[] }>(
    `WITH queue AS MATERIALIZED (
       SELECT id, host, due_at FROM deliveries
       WHERE status = 'pending' AND lease_owner IS NULL AND critical = $1 AND due_at <= $2
       ORDER BY due_at
       LIMIT $3
     )
     SELECT (SELECT count(*) FROM queue) AS looked,
            ARRAY(SELECT id FROM queue WHERE host <> ALL($4::text[]) ORDER BY due_at LIMIT $5) AS ids`,
    [String(critical), wish.now, window, wish.exceptHosts, wish.limit * CHOICE],
  )
  const { looked, ids } = queue!
  if (ids.length >= wish.limit || looked < window) return { ids, more: ids.length >= wish.limit }
  return byHost(query, turn, critical, wish, new Set(ids))
}

async function byHost(
  query: Query,
  turn: HostTurn,
  critical: boolean,
  wish: LeaseWish,
  ids: Set<string>,
): Promise<Candidates> {
  let looked = 0
  let more = false
  for (const from of walksOf(turn)) {
    turn.afterHost = from
    for (let batch = FIRST_BATCH, atEnd = false; !atEnd; batch *= 4) {
      const hosts = await hostsAfter(query, turn.afterHost, batch, critical, wish)
      for (const { host, due } of hosts) {
        if (ids.size >= wish.limit * CHOICE) return { ids: [...ids], more: true }
        turn.afterHost = host
        for (const id of due) ids.add(id)
        more ||= due.length === SHARE
      }
      looked += hosts.length
      if (looked >= HOSTS) return { ids: [...ids], more: ids.size > 0 }
      atEnd = hosts.length < batch
    }
    turn.afterHost = ''
  }
  return { ids: [...ids], more: more || ids.size >= wish.limit }
}

/** From host to host along the index, without a step for each of their deliveries. */
async function hostsAfter(query: Query, after: string, batch: number, critical: boolean, wish: LeaseWish) {
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
    [String(critical), wish.now, after, batch, wish.exceptHosts, SHARE],
  )
}

/** Those whose watch is not there to be told leave the queue: met once, they are never in anybody's way again. */
async function claim(query: Query, ids: readonly string[], wish: LeaseWish): Promise<Dispatch[]> {
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
     SELECT leased.*, watches.url, watches.secret, watches.previous_secret, watches.previous_secret_expires_at
     FROM leased JOIN watches ON watches.id = leased.watch_id
     ORDER BY leased.was_due_at`,
    [ids, wish.now, wish.limit, wish.owner, wish.until],
  )
  return rows.map(dispatchOf)
}
