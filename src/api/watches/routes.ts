import type { PreviewWatchAnswer, WatchFilter } from '../../../client/src/generated/types.ts'
import type { Archive, ArchiveView } from '../../archive/archive.ts'
import { attemptOf } from '../../deliveries/attempts.ts'
import { languageIn } from '../../deliveries/channels/target.ts'
import { type Explanation, explain, type PreviewSource, previewOf } from '../../deliveries/explain.ts'
import { SAMPLE_INCIDENT, sampleDocument } from '../../deliveries/logged-message.ts'
import { recoverWatch as recover, retryPending } from '../../deliveries/recover.ts'
import { resultOfLoss } from '../../deliveries/send/failure.ts'
import { addressOf, postMessage, preparedTest } from '../../deliveries/send/message.ts'
import { newSecret } from '../../deliveries/send/signature.ts'
import { SiteNames } from '../../deliveries/send/site-names.ts'
import { MAX_WATCHES_PER_AREA } from '../../domain/area.ts'
import { invalidBody, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier, newIdentifier } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import { changedSchedule } from '../../domain/schedule.ts'
import { MAX_WATCHES_PER_SITE_LIST } from '../../domain/sites.ts'
import {
  applyWatchPatch,
  isMessenger,
  MAX_SECRETS,
  type NewWatch,
  resumes,
  shownStatus,
  WATCH_EVENTS,
  type Watch,
  type WatchEvent,
} from '../../domain/watch.ts'
import { changedHeaders, maskedHeaders } from '../../domain/watch-headers.ts'
import { type AnyFilter, declaredForm } from '../../filter/filter.ts'
import { matchesFields } from '../../filter/matches.ts'
import { randomBytes } from '../../lib/runtime.ts'
import type { Steps } from '../../lib/steps.ts'
import { durationMs, parseDuration, parseTime } from '../../lib/time.ts'
import type { ChangeRefusal, Store, WatchRefusal } from '../../store/store.ts'
import { limitOf } from '../auth/quotas.ts'
import { sendAnswer } from '../idempotency.ts'
import { survivingId } from '../incidents/incidents.ts'
import {
  areaOfBody,
  identifierCursor,
  listParametersOf,
  pageById,
  QueryClient,
  requirePublished,
  textsOf,
  unknownArea,
  unknownSites,
} from '../request.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'
import { requireAgreement } from './channel.ts'
import {
  changeWatch,
  createWatch,
  deleteWatch,
  explainWatch,
  listWatches,
  previewWatch,
  readWatch,
  recoverWatch,
  retryWatch,
  rotateSecret,
  testWatch,
} from './contract.ts'
import { followedIn, parseWatchRequest, requireFilter, scheduleResponse, storedFilter } from './request.ts'

const DEFAULT_PREVIEW_DAYS = 30
const EMPTY_FILTER = { given: '{}', canonical: '{}' }

