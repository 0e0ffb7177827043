import type { FullQueues } from '../interface/deliveries.ts'
import { checkText } from './query.ts'

export interface LeaseRequest {
  readonly owner: string
  readonly now: number
  readonly until: number
  readonly limit: number
  readonly except: FullQueues
}

/** A due delivery, with the account and the watch that it takes a turn of. */
export interface Candidate {
  readonly id: string
  readonly watch_id: string
  /** Null if the watch was removed. */
  readonly account_id: string | null
}

/**
 * Rows read from the front of the queue, for each delivery to lease. One account may have 100,000
 * due there: if there are more than this, watches further back are looked up one by one.
 */
export const ROWS_PER_DELIVERY = 4
export const MIN_QUEUE_ROWS = 200

/** Most watches looked up in one call. */
export const MAX_WATCHES_PER_CALL = 1_000
const MAX_DELIVERIES_PER_WATCH = 10

/** Deliveries from each watch that is looked up: few, so that several have a turn in each call. */
export function deliveriesPerWatch(limit: number): number {
  return Math.min(MAX_DELIVERIES_PER_WATCH, Math.ceil(limit / 4))
}

/** The start of the next walk: calls that end early still reach every watch. */
export interface WatchCursor {
  afterWatchId: string
}

export interface WatchCursors {
  readonly critical: WatchCursor
  readonly rest: WatchCursor
}

export function newWatchCursors(): WatchCursors {
  return { critical: { afterWatchId: '' }, rest: { afterWatchId: '' } }
}

/** A full round: from where the last walk ended, then from the beginning. */
export function walkStartsOf({ afterWatchId }: WatchCursor): readonly string[] {
  return afterWatchId === '' ? [''] : [afterWatchId, '']
}

/** Checks texts that not every call passes to the database: a bad one must always be refused. */
export function checkLeaseRequest({ owner, except }: LeaseRequest): void {
  for (const text of [owner, ...except.accountIds, ...except.watchIds]) checkText(text)
}

/**
 * Chooses up to `limit` of the candidates, which are sorted by the time they are due: accounts have
 * turns, and so have the watches of an account.
 */
export function inTurns(candidates: readonly Candidate[], limit: number): string[] {
  const accounts = new Map<string | null, Map<string, string[]>>()
  for (const { id, watch_id, account_id } of candidates) {
    const watches = accounts.get(account_id) ?? new Map<string, string[]>()
    accounts.set(account_id, watches)
    const ids = watches.get(watch_id) ?? []
    watches.set(watch_id, ids)
    ids.push(id)
  }
  const chosen: string[] = []
  while (chosen.length < limit && accounts.size > 0) {
    for (const [accountId, watches] of accounts) {
      const [watchId, ids] = watches.entries().next().value!
      chosen.push(ids.shift()!)
      // To the end of the order: the watch's next turn comes after those of the account's others.
      watches.delete(watchId)
      if (ids.length > 0) watches.set(watchId, ids)
      if (watches.size === 0) accounts.delete(accountId)
      if (chosen.length === limit) break
    }
  }
  return chosen
}

/**
 * The due time of pending deliveries whose watch is paused or disabled: far beyond any clock, so
 * that leasing never meets them. Resuming the watch makes them due.
 */
export const PARKED_DUE_AT = Date.UTC(9999, 0)
