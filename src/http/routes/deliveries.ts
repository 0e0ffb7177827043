import { listDeliveries, readDelivery, redeliver } from '../../contract/watches/deliveries.ts'
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from '../../domain/delivery/delivery.ts'
import { messageContent } from '../../domain/delivery/message-content.ts'
import { type FieldError, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { parseLimit } from '../../query/parameter-values.ts'
import type { DeliveryPosition, Store } from '../../store/store.ts'
import { sendAnswer } from '../requests/idempotency/answer.ts'
import { invalidCursor, pageOf } from '../requests/paging.ts'
import { parametersOf } from '../requests/parameters.ts'
import type { Router } from '../router.ts'
import { attemptResponse, deliveryResponse } from './watches/response.ts'
import { requireActive } from './watches/sending.ts'

const MAX_PAGE_SIZE = 100

export function deliveryRoutes(router: Router): void {
  const { clock, geography } = router.environment

  router.add(listDeliveries, async ({ request, parameters, services: { store } }) => {
    const { text } = parametersOf(request, listDeliveries, geography.places)
    const errors: FieldError[] = []
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    const status = parseStatus(text('status'), errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const before = parseCursor(text('cursor'))
    const accountId = request.caller!.account.id
    if (!isIdentifier('watch', parameters.id) || (await store.watches.find(accountId, parameters.id)) === null)
      throw new Problem('not_found', 'Your account has no such watch.')
    const found = await store.deliveries.list(accountId, parameters.id, status, limit + 1, before)
    return pageOf(found, limit, ({ eventSeq, id }) => `${eventSeq}.${id}`, deliveryResponse)
  })

  router.add(readDelivery, async ({ request, parameters, services: { store } }) => {
    const found = isIdentifier('delivery', parameters.id)
      ? await store.deliveries.find(request.caller!.account.id, parameters.id)
      : null
    if (found === null) throw unknownDelivery()
    return { ...deliveryResponse(found.delivery), log: found.attempts.map(attemptResponse) }
  })

  router.add(redeliver, async ({ request, reply, parameters, services: { store }, storeWith }) => {
    const accountId = request.caller!.account.id
    const { watches, deliveries } = store
    const found = isIdentifier('delivery', parameters.id) ? await deliveries.find(accountId, parameters.id) : null
    if (found === null) throw unknownDelivery()
    const watch = await watches.find(accountId, found.delivery.watchId)
    if (watch !== null) requireActive(watch)
    await requireTrue(found.delivery, store)
    const now = clock()
    const answer = { status: 200, body: deliveryResponse(madeDue(found.delivery, now)) }
    const delivery = await storeWith(answer).deliveries.redeliver(accountId, parameters.id, now)
    if (delivery === null) throw unknownDelivery()
    return sendAnswer(reply, answer)
  })
}

/** The delivery once it is due at `now`; while it is leased, it stays due at the lease's end. */
function madeDue(delivery: Delivery, now: number): Delivery {
  const isLeased = delivery.leaseOwner !== null && delivery.dueAt !== null && delivery.dueAt > now
  return { ...delivery, status: 'pending', dueAt: isLeased ? delivery.dueAt : now, finishedAt: null }
}

/** Throws if the message can no longer be sent, or never could be. */
async function requireTrue({ test, eventSeq, kind }: Delivery, { events, incidents }: Store): Promise<void> {
  if (test) throw new Problem('not_redeliverable', 'It was a test message: POST /v1/watches/{id}/test sends another.')
  const [event] = await events.after(eventSeq - 1, 1)
  const [incident] = event?.seq === eventSeq ? await incidents.current([event.incidentId]) : []
  if (messageContent(kind, incident?.status ?? null) === null)
    throw new Problem('not_redeliverable', `The incident is ${incident?.status ?? 'gone'}: ${kind} is no longer true.`)
}

function unknownDelivery(): Problem {
  return new Problem('not_found', 'Your account has no such delivery.')
}

function parseStatus(text: string | null, errors: FieldError[]): DeliveryStatus | null {
  const status = DELIVERY_STATUSES.find((known) => known === text) ?? null
  if (text !== null && status === null)
    errors.push({
      parameter: 'status',
      message: `must be one of ${DELIVERY_STATUSES.join(', ')}`,
      allowed: DELIVERY_STATUSES,
    })
  return status
}

/** Cursors from before test messages were logged have no id. */
function parseCursor(cursor: string | null): DeliveryPosition | null {
  if (cursor === null) return null
  const [, eventSeq, id = ''] = /^(\d{1,15})(?:\.(.+))?$/.exec(cursor) ?? []
  if (eventSeq === undefined || (id !== '' && !isIdentifier('delivery', id))) throw invalidCursor()
  return { eventSeq: Number(eventSeq), id }
}
