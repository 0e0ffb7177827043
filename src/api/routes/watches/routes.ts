import { randomBytes } from 'node:crypto'
import type { PreviewWatchAnswer } from '../../../../client/src/generated/types.ts'
import { previewOf } from '../../../deliveries/explain.ts'
import { retryPending } from '../../../deliveries/recover.ts'
import { newSecret } from '../../../deliveries/send/signature.ts'
import { MAX_WATCHES_PER_AREA } from '../../../domain/area.ts'
import { type FieldError, invalidBody, invalidParameters, Problem } from '../../../domain/errors.ts'
import { isIdentifier, newIdentifier } from '../../../domain/identifier.ts'
import { changedSchedule } from '../../../domain/schedule.ts'
import { MAX_WATCHES_PER_SITE_LIST } from '../../../domain/sites.ts'
import { type NewWatch, resumes, WATCH_EVENTS, type Watch } from '../../../domain/watch.ts'
import { changedHeaders } from '../../../domain/watch-headers.ts'
import { parseLimit } from '../../../filter/parameter-values.ts'
import type { ChangeRefusal, WatchRefusal } from '../../../store/store.ts'
import { limitOf } from '../../auth/quotas.ts'
import {
  changeWatch,
  createWatch,
  deleteWatch,
  listWatches,
  previewWatch,
  readWatch,
} from '../../contract/watches/watches.ts'
import { sendAnswer } from '../../idempotency.ts'
import { QueryClient } from '../../requests/client.ts'
import { areaOfBody, requirePublished, unknownArea, unknownSites } from '../../requests/filter-references.ts'
import { invalidCursor, pageOf, parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { requireAgreement } from './channel-request.ts'
import { findWatch, unknownWatch } from './find-watch.ts'
import { previewSourceOf } from './matching-incidents.ts'
import { followedIn, parseWatchRequest, requireFilter } from './request.ts'
import { watchResponse, watchWithSecret } from './response.ts'

const MAX_PAGE_SIZE = 100
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
      // What a watch follows was published before: its creation is no news.
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
    // What waits for an earlier schedule is looked at again by the one that holds from now on.
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