export function watchRoutes(router: Router): void {
  const { clock, geography, config, guard, queries, channels, sender, mails } = router.environment
  const { places } = geography

  router.add(createWatch, async ({ request, reply, body, storeWith, services: { store } }) => {
    const area = await areaOfBody(request, store, body.filter, '/filter', places)
    const { account } = request.caller!
    const accountId = account.id
    const parts = { guard, channels, account, sendsMail: mails !== null }
    const { patch, address } = await parseWatchRequest(body, places, parts, area, null)
    const followed = followedIn(patch.filter)
    await requirePublished(followed, store, { pointer: '/filter/incident' })
    const now = clock()
    const countCode = () => router.authenticator.requireUse(request.caller!, 'watch_tests_per_minute')
    if (address !== null) await requireAgreement(address, { channels, sender, accountId, now, countCode })
    const {
      name = '',
      url = '',
      description = null,
      filter = EMPTY_FILTER,
      // A followed incident was published before: its creation is no news.
      events = address === null && followed === null ? ['incident.created'] : WATCH_EVENTS,
      headers = [],
      digest,
      quietHours,
    } = patch
    const watch: NewWatch = {
      id: newIdentifier('watch', now, randomBytes),
      accountId,
      name,
      channel: address?.kind ?? 'webhook',
      url,
      description,
      filter,
      events,
      status: 'active',
      disabledReason: null,
      secrets: [{ secret: address?.target ?? newSecret(randomBytes), expiresAt: null }],
      headers: changedHeaders([], headers),
      schedule: changedSchedule(null, { digest, quietHours }),
      createdAt: now,
      updatedAt: now,
    }
    const max = limitOf(config, request.caller!.account, 'watches')
    const answer = { status: 201, body: watchWithSecret({ ...watch, sequence: 0, failingSince: null }) }
    const added = await storeWith(answer).watches.add(watch, max)
    throwIfRefused(added, name, max)
    return sendAnswer(reply, answer)
  })

  router.add(listWatches, async ({ request, services: { store } }) => {
    const { text, limit } = listParametersOf(request, listWatches)
    const cursor = identifierCursor('watch', text('cursor'))
    const found = await store.watches.list(request.caller!.account.id, limit + 1, cursor)
    return pageById(found, limit, watchResponse)
  })

  router.add(readWatch, async ({ request, parameters, services: { store } }) =>
    watchResponse(await findWatch(store, request.caller!.account.id, parameters.id)),
  )

  router.add(changeWatch, async ({ request, parameters, body, services: { store } }) => {
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    const area = await areaOfBody(request, store, body.filter, '/filter', places)
    const { accountId } = watch
    const parts = { guard, channels, account: request.caller!.account, sendsMail: mails !== null }
    const { patch, address } = await parseWatchRequest(body, places, parts, area, watch)
    await requirePublished(followedIn(patch.filter), store, { pointer: '/filter/incident' })
    const countCode = () => router.authenticator.requireUse(request.caller!, 'watch_tests_per_minute')
    if (address !== null) await requireAgreement(address, { channels, sender, accountId, now: clock(), countCode })
    const changed = await store.watches.change(watch.accountId, watch.id, patch, clock())
    if (changed === null) throw unknownWatch()
    const after = throwIfRefused(changed, patch.name ?? '', config.WATCHES_PER_ACCOUNT)
    // Messages that wait for the earlier schedule are scheduled again by the new one.
    const isRescheduled = patch.digest !== undefined || patch.quietHours !== undefined
    if (resumes(watch, after) || isRescheduled) await retryPending(after, store, clock())
    return watchResponse(after)
  })

  router.add(deleteWatch, async ({ request, reply, parameters, services: { store } }) => {
    const { accountId, id } = await findWatch(store, request.caller!.account.id, parameters.id)
    await store.watches.remove(accountId, id)
    reply.status(204)
  })

  router.add(previewWatch, async ({ request, reply, body, services: { archive, store } }) => {
    const { days = DEFAULT_PREVIEW_DAYS } = body
    const area = await areaOfBody(request, store, body.filter, '/filter', places)
    const filter = requireFilter(body.filter, places, area)
    await requirePublished(filter.incidents, store, { pointer: '/filter/incident' })
    const { matches, newest }: { matches: number; newest: PreviewWatchAnswer['newest'] } = await queries.run(
      archive,
      new QueryClient(request, reply),
      (view) => previewOf(filter, days, previewSourceOf(archive, view), clock()),
    )
    return { days, matches, a_day: Math.round((matches / days) * 100) / 100, newest }
  })

  router.add(testWatch, async ({ request, reply, parameters, body, services: { store, archive, channels } }) => {
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    const now = clock()
    const event = body?.event ?? watch.events[0]!
    const filter = await storedFilter(watch, places, store)
    const id = newIdentifier('delivery', now, randomBytes)
    const { seq } = archive.head
    const [newest] = await queries.run(archive, new QueryClient(request, reply), (view) =>
      newestMatches(archive, view, filter, 1, now),
    )
    const { incidentId, document, contentSeq } = await sampleFor(event, newest?.id ?? null, store)
    const sites = await new SiteNames(store.siteLists).namerOf(watch)(event, document)
    const message = preparedTest(watch, { id, event, seq, document, sites }, now, channels)
    const sent = await postMessage({ sender, mails }, watch.channel, message, watch.accountId, now).catch((error) =>
      resultOfLoss(error, now),
    )
    const { status, body: answer } = sent.kind === 'answered' ? sent : { status: null, body: '' }
    const delivered = status !== null && status >= 200 && status < 300
    const attempt = attemptOf(sent, delivered, contentSeq)
    const test = { id, watchId: watch.id, eventSeq: seq, kind: event, incidentId, attempt }
    await store.deliveries.addTest(test, clock())
    return {
      id,
      delivered,
      message: sent.message,
      status_code: status,
      duration_ms: sent.durationMs,
      answer: answer || null,
    }
  })

  router.add(rotateSecret, async ({ request, reply, parameters, body, services: { store }, storeWith }) => {
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    requireWebhook(watch)
    const now = clock()
    const previousExpiresAt = body?.revoke ? now : now + OLD_SECRET_LIFETIME_MS
    const rotation = { secret: newSecret(randomBytes), previousExpiresAt }
    const answer = { status: 200, body: watchWithSecret(applyWatchPatch(watch, { rotation }, now)) }
    const changed = await storeWith(answer).watches.change(watch.accountId, watch.id, { rotation }, now)
    if (changed === 'too_many_secrets')
      throw new Problem(
        'too_many_secrets',
        `The watch has ${MAX_SECRETS} secrets of the last 24 hours. {"revoke": true} ends the old ones at once.`,
      )
    if (changed === null) throw unknownWatch()
    return sendAnswer(reply, answer)
  })

  router.add(retryWatch, async ({ request, parameters, services: { store } }) => {
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    requireActive(watch)
    return { pending: await retryPending(watch, store, clock()) }
  })

  router.add(recoverWatch, async ({ request, parameters, body, services: { store }, storeCounting, counted }) => {
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    const now = clock()
    const since = parseSince(body.since, now)
    requireActive(watch)
    const filter = await storedFilter(watch, places, store)
    return recover(watch, filter, since, store, now, { storeCounting, counted })
  })

  router.add(explainWatch, async ({ request, parameters, services: { store } }) => {
    const incidentId = textsOf(request, explainWatch)('incident')
    if (incidentId === null || !isIdentifier('incident', incidentId))
      throw invalidParameters([
        { parameter: 'incident', message: 'must be the id of an incident, such as inc_01jd8z0c5x…' },
      ])
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    const filter = await storedFilter(watch, places, store)
    const explanation = await explain(watch, filter, incidentId, store)
    if (explanation === null) throw new Problem('not_found', 'There is no such incident.')
    return explanationResponse(watch, incidentId, explanation)
  })
}

