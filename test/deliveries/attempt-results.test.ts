import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AttemptRecorder } from '../../src/deliveries/attempts.ts'
import { type AttemptResult, type Deliveries, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { NOW } from '../store/fixtures.ts'
import {
  appendTo,
  deliveryId,
  LEASE,
  listedDeliveries,
  NONE_FULL,
  newDelivery,
  refused,
  result,
  watchId,
  withWatches,
} from '../store/watch-fixtures.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/memory-store.ts'

/** Opens a store with `count` deliveries that are leased to `node`. */
async function storeWith(count: number): Promise<Store> {
  const store = await openMemoryStore()
  await withWatches(store, 1)
  await appendTo(store, count)
  const all = Array.from({ length: count }, (_, index) => newDelivery(1, index + 1))
  await store.deliveries.add(all, NOW)
  await store.deliveries.lease('node', NOW, NOW + LEASE, count, NONE_FULL)
  return store
}

type RecordAttempts = Deliveries['recordAttempts']

function recorderFor(record: RecordAttempts) {
  const recorded: string[] = []
  const failing: string[] = []
  const errors: unknown[] = []
  const recorder = new AttemptRecorder(
    { recordAttempts: record },
    {
      owner: 'node',
      clock: () => NOW,
      async onRecorded(results, watches) {
        recorded.push(...results.map((each) => each.deliveryId))
        failing.push(...watches.map((each) => each.watchId))
      },
      onError: (error) => errors.push(error),
    },
  )
  return { recorder, recorded, failing, errors }
}

const delivered = async (store: Store) =>
  (await listedDeliveries(store, 'acc_1', watchId(1), 'delivered', 1000, null)).length

test('results that arrive together are all written in one call', async () => {
  await using store = await storeWith(5)
  let calls = 0
  const { recorder, recorded } = recorderFor((...values) => {
    calls++
    return store.deliveries.recordAttempts(...values)
  })
  for (let event = 1; event <= 5; event++) recorder.addResult(result(deliveryId(1, event)))
  assert.equal(recorder.pending, 5)
  await recorder[Symbol.asyncDispose]()
  assert.deepEqual([calls, recorder.pending, recorded.length, await delivered(store)], [1, 0, 5, 5])
})

test('failing watches are reported', async () => {
  await using store = await storeWith(1)
  const { recorder, failing } = recorderFor(store.deliveries.recordAttempts)
  recorder.addResult(refused(deliveryId(1, 1)))
  await recorder[Symbol.asyncDispose]()
  assert.deepEqual(failing, [watchId(1)])
})

test('results are retained during a database outage and written afterwards', async () => {
  await using store = await storeWith(3)
  let away = true
  const { recorder, errors } = recorderFor(async (...values) => {
    if (away) throw new StoreUnavailable('away')
    return store.deliveries.recordAttempts(...values)
  })
  recorder.addResult(result(deliveryId(1, 1)))
  await until(() => errors.length > 0)
  recorder.addResult(result(deliveryId(1, 2)))
  recorder.addResult(result(deliveryId(1, 3)))
  assert.equal(recorder.pending, 3)
  away = false
  await until(() => recorder.pending === 0)
  assert.equal(await delivered(store), 3)
})

test('stopping gives up on a database that stays unavailable', async () => {
  const { recorder, errors } = recorderFor(() => Promise.reject(new StoreUnavailable('away')))
  recorder.addResult(result('msg_1'))
  await recorder[Symbol.asyncDispose]()
  assert.ok(errors.length > 1)
  recorder.addResult(result('msg_2'))
  assert.equal(recorder.pending, 1, 'later results are not accepted')
})

test('an invalid result is skipped, and the others are written', async () => {
  await using store = await storeWith(4)
  const wrong = (results: readonly AttemptResult[]) => results.some(({ deliveryId: id }) => id === deliveryId(1, 3))
  const { recorder, errors } = recorderFor(async (owner, results, now) => {
    if (wrong(results)) throw new TypeError('no')
    return store.deliveries.recordAttempts(owner, results, now)
  })
  for (let event = 1; event <= 4; event++) recorder.addResult(result(deliveryId(1, event)))
  await until(() => recorder.pending === 0)
  assert.equal(await delivered(store), 3)
  assert.ok(errors.length > 0)
})
