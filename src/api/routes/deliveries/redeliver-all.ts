import { invalidBody } from '../../../domain/errors.ts'
import { messageContent } from '../../../domain/message-content.ts'
import type { Places } from '../../../domain/places.ts'
import { parseFilterObject } from '../../../filter/filter/filter-object.ts'
import type { LoggedDelivery, Store } from '../../../store/store.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { redeliverAll } from '../../contract/watches/deliveries.ts'
import { sendAnswer } from '../../idempotency.ts'
import { answerBody } from '../../requests/body.ts'
import type { Router } from '../../router.ts'
import { cursorOf, type DeliveryFilters, deliveryQueryOf, parseDeliveryFilters, watchesToRead } from './request.ts'

/** Deliveries that one request sends again: one transaction, and one read of their incidents. */
const MAX_REDELIVERED = 1_000

export function redeliverAllRoutes(router: Router): void {
  const { clock, geography } = router.environment

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
