import { lastSeqBefore } from '../../../deliveries/recover.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../domain/delivery.ts'
import { type FieldError, invalidParameters, Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { WATCH_EVENTS, type WatchEvent } from '../../../domain/watch.ts'
import type { Filter } from '../../../filter/filter/filter.ts'
import { publishedFrom } from '../../../filter/filter/matches.ts'
import { parseChoice } from '../../../filter/parameter-values.ts'
import {
  AT_ANY_TIME,
  type DeliveryPosition,
  type DeliveryQuery,
  type EventLog,
  MAX_WATCHES_PER_QUERY,
  type Store,
} from '../../../store/store.ts'
import { invalidCursor } from '../../requests/parameters.ts'

/** The filters of the log as a client gives them. */
export interface DeliveryFilters {
  readonly status: DeliveryStatus | null
  readonly event: WatchEvent | null
  readonly incident: string | null
  /** The time of the event; of a test, the time at which it was sent. */
  readonly times: Pick<Filter, 'since' | 'publishedFrom' | 'publishedTo'>
  readonly before: DeliveryPosition | null
}

type FilterName = 'status' | 'event' | 'incident' | 'cursor'

export function parseDeliveryFilters(
  text: (name: FilterName) => string | null,
  times: DeliveryFilters['times'],
  errors: FieldError[],
): DeliveryFilters {
  const status = parseChoice('status', text('status'), DELIVERY_STATUSES, errors)
  const event = parseChoice('event', text('event'), WATCH_EVENTS, errors)
  const incident = text('incident')
  if (incident !== null && !isIdentifier('incident', incident))
    errors.push({ parameter: 'incident', message: 'must be the id of an incident, such as inc_01jd8z0c5x…' })
  if (errors.length > 0) throw invalidParameters(errors)
  return { status, event, incident, times, before: parseCursor(text('cursor')) }
}

/** Events of one incident that are looked up; it has had no more in a year. */
const MAX_EVENTS = 100

/**
 * Turns times and an incident into positions in the log of events, which deliveries are sorted by.
 */
export async function deliveryQueryOf(
  { status, event, incident, times, before }: DeliveryFilters,
  watchIds: readonly string[],
  limit: number,
  { events }: Pick<Store, 'events'>,
  now: number,
): Promise<DeliveryQuery> {
  const from = Math.max(publishedFrom({ ...NO_TIMES, ...times }, now), AT_ANY_TIME.from)
  const afterSeq = from === AT_ANY_TIME.from ? 0 : await lastSeqBefore(from, events)
  const end = times.publishedTo === null ? null : await endOf(times.publishedTo, events)
  const eventSeqs = incident === null ? null : (await events.ofIncident(incident, MAX_EVENTS)).map(({ seq }) => seq)
  const tests = { from, to: times.publishedTo ?? AT_ANY_TIME.to }
  return { watchIds, status, kind: event, eventSeqs, afterSeq, tests, before: earlierOf(before, end), limit }
}

const NO_TIMES = { since: null, publishedFrom: null, publishedTo: null } as Filter

/** The position before every event at that time or later. */
async function endOf(to: number, events: EventLog): Promise<DeliveryPosition> {
  return { eventSeq: (await lastSeqBefore(to, events)) + 1, id: '' }
}

function earlierOf(one: DeliveryPosition | null, other: DeliveryPosition | null): DeliveryPosition | null {
  if (one === null || other === null) return one ?? other
  return one.eventSeq < other.eventSeq ? one : other
}

/** Returns the watches to look at: those named, or all of the account. */
export async function watchesToRead(
  named: readonly string[] | null,
  accountId: string,
  { watches }: Pick<Store, 'watches'>,
): Promise<readonly string[]> {
  if (named !== null) {
    const unknown = named.find((id) => !isIdentifier('watch', id))
    if (unknown !== undefined)
      throw invalidParameters([{ parameter: 'watch', message: 'must be ids of watches, such as wat_01jd8z0c5x…' }])
    return named
  }
  const ids = await watches.ids(accountId, MAX_WATCHES_PER_QUERY + 1)
  if (ids.length > MAX_WATCHES_PER_QUERY)
    throw new Problem(
      'invalid_parameter',
      `Your account has more than ${MAX_WATCHES_PER_QUERY} watches: name those to look at with watch=wat_…,wat_…`,
    )
  return ids
}

/** Cursors from before test messages were logged have no id. */
function parseCursor(cursor: string | null): DeliveryPosition | null {
  if (cursor === null) return null
  const [, eventSeq, id = ''] = /^(\d{1,15})(?:\.(.+))?$/.exec(cursor) ?? []
  if (eventSeq === undefined || (id !== '' && !isIdentifier('delivery', id))) throw invalidCursor()
  return { eventSeq: Number(eventSeq), id }
}

export function cursorOf({ eventSeq, id }: DeliveryPosition): string {
  return `${eventSeq}.${id}`
}
