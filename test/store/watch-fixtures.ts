import type { Delivery, DeliveryStatus } from '../../src/domain/delivery.ts'
import type { NewWatch, Watch } from '../../src/domain/watch.ts'
import {
  AT_ANY_TIME,
  type AttemptResult,
  type DeliveryPosition,
  type DeliveryQuery,
  type Dispatch,
  type FullQueues,
  type NewDelivery,
  type Store,
} from '../../src/store/store.ts'
import { aKey, anAccount, created, NOW } from './fixtures.ts'

export const LEASE = 60_000
export const MAX_WATCHES = 1_000
/** A process with room for everything. */
export const NONE_FULL: FullQueues = { accountIds: [], watchIds: [] }

export function watchId(number: number): string {
  return `wat_${String(number).padStart(6, '0')}`
}

export function aWatch(number = 1, changes: Partial<NewWatch> = {}): NewWatch {
  return {
    id: watchId(number),
    accountId: 'acc_1',
    name: `Roads ${number}`,
    channel: 'webhook',
    url: `https://host${number}.example/hook`,
    description: null,
    filter: { given: '{"state":"kaduna"}', canonical: '{"state":["NG-KD"]}' },
    events: ['incident.created'],
    status: 'active',
    disabledReason: null,
    secrets: [{ secret: `whsec_${number}`, expiresAt: null }],
    headers: [],
    schedule: null,
    createdAt: NOW + number,
    updatedAt: NOW + number,
    ...changes,
  }
}

/** The watch as it is stored before any event or delivery. */
export function stored(watch: NewWatch, changes: Partial<Watch> = {}): Watch {
  return { ...watch, createdSeq: 0, sequence: 0, failingSince: null, ...changes }
}

/** Two accounts, the first with watches 1 to `count`. */
export async function withWatches(store: Store, count: number, changes: Partial<NewWatch> = {}): Promise<void> {
  await store.accounts.open(anAccount(1), aKey(1))
  await store.accounts.open(anAccount(2), aKey(2, { accountId: 'acc_2' }))
  for (let number = 1; number <= count; number++) await store.watches.add(aWatch(number, changes), MAX_WATCHES)
}

export function deliveryId(watch: number, event: number): string {
  return `msg_${String(event).padStart(6, '0')}_${String(watch).padStart(6, '0')}`
}

export function newDelivery(watch: number, event: number, changes: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id: deliveryId(watch, event),
    watchId: watchId(watch),
    eventSeq: event,
    kind: 'incident.created',
    critical: false,
    ...changes,
  }
}

/** Appends events until the log ends at `seq`. */
export async function appendTo(store: Store, seq: number): Promise<void> {
  const { seq: before } = await store.events.head()
  await store.incidents.save(
    Array.from({ length: seq - before }, (_, index) => created(before + index + 1)),
    NOW,
  )
}

export function result(deliveryId: string, changes: Partial<AttemptResult> = {}): AttemptResult {
  return {
    deliveryId,
    watchId: watchId(Number(deliveryId.slice(-6))),
    url: `https://host${Number(deliveryId.slice(-6))}.example/hook`,
    at: NOW,
    duration: 12,
    outcome: 'delivered',
    statusCode: 200,
    contentSeq: null,
    answer: 'ok',
    error: null,
    retryAt: null,
    ...changes,
  }
}

export function refused(deliveryId: string, changes: Partial<AttemptResult> = {}): AttemptResult {
  return result(deliveryId, { outcome: 'refused', statusCode: 500, answer: 'no', retryAt: NOW + 5_000, ...changes })
}

export function idsOf(dispatches: readonly Dispatch[] | null): string[] {
  return (dispatches ?? []).map((dispatch) => dispatch.delivery.id)
}

/** Leases deliveries for one node and returns their ids. */
export async function leased(store: Store, now = NOW, limit = 100, except = NONE_FULL): Promise<string[]> {
  return idsOf((await store.deliveries.lease('node', now, now + LEASE, limit, except)).dispatches)
}

/** Asks for everything, of watch 1. */
export function deliveryQuery(changes: Partial<DeliveryQuery> = {}): DeliveryQuery {
  return {
    watchIds: [watchId(1)],
    status: null,
    kind: null,
    eventSeqs: null,
    afterSeq: 0,
    tests: AT_ANY_TIME,
    before: null,
    limit: 100,
    ...changes,
  }
}

/** The deliveries of one watch, newest event first. */
export async function listedDeliveries(
  store: Store,
  accountId: string,
  watchId: string,
  status: DeliveryStatus | null,
  limit: number,
  before: DeliveryPosition | null,
): Promise<Delivery[]> {
  const query = deliveryQuery({ watchIds: [watchId], status, limit, before })
  return (await store.deliveries.list(accountId, query)).map(({ delivery }) => delivery)
}
