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
import type { Database } from '../connection/database.ts'

/** Within the caller's transaction. */
export function leaseDue(database: Database, turns: HostTurns, wish: LeaseWish): Leased {
  checkWish(wish)
  takeBack(database, wish)
  const ids = new Set<string>()
  const critical = collect(database, turns.critical, 1, wish, ids)
  const rest = collect(database, turns.rest, 0, wish, ids)
  const dispatches = Array.from(ids).flatMap((id) => claim(database, id, wish))
  return { dispatches, more: ids.size > 0 && (critical.more || rest.more) }
}

/** What a lease has run out for is due again, for anybody. As many as are asked for will do: the next call takes back more. */
function takeBack(database: Database, { now, limit }: LeaseWish): void {
  database.run(
    `UPDATE deliveries SET lease_owner = NULL
     WHERE id IN (SELECT id FROM deliveries WHERE lease_owner IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?)`,
    [now, limit],
  )
}

/** Along the queue; where its beginning is all for hosts that are left out, host by host. */
function collect(database: Database, turn: HostTurn, critical: 0 | 1, wish: LeaseWish, ids: Set<string>) {
  if (ids.size === wish.limit) return { more: true }
  const except = new Set(wish.exceptHosts)
  const window = wish.limit - ids.size + (except.size === 0 ? 0 : WINDOW)
  const queue = database.all<{ id: string; host: string }>(
    `SELECT id, host FROM deliveries
     WHERE status = 'pending' AND lease_owner IS NULL AND critical = ? AND due_at <= ?
     ORDER BY due_at
     LIMIT ?`,
    [critical, wish.now, window],
  )
  for (const { id, host } of queue) {
    if (ids.size < wish.limit && !except.has(host)) ids.add(id)
  }
  if (ids.size === wish.limit || queue.length < window) return { more: ids.size === wish.limit }
  let looked = 0
  let more = false
  for (const from of walksOf(turn)) {
    turn.afterHost = from
    for (let host = nextHost(database, critical, from); host !== null; host = nextHost(database, critical, host)) {
      if (ids.size === wish.limit || looked++ === HOSTS) return { more: true }
      turn.afterHost = host
      if (!except.has(host)) more = addOf(database, host, critical, wish, ids) || more
    }
    turn.afterHost = ''
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

/** Whether the host has more than its share. */
function addOf(database: Database, host: string, critical: 0 | 1, wish: LeaseWish, ids: Set<string>): boolean {
  const share = Math.min(SHARE, wish.limit - ids.size)
  const due = database.all<{ id: string }>(
    `SELECT id FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND critical = ? AND host = ? AND due_at <= ?
     ORDER BY due_at
     LIMIT ?`,
    [critical, host, wish.now, share],
  )
  for (const { id } of due) ids.add(id)
  return due.length === share
}

/** One whose watch is not there to be told leaves the queue: met once, it is never in anybody's way again. */
function claim(database: Database, id: string, { owner, now, until }: LeaseWish): Dispatch[] {
  const watch = database.get<EndpointRow & { status: string }>(
    `SELECT watches.status, watches.url, watches.secret, watches.previous_secret, watches.previous_secret_expires_at
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