function throwIfRefused(outcome: Watch | WatchRefusal | ChangeRefusal, name: string, max: number): Watch {
  if (outcome === 'name_taken')
    throw new Problem('name_taken', `Your account has another watch with the name ${JSON.stringify(name)}.`)
  if (outcome === 'too_many')
    throw new Problem(
      'too_many_watches',
      `An account may have ${max} watches. Delete one, or ask the operator for a higher limit.`,
    )
  if (outcome === 'unknown_area') throw unknownArea({ pointer: '/filter/area' })
  if (outcome === 'area_full')
    throw new Problem('area_in_use', `${MAX_WATCHES_PER_AREA} watches use this area, as many as may.`)
  if (outcome === 'unknown_sites') throw unknownSites({ pointer: '/filter/sites' })
  if (outcome === 'sites_full')
    throw new Problem('sites_in_use', `${MAX_WATCHES_PER_SITE_LIST} watches use this list of sites, as many as may.`)
  // Only if another request has removed it meanwhile.
  if (outcome === 'unknown_header')
    throw invalidBody([{ pointer: '/headers', message: 'keeps the value of a header that the watch has no more' }])
  if (outcome === 'headers_leave_origin')
    throw invalidBody([{ pointer: '/headers', message: 'were changed by another request: send them with the URL' }])
  if (outcome === 'too_many_secrets') throw new TypeError('a change without a rotation was refused for its secrets')
  return outcome
}

const DAY_MS = 86_400_000
const MAX_RECOVERY_MS = 30 * DAY_MS
/** After a rotation, messages are also signed with the old secret for this long. */
const OLD_SECRET_LIFETIME_MS = DAY_MS

/**
 * The newest match, or a made-up incident if none matches. A retraction is always of the made-up
 * one: a receiver that ignores `test` must not remove a real incident.
 */
async function sampleFor(event: WatchEvent, newestId: string | null, { incidents }: Pick<Store, 'incidents'>) {
  const ids = newestId === null || event === 'incident.retracted' ? [] : [newestId]
  const [found] = ids.length === 0 ? [] : await incidents.current(ids)
  if (found?.status !== 'confirmed')
    return { incidentId: SAMPLE_INCIDENT.id, document: sampleDocument(event), contentSeq: null }
  return { incidentId: found.id, document: found.document, contentSeq: found.seq }
}

