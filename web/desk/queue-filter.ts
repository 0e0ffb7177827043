import { STATUSES, type Status } from '../../src/domain/incident.ts'
import { DESK_ORDERS, type DeskOrder, ORIGINS, type Origin, searchText } from '../../src/domain/moderation.ts'
import { SEVERITIES } from '../../src/domain/taxonomy.ts'
import { foldedWords } from '../../src/lib/text.ts'
import type { DeskIncident } from './desk-api.ts'

const CLAIMED = ['me', 'none'] as const
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

/** Whether an incident belongs to the list, as the service decides it. */
export function matchesFilter(incident: DeskIncident, filter: QueueFilter, me: string, now: number): boolean {
  if (incident.status !== filter.status) return false
  if (filter.origin !== null && incident.desk.origin !== filter.origin) return false
  const claimedBy = claimHolder(incident, now)
  if (filter.claimed === 'me' && claimedBy !== me) return false
  if (filter.claimed === 'none' && claimedBy !== null) return false
  return hasWords(incident, filter.words)
}

/** The account with a claim that has not lapsed. */
export function claimHolder({ desk: { claim } }: DeskIncident, now: number): string | null {
  return claim !== null && Date.parse(claim.until) > now ? claim.by.account_id : null
}

function hasWords(incident: DeskIncident, words: string): boolean {
  const present = searchText(incident)
  return foldedWords(words).every((word) => present.includes(` ${word}`))
}

type Compare = (one: DeskIncident, other: DeskIncident) => number

function timeOf(incident: DeskIncident): string {
  return incident.status === 'confirmed' ? (incident.published_at ?? incident.reported_at) : incident.reported_at
}

const newest: Compare = (one, other) => compareTexts(timeOf(other), timeOf(one)) || compareTexts(other.id, one.id)

const BY_ORDER: Readonly<Record<DeskOrder, Compare>> = {
  newest,
  oldest: (one, other) => newest(other, one),
  severity: (one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity) || newest(one, other),
  confidence: (one, other) => other.confidence - one.confidence || newest(one, other),
}

/** The order of the list; confirmed incidents are ordered by time only. */
export function compareFor({ order, status }: Pick<QueueFilter, 'order' | 'status'>): Compare {
  return status === 'confirmed' && order !== 'oldest' ? newest : BY_ORDER[order]
}

/** Returns the rows with the incident at its place, and without its earlier form. */
export function withRow(rows: readonly DeskIncident[], incident: DeskIncident, compare: Compare): DeskIncident[] {
  const others = rows.filter(({ id }) => id !== incident.id)
  let [low, high] = [0, others.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(others[middle]!, incident) <= 0) low = middle + 1
    else high = middle
  }
  others.splice(low, 0, incident)
  return others
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
