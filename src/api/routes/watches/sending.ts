import { randomBytes } from 'node:crypto'
import { attemptOf } from '../../../deliveries/dispatch/attempts/attempt-result.ts'
import { SAMPLE_INCIDENT, sampleDocument } from '../../../deliveries/logged-message.ts'
import { recoverWatch as recover, retryPending } from '../../../deliveries/recover.ts'
import { resultOfLoss } from '../../../deliveries/send/failure.ts'
import { postMessage, preparedTest } from '../../../deliveries/send/message.ts'
import { newSecret } from '../../../deliveries/send/signature.ts'
import { SiteNames } from '../../../deliveries/send/site-names.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import { newIdentifier } from '../../../domain/identifier.ts'
import { applyWatchPatch, MAX_SECRETS, type Watch, type WatchEvent } from '../../../domain/watch.ts'
import { durationMs, parseDuration, parseTime } from '../../../lib/time.ts'
import type { Store } from '../../../store/store.ts'
import { recoverWatch, retryWatch, rotateSecret, testWatch } from '../../contract/watches/sending.ts'
import { sendAnswer } from '../../idempotency.ts'
import { QueryClient } from '../../requests/client.ts'
import type { Router } from '../../router.ts'
import { findWatch, unknownWatch } from './find-watch.ts'
import { newestMatches } from './matching-incidents.ts'
import { storedFilter } from './request.ts'
import { watchWithSecret } from './response.ts'

const DAY_MS = 86_400_000
const MAX_RECOVERY_MS = 30 * DAY_MS
/** After a rotation, messages are also signed with the old secret for this long. */
const OLD_SECRET_LIFETIME_MS = DAY_MS

/** What an owner does about a watch's messages: test, sign, retry, recover. */
export function watchSendingRoutes(router: Router): void {
  const { clock, geography, sender, mails, queries } = router.environment
  const { places } = geography

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
}

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
