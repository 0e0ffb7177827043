import type { DeliveryStatus } from '../domain/delivery.ts'
import type { Incident } from '../domain/incident.ts'
import { WATCH_EVENTS, type Watch } from '../domain/watch.ts'
import { type AnyFilter, indexedFieldsOf, type LiveFilter } from '../filter/filter.ts'
import { type Condition, conditionsOf, matchesLive } from '../filter/matches.ts'
import type { Steps } from '../lib/steps.ts'
import type { LogEvent, Store } from '../store/store.ts'
import { deliveriesOfEvents, followedIds, idsAt } from './earlier-versions.ts'

/** An event's outcome for a watch: the status of its delivery, or why there is none. */
const EVENT_OUTCOMES = {
  delivered: 'The endpoint has it.',
  pending: 'It is on its way: sent now, later, or once the watch is resumed.',
  failed: 'No attempt was successful.',
  cancelled: 'The incident was retracted before it could be sent.',
  before_watch: 'It happened before the watch was created; recover does not reach back further either.',
  not_listed: 'The watch does not list this event.',
  not_matched: 'The filter does not match.',
  missed:
    'It matches, but there is no delivery: the watch was paused or disabled, its filter or events were others then, or it is older than 30 days. recover sends it.',
} as const satisfies Record<DeliveryStatus | 'before_watch' | 'not_listed' | 'not_matched' | 'missed', string>
type EventOutcome = keyof typeof EVENT_OUTCOMES

interface ExplainedEvent {
  readonly event: LogEvent
  /** By the filter as it is now; earlier versions of the incident count too. */
  readonly matches: boolean
  readonly listed: boolean
  readonly afterCreation: boolean
  readonly delivery: { readonly id: string; readonly status: DeliveryStatus } | null
  readonly outcome: EventOutcome
}

export interface Explanation {
  /** Null if the incident is not public any more: what was withdrawn is not repeated. */
  readonly matches: boolean | null
  /** Of the newest public version. */
  readonly conditions: readonly Condition[]
  /** The newest events, oldest first. */
  readonly events: readonly ExplainedEvent[]
  readonly verdict: string
}

const MAX_EVENTS = 50

/** Says why a watch was told of an incident or not; null if the incident was never public. */
export async function explain(
  watch: Watch,
  filter: LiveFilter,
  incidentId: string,
  { events, incidents, deliveries, listening }: Pick<Store, 'events' | 'incidents' | 'deliveries' | 'listening'>,
): Promise<Explanation | null> {
  const log = (await events.ofIncident(incidentId, MAX_EVENTS + 1)).reverse()
  const [current] = await incidents.current([incidentId])
  const isPublic = current?.status === 'confirmed'
  if (!isPublic && log.length === 0) return null
  const { written } = await listening.heads()
  const rows = await deliveriesOfEvents(deliveries, watch, log, log.length)
  const ids = filter.incidents === null ? [] : await followedIds(incidentId, { incidents, events })
  const deliveryOf = new Map(rows.map((delivery) => [delivery.eventSeq, delivery]))
  const explained = log.map((event, index): ExplainedEvent => {
    const { id, status } = deliveryOf.get(event.seq) ?? {}
    const earlier = event.kind === 'incident.created' ? [] : log.slice(0, index)
    const facts = {
      matches: [event, ...earlier.reverse()].some(({ document }) =>
        matchesLive(filter, fieldsIn(document), idsAt(ids, event)),
      ),
      listed: watch.events.some((each) => each === event.kind),
      afterCreation: event.seq > watch.createdSeq,
      delivery: id === undefined || status === undefined ? null : { id, status },
    }
    return { event, ...facts, outcome: outcomeOf(facts, event.seq > written) }
  })
  const shown = explained.slice(-MAX_EVENTS).filter(({ event }) => isWatchEvent(event.kind))
  const allIds = ids.map(({ id }) => id)
  const conditions = isPublic ? conditionsOf(filter, fieldsIn(current.document), 0, allIds) : []
  return {
    matches: isPublic ? conditions.every(({ holds }) => holds) : null,
    conditions,
    events: shown,
    verdict: verdictOf(watch, shown.at(-1), isPublic),
  }
}

function outcomeOf(
  { delivery, afterCreation, listed, matches }: Omit<ExplainedEvent, 'event' | 'outcome'>,
  isUnwritten: boolean,
): EventOutcome {
  if (delivery !== null) return delivery.status
  if (!afterCreation) return 'before_watch'
  if (!listed) return 'not_listed'
  if (!matches) return 'not_matched'
  return isUnwritten ? 'pending' : 'missed'
}

function verdictOf({ status }: Watch, last: ExplainedEvent | undefined, isPublic: boolean): string {
  const now = status === 'active' ? '' : ` The watch is ${status}.`
  if (last === undefined) return `The incident was imported; history is not sent to watches.${now}`
  const withdrawn = isPublic ? '' : ' The incident is not public any more.'
  return `${last.event.kind}: ${EVENT_OUTCOMES[last.outcome]}${withdrawn}${now}`
}

function isWatchEvent(kind: string): boolean {
  return WATCH_EVENTS.some((each) => each === kind)
}

function fieldsIn(document: string) {
  return indexedFieldsOf(JSON.parse(document) as Incident)
}

const DAY_MS = 86_400_000
const NEWEST_SHOWN = 5

interface Preview {
  readonly matches: number
  readonly newest: readonly Incident[]
}

export interface PreviewSource {
  count(filter: AnyFilter, now: number): Steps<number>
  newest(filter: AnyFilter, most: number, now: number): Steps<Incident[]>
}

/** Counts and samples incidents of the last `days` that a watch with the filter would have sent. */
export function* previewOf(filter: LiveFilter, days: number, source: PreviewSource, now: number): Steps<Preview> {
  const recent: AnyFilter = { ...filter, publishedFrom: now - days * DAY_MS }
  const newest = yield* source.newest(recent, NEWEST_SHOWN, now)
  return { matches: yield* source.count(recent, now), newest }
}
