import { randomBytes } from 'node:crypto'
import {
  changeWatch,
  createWatch,
  deleteWatch,
  listWatches,
  previewWatch,
  readWatch,
  recoverWatch,
  rotateSecret,
  testWatch,
} from '../../../contract/watches/watches.ts'
import { type FieldError, invalidBody, invalidParameters, Problem } from '../../../domain/errors.ts'
import { isIdentifier, newIdentifier } from '../../../domain/identifier.ts'
import { applyWatchPatch, type NewWatch, type Watch } from '../../../domain/watch.ts'
import { durationMs, parseDuration, parseTime } from '../../../lib/time/time.ts'
import { parseLimit } from '../../../query/parameter-values.ts'
import type { Store, WatchRefusal } from '../../../store/store.ts'
import { previewOf } from '../../../webhooks/preview.ts'
import { recoverWatch as recover } from '../../../webhooks/recover.ts'
import { newSecret } from '../../../webhooks/send/sign.ts'
import { testRequest } from '../../../webhooks/send/webhook-request.ts'
import { RequestAsker } from '../../requests/asker.ts'
import { sendAnswer } from '../../requests/idempotency/answer.ts'
import { invalidCursor, pageOf } from '../../requests/paging.ts'
import { parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { previewSourceOf, sampleIncidentFor } from './matching-incidents.ts'
import { parseWatchRequest, requireFilter } from './request.ts'
import { watchResponse, watchWithSecret } from './response.ts'

const MAX_PAGE_SIZE = 100
const DEFAULT_PREVIEW_DAYS = 30
const DAY_MS = 86_400_000
const MAX_RECOVERY_MS = 30 * DAY_MS
/** After a rotation, messages are also signed with the old secret for this long. */
const OLD_SECRET_LIFETIME_MS = DAY_MS
const EMPTY_FILTER = { given: '{}', canonical: '{}' }

export function watchRoutes(router: Router): void {
  const { clock, geography, config, guard, sender, queries } = router.environment
  const { places } = geography

  router.add(createWatch, async ({ request, reply, body, storeWith }) => {
    const {
      name = '',
      url = '',
      description = null,
      filter = EMPTY_FILTER,
      events = ['incident.created'],
    } = await parseWatchRequest(body, places, guard, request.caller!.account.id)
    const now = clock()
    const watch: NewWatch = {
      id: newIdentifier('watch', now, randomBytes),
      accountId: request.caller!.account.id,
      name,
      url,
      description,
      filter,
      events,
      status: 'active',
      disabledReason: null,
      secrets: [{ secret: newSecret(randomBytes), expiresAt: null }],
      createdAt: now,
      updatedAt: now,
    }
    const answer = { status: 201, body: watchWithSecret({ ...watch, sequence: 0, failingSince: null }) }
    const added = await storeWith(answer).watches.add(watch, config.WATCHES_PER_ACCOUNT)
    throwIfRefused(added, name, config.WATCHES_PER_ACCOUNT)
    return sendAnswer(reply, answer)
  })

  router.add(listWatches, async ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listWatches, places)
    const errors: FieldError[] = []
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const cursor = text('cursor')
    if (cursor !== null && !isIdentifier('watch', cursor)) throw invalidCursor()
    const found = await store.watches.list(request.caller!.account.id, limit + 1, cursor)
    return pageOf(found, limit, ({ id }) => id, watchResponse)
  })

  router.add(readWatch, async ({ request, parameters, services: { store } }) =>
    watchResponse(await findWatch(store, request.caller!.account.id, parameters.id)),
  )

  router.add(changeWatch, async ({ request, parameters, body, services: { store } }) => {
    const { id, accountId } = await findWatch(store, request.caller!.account.id, parameters.id)
    const patch = await parseWatchRequest(body, places, guard, accountId)
    const changed = await store.watches.change(accountId, id, patch, clock())
    if (changed === null) throw unknownWatch()
    return watchResponse(throwIfRefused(changed, patch.name ?? '', config.WATCHES_PER_ACCOUNT))
  })

  router.add(deleteWatch, async ({ request, reply, parameters, services: { store } }) => {
    const { accountId, id } = await findWatch(store, request.caller!.account.id, parameters.id)
    await store.watches.remove(accountId, id)
    reply.status(204)
  })

  router.add(previewWatch, async ({ request, reply, body, services: { archive } }) => {
    const { days = DEFAULT_PREVIEW_DAYS } = body
    const filter = requireFilter(body.filter, places)
    const { matches, newest } = await queries.run(archive, new RequestAsker(request, reply), (view) =>
      previewOf(filter, days, previewSourceOf(view), clock()),
    )
    return { days, matches, a_day: Math.round((matches / days) * 100) / 100, newest }
  })

  router.add(testWatch, async ({ request, reply, parameters, services: { store, archive } }) => {
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    const filter = requireFilter(JSON.parse(watch.filter.canonical), places)
    const sample = await queries.run(archive, new RequestAsker(request, reply), (view) =>
      sampleIncidentFor(filter, view, clock()),
    )
    const post = testRequest(watch, sample, archive.head.seq, clock())
    const sent = await sender.post(post, watch.accountId)
    const { status, body } = sent.kind === 'answered' ? sent : { status: null, body: '' }
    const delivered = status !== null && status >= 200 && status < 300
    return { delivered, message: sent.message, status_code: status, duration_ms: sent.durationMs, answer: body || null }
  })

  router.add(rotateSecret, async ({ request, reply, parameters, services: { store }, storeWith }) => {
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    const now = clock()
    const rotation = { secret: newSecret(randomBytes), previousExpiresAt: now + OLD_SECRET_LIFETIME_MS }
    const answer = { status: 200, body: watchWithSecret(applyWatchPatch(watch, { rotation }, now)) }
    const changed = await storeWith(answer).watches.change(watch.accountId, watch.id, { rotation }, now)
    if (changed === null) throw unknownWatch()
    return sendAnswer(reply, answer)
  })

  router.add(recoverWatch, async ({ request, parameters, body, services: { store }, storeCounting, counted }) => {
    const watch = await findWatch(store, request.caller!.account.id, parameters.id)
    const now = clock()
    const since = parseSince(body.since, now)
    if (watch.status !== 'active')
      throw new Problem(
        'watch_not_active',
        `The watch is ${watch.status}. Resume it first: PATCH {"status": "active"}.`,
      )
    const filter = requireFilter(JSON.parse(watch.filter.canonical), places)
    return recover(watch, filter, since, store, now, { storeCounting, counted })
  })
}

async function findWatch(store: Store, accountId: string, id: string): Promise<Watch> {
  const watch = isIdentifier('watch', id) ? await store.watches.find(accountId, id) : null
  if (watch === null) throw unknownWatch()
  return watch
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

function throwIfRefused(outcome: Watch | WatchRefusal, name: string, max: number): Watch {
  if (outcome === 'name_taken')
    throw new Problem('name_taken', `Your account has another watch with the name ${JSON.stringify(name)}.`)
  if (outcome === 'too_many')
    throw new Problem(
      'too_many_watches',
      `An account may have ${max} watches. Delete one, or ask the operator for a higher limit.`,
    )
  return outcome
}

function unknownWatch(): Problem {
  return new Problem('not_found', 'Your account has no such watch.')
}
