import { auditEntryOf } from '../../../accounts/audit.ts'
import { newSource, requireSource, sourcePatch } from '../../../desk/sources/manage-source.ts'
import { type FieldError, invalidParameters } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { ITEM_STATE_NAMES, MAX_SOURCES, NEVER_POLLED, type NewsSource } from '../../../domain/sources.ts'
import { parseChoice, parseLimit } from '../../../filter/parameter-values.ts'
import type { Store } from '../../../store/store.ts'
import {
  changeSource,
  createSource,
  listSourceItems,
  listSources,
  readSource,
  removeSource,
} from '../../contract/sources/sources.ts'
import { sendAnswer } from '../../idempotency.ts'
import { pageOf, parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { positionCursor, readPositionCursor } from './cursor.ts'
import { itemResponse, sourceResponse } from './response.ts'

const MAX_PAGE_SIZE = 200
const NOTHING_COUNTED = { items: 0, queued: 0, proposed: 0, confirmed: 0 }

export function sourceRoutes(router: Router): void {
  const { clock, guard, geography } = router.environment

  router.add(listSources, async ({ services: { store } }) => ({
    data: (await store.sources.list()).map(sourceResponse),
  }))

  router.add(createSource, async ({ request, reply, body, storeWith }) => {
    const now = clock()
    const { urlKey, ...source } = await newSource(body, guard, request.caller!.account.id, now)
    const answer = {
      status: 201,
      body: sourceResponse({ ...source, polling: NEVER_POLLED, counts: NOTHING_COUNTED }),
    }
    const entry = auditEntryOf(request.caller!, { action: 'source.create', subject: source.id, after: body }, now)
    requireSource(
      await storeWith(answer)
        .withAudit(entry)
        .sources.add({ ...source, urlKey }, MAX_SOURCES),
    )
    return sendAnswer(reply, answer)
  })

  router.add(readSource, async ({ parameters, services: { store } }) =>
    sourceResponse(await findSource(store, parameters.id)),
  )

  router.add(changeSource, async ({ request, parameters, body, services: { store } }) => {
    const source = await findSource(store, parameters.id)
    const patch = await sourcePatch(source, body, guard, request.caller!.account.id, clock())
    const after = shownIn({ ...source, ...patch })
    const act = { action: 'source.change', subject: source.id, before: shownIn(source), after }
    const entry = auditEntryOf(request.caller!, act, clock())
    return sourceResponse(requireSource(await store.withAudit(entry).sources.change(source.id, patch)))
  })

  router.add(removeSource, async ({ request, reply, parameters, services: { store } }) => {
    const source = await findSource(store, parameters.id)
    const act = { action: 'source.remove', subject: source.id, before: shownIn(source) }
    const entry = auditEntryOf(request.caller!, act, clock())
    if (!(await store.withAudit(entry).sources.remove(source.id))) requireSource(null)
    reply.status(204)
  })

  router.add(listSourceItems, async ({ request, parameters, services: { store } }) => {
    const { text } = parametersOf(request, listSourceItems, geography.places)
    const errors: FieldError[] = []
    const state = parseChoice('state', text('state'), ITEM_STATE_NAMES, errors)
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const position = readPositionCursor('item', text('cursor'))
    const before = position && { firstSeenAt: position.at, id: position.id }
    const { id } = await findSource(store, parameters.id)
    const items = await store.sources.listItems(id, state, before, limit + 1)
    return pageOf(items, limit, ({ firstSeenAt, id }) => positionCursor(firstSeenAt, id), itemResponse)
  })
}

async function findSource(store: Store, id: string): Promise<NewsSource> {
  return requireSource(isIdentifier('source', id) ? await store.sources.find(id) : null)
}

/** The fields that an admin changes. */
function shownIn({ url, publisher, everyMinutes, paused }: NewsSource) {
  return { url, publisher, every_minutes: everyMinutes, paused }
}
