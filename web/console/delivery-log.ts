import type { Attempt, Delivery } from '../../client/src/generated/types.ts'
import { DELIVERY_STATUSES } from '../../src/domain/delivery.ts'
import { WATCH_EVENTS } from '../../src/domain/watch.ts'

/** The filters of the log, as its address and the API name them. */
const FILTER_NAMES = ['watch', 'status', 'event', 'since', 'incident'] as const
export type FilterName = (typeof FILTER_NAMES)[number]
export type LogFilter = Readonly<Partial<Record<FilterName, string>>>

export const FILTER_CHOICES: Readonly<Record<'status' | 'event' | 'since', Readonly<Record<string, string>>>> = {
  status: { '': 'Any', ...Object.fromEntries(DELIVERY_STATUSES.map((status) => [status, status])) },
  event: { '': 'Any', ...Object.fromEntries(WATCH_EVENTS.map((event) => [event, event])) },
  since: { '': 'Any time', '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
}

/** Reads the filter from an address; empty members count as absent. */
export function logFilterOf(query: Readonly<Record<string, string>>): LogFilter {
  return Object.fromEntries(FILTER_NAMES.filter((name) => query[name]).map((name) => [name, query[name]!]))
}

const OUTCOME_WORDS: Readonly<Record<Attempt['outcome'], string>> = {
  delivered: 'delivered',
  refused: 'refused',
  timeout: 'no answer in time',
  unreachable: 'not reachable',
  blocked: 'address not allowed',
}

export function attemptText({ status_code, outcome, duration_ms }: NonNullable<Delivery['last_attempt']>): string {
  const answer = status_code === null ? OUTCOME_WORDS[outcome] : `status ${status_code}`
  return `${answer} after ${duration_ms} ms`
}
