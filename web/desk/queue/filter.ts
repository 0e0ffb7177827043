import { STATUSES, type Status } from '../../../src/domain/incident.ts'
import { DESK_ORDERS, type DeskOrder, ORIGINS, type Origin } from '../../../src/domain/moderation.ts'
import { createStore } from '../../shared/store.ts'

export const CLAIMED = ['me', 'none'] as const
export type Claimed = (typeof CLAIMED)[number]

export interface QueueFilter {
  readonly status: Status
  readonly origin: Origin | null
  readonly claimed: Claimed | null
  readonly words: string
  readonly order: DeskOrder
}

export const DEFAULT_FILTER: QueueFilter = {
  status: 'reported',
  origin: null,
  claimed: null,
  words: '',
  order: 'newest',
}

/** Reads the filter from the page's address; what it does not know is left out. */
export function filterInAddress(address: URLSearchParams): QueueFilter {
  const choice = <Value extends string>(name: string, values: readonly Value[]): Value | null =>
    values.find((value) => value === address.get(name)) ?? null
  return {
    status: choice('status', STATUSES) ?? DEFAULT_FILTER.status,
    origin: choice('origin', ORIGINS),
    claimed: choice('claimed', CLAIMED),
    words: (address.get('q') ?? '').slice(0, 200),
    order: choice('order', DESK_ORDERS) ?? DEFAULT_FILTER.order,
  }
}

/** Writes the filter into an address, without the members that have their default. */
export function writeFilter(filter: QueueFilter, address: URLSearchParams): void {
  const values = {
    status: filter.status === DEFAULT_FILTER.status ? null : filter.status,
    origin: filter.origin,
    claimed: filter.claimed,
    q: filter.words.trim() || null,
    order: filter.order === DEFAULT_FILTER.order ? null : filter.order,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === null) address.delete(name)
    else address.set(name, value)
  }
}

/** The query of `GET /v1/desk/incidents`. */
export function queueQuery(filter: QueueFilter, limit: number, cursor: string | null): URLSearchParams {
  const query = new URLSearchParams({ status: filter.status, limit: String(limit), order: filter.order })
  if (filter.origin !== null) query.set('origin', filter.origin)
  if (filter.claimed !== null) query.set('claimed_by', filter.claimed)
  if (filter.words.trim() !== '') query.set('q', filter.words.trim())
  if (cursor !== null) query.set('cursor', cursor)
  return query
}

export const queueFilter = createStore<QueueFilter>(filterInAddress(new URLSearchParams(location.search)))
