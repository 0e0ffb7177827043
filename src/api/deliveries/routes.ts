import { type ChannelSettings, channelBody } from '../../deliveries/channels/channel-request.ts'
import { type LoggedMessages, loggedHeaders, loggedMessages, type WriteBody } from '../../deliveries/logged-message.ts'
import { lastSeqBefore } from '../../deliveries/recover.ts'
import { addressOf } from '../../deliveries/send/message.ts'
import { SiteNames } from '../../deliveries/send/site-names.ts'
import { type Attempt, DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from '../../domain/delivery.ts'
import { type FieldError, invalidBody, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { messageContent } from '../../domain/message-content.ts'
import type { Places } from '../../domain/places.ts'
import { isMessenger, WATCH_EVENTS, type Watch, type WatchEvent } from '../../domain/watch.ts'
import type { Filter } from '../../filter/filter.ts'
import { publishedFrom } from '../../filter/matches.ts'
import { parseChoice, parseLimit } from '../../filter/parameters.ts'
import { parseFilterObject } from '../../filter/parse-filter.ts'
import {
  AT_ANY_TIME,
  type DeliveryDetails,
  type DeliveryPosition,
  type DeliveryQuery,
  type EventLog,
  type LoggedDelivery,
  MAX_WATCHES_PER_QUERY,
  type Store,
} from '../../store/store.ts'
import { answerBody } from '../body.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import { sendAnswer } from '../idempotency.ts'
import { invalidCursor, pageOf, parametersOf } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'
import { findWatch, requireActive } from '../watches/routes.ts'
import { listAllDeliveries, listDeliveries, readDelivery, redeliver, redeliverAll } from './contract.ts'

const MAX_PAGE_SIZE = 100

export function deliveryRoutes(router: Router): void {
  const { clock, geography } = router.environment
  const { places } = geography

  async function page(
    store: Store,
    accountId: string,
    watchIds: readonly string[],
    filters: DeliveryFilters,
    limit: number,
  ) {
    const query = await deliveryQueryOf(filters, watchIds, limit + 1, store, clock())
    const found = await store.deliveries.list(accountId, query)
    return pageOf(found, limit, ({ delivery }) => cursorOf(delivery), deliveryResponse)
  }

  router.add(listDeliveries, async ({ request, parameters, services: { store } }) => {
    const { text, filter } = parametersOf(request, listDeliveries, places)
    const errors: FieldError[] = []
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    const filters = parseDeliveryFilters(text, filter, errors)
    const { id, accountId } = await findWatch(store, request.caller!.account.id, parameters.id)
    return page(store, accountId, [id], filters, limit)
  })

  router.add(listAllDeliveries, async ({ request, services: { store } }) => {
    const { text, filter } = parametersOf(request, listAllDeliveries, places)
    const errors: FieldError[] = []
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    const filters = parseDeliveryFilters(text, filter, errors)
    const accountId = request.caller!.account.id
    const watchIds = await watchesToRead(text('watch')?.split(',') ?? null, accountId, store)
    return page(store, accountId, watchIds, filters, limit)
  })

  router.add(readDelivery, async ({ request, parameters, services: { store, channels } }) => {
    const accountId = request.caller!.account.id
    const details = await findDelivery(store, accountId, parameters.id)
    const watch = await store.watches.find(accountId, details.delivery.watchId)
    const nameSites = new SiteNames(store.siteLists).namerOf(watch)
    const messages = await loggedMessages(details, store, nameSites, bodyWriter(watch, channels))
    return deliveryDetailsResponse(details, messages, watch, clock())
  })

  router.add(redeliver, async ({ request, reply, parameters, services: { store }, storeWith }) => {
    const accountId = request.caller!.account.id
    const found = await findDelivery(store, accountId, parameters.id)
    const watch = await store.watches.find(accountId, found.delivery.watchId)
    if (watch !== null) requireActive(watch)
    await requireTrue(found, store)
    const now = clock()
    const due = { ...loggedOf(found), delivery: madeDue(found.delivery, now) }
    const answer = { status: 200, body: deliveryResponse(due) }
    const delivery = await storeWith(answer).deliveries.redeliver(accountId, parameters.id, now)
    if (delivery === null) throw unknownDelivery()
    return sendAnswer(reply, answer)
  })

  router.add(redeliverAll, async ({ request, reply, body, services: { store }, storeWith }) => {
    const accountId = request.caller!.account.id
    const now = clock()
    const found = await answerBody(async () => {
      const filters = parseFilters(body, geography.places)
      const watchIds = await watchesToRead(body.watch ?? null, accountId, store)
      const query = await deliveryQueryOf(filters, watchIds, MAX_REDELIVERED + 1, store, now)
      return store.deliveries.list(accountId, query)
    })
    const page = found.slice(0, MAX_REDELIVERED)
    const hasMore = found.length > MAX_REDELIVERED
    const { ids, skipped } = await sendable(page, accountId, store)
    const answer = {
      status: 200,
      body: {
        redelivered: ids.length,
        skipped,
        has_more: hasMore,
        next_cursor: hasMore ? cursorOf(page.at(-1)!.delivery) : null,
      },
    }
    await storeWith(answer).deliveries.redeliverMany(accountId, ids, now)
    return sendAnswer(reply, answer)
  })
}

async function findDelivery({ deliveries }: Store, accountId: string, id: string): Promise<DeliveryDetails> {
  const found = isIdentifier('delivery', id) ? await deliveries.find(accountId, id) : null
  if (found === null) throw unknownDelivery()
  return found
}

/** The delivery once it is due at `now`; while it is leased, it stays due at the lease's end. */
function madeDue(delivery: Delivery, now: number): Delivery {
  const isLeased = delivery.leaseOwner !== null && delivery.dueAt !== null && delivery.dueAt > now
  return { ...delivery, status: 'pending', dueAt: isLeased ? delivery.dueAt : now, finishedAt: null }
}

/** Throws if the message can no longer be sent, or never could be. */
async function requireTrue({ delivery, incidentId }: DeliveryDetails, { incidents }: Store): Promise<void> {
  const { test, kind } = delivery
  if (test) throw new Problem('not_redeliverable', 'It was a test message: POST /v1/watches/{id}/test sends another.')
  const [incident] = incidentId === null ? [] : await incidents.current([incidentId])
  if (messageContent(kind, incident?.status ?? null) === null)
    throw new Problem('not_redeliverable', `The incident is ${incident?.status ?? 'gone'}: ${kind} is no longer true.`)
}

function unknownDelivery(): Problem {
  return new Problem('not_found', 'Your account has no such delivery.')
}

/** Null for webhooks, and for a watch that has been deleted. */
function bodyWriter(watch: Watch | null, channels: ChannelSettings): WriteBody | null {
  if (watch === null || !isMessenger(watch.channel)) return null
  const { channel, secrets } = watch
  return (message) => channelBody(channel, addressOf(secrets), message, channels)
}

/** Deliveries that one request sends again: one transaction, and one read of their incidents. */
const MAX_REDELIVERED = 1_000

/** A body without a filter would send everything again: surely not what was meant. */
function parseFilters(body: BodyOf<typeof redeliverAll>, places: Places): DeliveryFilters {
  const { watch: _, cursor = null, status = null, event = null, incident = null, ...times } = body
  if (Object.keys(body).every((name) => name === 'cursor'))
    throw invalidBody([{ pointer: '', message: 'must have at least one filter, such as {"status": "failed"}' }])
  const { filter } = parseFilterObject(times, '', places, ['since', 'from', 'to'])
  if ('errors' in filter) throw invalidBody(filter.errors)
  const texts = { status, event, incident, cursor }
  return parseDeliveryFilters((name) => texts[name], filter.value, [])
}

interface Sendable {
  readonly ids: readonly string[]
  readonly skipped: { readonly tests: number; readonly retracted: number; readonly inactive: number }
}

async function sendable(rows: readonly LoggedDelivery[], accountId: string, store: Store): Promise<Sendable> {
  const messages = rows.filter(({ delivery }) => !delivery.test)
  const active = await activeWatches(new Set(messages.map(({ delivery }) => delivery.watchId)), accountId, store)
  const ofActive = messages.filter(({ delivery }) => active.has(delivery.watchId))
  const incidentIds = [...new Set(ofActive.flatMap(({ incidentId }) => incidentId ?? []))]
  const current = await store.incidents.current(incidentIds)
  const statusOf = new Map(current.map(({ id, status }) => [id, status]))
  const isTrue = ({ delivery, incidentId }: LoggedDelivery) =>
    messageContent(delivery.kind, statusOf.get(incidentId ?? '') ?? null) !== null
  const ids = ofActive.filter(isTrue).map(({ delivery }) => delivery.id)
  return {
    ids,
    skipped: {
      tests: rows.length - messages.length,
      retracted: ofActive.length - ids.length,
      inactive: messages.length - ofActive.length,
    },
  }
}

async function activeWatches(ids: Iterable<string>, accountId: string, { watches }: Store): Promise<Set<string>> {
  const active = new Set<string>()
  for (const id of ids) if ((await watches.find(accountId, id))?.status === 'active') active.add(id)
  return active
}

/** The filters of the log as a client gives them. */
interface DeliveryFilters {
  readonly status: DeliveryStatus | null
  readonly event: WatchEvent | null
  readonly incident: string | null
  /** The time of the event; of a test, the time at which it was sent. */
  readonly times: Pick<Filter, 'since' | 'publishedFrom' | 'publishedTo'>
  readonly before: DeliveryPosition | null
}

type FilterName = 'status' | 'event' | 'incident' | 'cursor'

function parseDeliveryFilters(
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
async function deliveryQueryOf(
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
async function watchesToRead(
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

function cursorOf({ eventSeq, id }: DeliveryPosition): string {
  return `${eventSeq}.${id}`
}

function deliveryResponse({ delivery, incidentId, lastAttempt }: LoggedDelivery) {
  return {
    id: delivery.id,
    watch_id: delivery.watchId,
    event: delivery.kind,
    incident_id: incidentId,
    seq: delivery.eventSeq,
    sequence: delivery.sequence,
    test: delivery.test,
    status: delivery.status,
    attempts: delivery.attempts,
    last_attempt: lastAttempt && lastAttemptResponse(lastAttempt),
    next_attempt_at: timeResponse(delivery.dueAt),
    created_at: timeResponse(delivery.createdAt),
    finished_at: timeResponse(delivery.finishedAt),
  }
}

/** The headers are those that the watch has now: those of earlier attempts are not stored. */
function deliveryDetailsResponse(
  details: DeliveryDetails,
  { bodies, next }: LoggedMessages,
  watch: Pick<Watch, 'headers' | 'channel'> | null,
  now: number,
) {
  const { delivery, attempts } = details
  return {
    ...deliveryResponse(loggedOf(details)),
    log: attempts.map((attempt) => attemptResponse(attempt, delivery, watch)),
    bodies: bodies.map(({ contentSeq, version, redacted, body }) => ({
      content_seq: contentSeq,
      version,
      redacted,
      body,
    })),
    next: next && {
      content_seq: next.contentSeq,
      version: next.version,
      headers: loggedHeaders(delivery, now, watch?.headers ?? [], watch?.channel),
      body: next.body,
    },
  }
}

export function loggedOf({ delivery, incidentId, attempts }: DeliveryDetails): LoggedDelivery {
  return { delivery, incidentId, lastAttempt: attempts.at(-1) ?? null }
}

function attemptResponse(attempt: Attempt, delivery: Delivery, watch: Pick<Watch, 'headers' | 'channel'> | null) {
  return {
    ...lastAttemptResponse(attempt),
    answer: attempt.answer,
    error: attempt.error,
    content_seq: attempt.contentSeq,
    headers: loggedHeaders(delivery, attempt.at, watch?.headers ?? [], watch?.channel),
  }
}

function lastAttemptResponse({
  number,
  at,
  duration,
  outcome,
  statusCode,
}: NonNullable<LoggedDelivery['lastAttempt']>) {
  return { number, at: timeResponse(at), duration_ms: duration, outcome, status_code: statusCode }
}