/** Nothing else is signed. */
export function requireWebhook({ channel }: Watch): void {
  if (channel === 'webhook') return
  throw new Problem('not_a_webhook', `The watch writes messages for ${channel}, which are not signed.`)
}

export function requireActive({ status }: Watch): void {
  if (status === 'active') return
  throw new Problem('watch_not_active', `The watch is ${status}. Resume it first: PATCH {"status": "active"}.`)
}

function parseSince(text: string, now: number): number {
  const span = parseDuration(text)
  const since = span ? now - durationMs(span) : parseTime(text)
  if (since === null || since > now || since < now - MAX_RECOVERY_MS)
    throw invalidBody([
      { pointer: '/since', message: 'must be a span such as 24h or 7d, or an RFC 3339 time, up to 30 days ago' },
    ])
  return since
}

function explanationResponse(watch: Watch, incidentId: string, { matches, conditions, events, verdict }: Explanation) {
  return {
    watch_id: watch.id,
    incident_id: incidentId,
    matches,
    conditions,
    events: events.map(({ event, matches, listed, afterCreation, delivery, outcome }) => ({
      seq: event.seq,
      event: event.kind as WatchEvent,
      at: timeResponse(event.at),
      matches,
      listed,
      after_creation: afterCreation,
      delivery,
      outcome,
    })),
    watch: { status: shownStatus(watch), created_at: timeResponse(watch.createdAt) },
    verdict,
  }
}

export async function findWatch(store: Store, accountId: string, id: string): Promise<Watch> {
  const watch = isIdentifier('watch', id) ? await store.watches.find(accountId, id) : null
  if (watch === null) throw unknownWatch()
  return watch
}

function unknownWatch(): Problem {
  return new Problem('not_found', 'Your account has no such watch.')
}

function previewSourceOf(archive: Archive, view: ArchiveView): PreviewSource {
  return {
    count: (filter, now) => countIncidents(archive, view, filter, now),
    newest: (filter, limit, now) => newestMatches(archive, view, filter, limit, now),
  }
}

function* countIncidents(archive: Archive, view: ArchiveView, filter: AnyFilter, now: number): Steps<number> {
  const { incidents } = filter
  if (incidents !== null) return followedIncidents(archive, filter, incidents, now).length
  return yield* view.count({ filter: { ...filter, incidents }, now })
}

/** As `view.newestIncidents`, also for a filter that follows incidents. */
function* newestMatches(
  archive: Archive,
  view: ArchiveView,
  filter: AnyFilter,
  limit: number,
  now: number,
): Steps<Incident[]> {
  const { incidents } = filter
  if (incidents !== null) return followedIncidents(archive, filter, incidents, now).slice(0, limit)
  return yield* view.newestIncidents({ ...filter, incidents }, limit, now)
}

/**
 * Looks up a watch's few incidents by their ids: the public ones that match, newest first.
 */
function followedIncidents(archive: Archive, filter: AnyFilter, ids: readonly string[], now: number): Incident[] {
  const slots = new Set(ids.map((id) => archive.slotOf(survivingId(archive, id))))
  return [...slots]
    .filter((slot) => slot !== null)
    .filter((slot) => matchesFields(filter, archive.indexedFieldsOf(slot), now))
    .map((slot) => archive.incidentOf(slot))
    .sort((one, other) => (one.published_at! < other.published_at! ? 1 : -1))
}

type ShownWatch = Omit<Watch, 'createdSeq'>

/**
 * With the secret, which is shown only when it is made; of other channels it is their address, and
 * never shown.
 */
function watchWithSecret(watch: ShownWatch) {
  return { ...watchResponse(watch), secret: isMessenger(watch.channel) ? '' : watch.secrets[0]!.secret }
}

function watchResponse(watch: ShownWatch) {
  return {
    id: watch.id,
    name: watch.name,
    channel: {
      kind: watch.channel,
      language: isMessenger(watch.channel) ? languageIn(addressOf(watch.secrets)) : null,
    },
    url: watch.url,
    description: watch.description,
    filter: declaredForm(JSON.parse(watch.filter.given) as Record<string, unknown>) as WatchFilter,
    events: watch.events,
    headers: maskedHeaders(watch.headers),
    ...scheduleResponse(watch.schedule),
    status: shownStatus(watch),
    disabled_reason: watch.disabledReason,
    failing_since: timeResponse(watch.failingSince),
    sequence: watch.sequence,
    created_at: timeResponse(watch.createdAt),
    updated_at: timeResponse(watch.updatedAt),
  }
}
