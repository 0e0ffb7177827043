import { type ChannelSettings, channelBody } from '../../../deliveries/channels/channel-request.ts'
import { loggedMessages, type WriteBody } from '../../../deliveries/logged-message.ts'
import { addressOf } from '../../../deliveries/send/message.ts'
import { SiteNames } from '../../../deliveries/send/site-names.ts'
import { isMessenger } from '../../../domain/channel.ts'
import type { Delivery } from '../../../domain/delivery.ts'
import { type FieldError, Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { messageContent } from '../../../domain/message-content.ts'
import type { Watch } from '../../../domain/watch.ts'
import { parseLimit } from '../../../filter/parameter-values.ts'
import type { DeliveryDetails, Store } from '../../../store/store.ts'
import { listAllDeliveries, listDeliveries, readDelivery, redeliver } from '../../contract/watches/deliveries.ts'
import { sendAnswer } from '../../idempotency.ts'
import { pageOf, parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { findWatch } from '../watches/find-watch.ts'
import { requireActive } from '../watches/sending.ts'
import { cursorOf, type DeliveryFilters, deliveryQueryOf, parseDeliveryFilters, watchesToRead } from './request.ts'
import { deliveryDetailsResponse, deliveryResponse, loggedOf } from './response.ts'

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
