import { listDeliveries, readDelivery, redeliver } from '../../contract/watches/deliveries.ts'
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from '../../domain/delivery/delivery.ts'
import { type FieldError, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { parseLimit } from '../../query/parameter-values.ts'
import { sendAnswer } from '../requests/idempotency/answer.ts'
import { invalidCursor, pageOf } from '../requests/paging.ts'
import { parametersOf } from '../requests/parameters.ts'
import type { Router } from '../router.ts'
import { attemptResponse, deliveryResponse } from './watches/response.ts'

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
    return pageOf(found, limit, ({ eventSeq }) => String(eventSeq), deliveryResponse)
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
    if (watch !== null && watch.status !== 'active')
      throw new Problem(
        'watch_not_active',
        `The watch is ${watch.status}. Resume it first: PATCH {"status": "active"}.`,
      )
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

function parseCursor(cursor: string | null): number | null {
  if (cursor === null) return null
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw invalidCursor()
  return Number(cursor)
}
