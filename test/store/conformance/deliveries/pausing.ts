import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../../../src/store/store.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'
import {
  appendTo,
  deliveryId,
  LEASE,
  leased,
  listedDeliveries,
  newDelivery,
  refused,
  watchId,
  withWatches,
} from '../../watch-fixtures.ts'

const FAR = Date.UTC(9000, 0)

async function statesOf(store: Store) {
  const deliveries = await listedDeliveries(store, 'acc_1', watchId(1), null, 100, null)
  return deliveries.map(({ status, dueAt, tries }) => [status, dueAt, tries])
}

/** Watch 1 with deliveries of events 1 to 3, due now, and watch 2 with one; watch 1 is paused. */
async function withPaused(store: Store): Promise<void> {
  await withWatches(store, 2)
  await appendTo(store, 3)
  await store.deliveries.add([...[1, 2, 3].map((event) => newDelivery(1, event)), newDelivery(2, 1)], NOW)
  await store.watches.change('acc_1', watchId(1), { status: 'paused' }, NOW)
}

export function pausingConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the deliveries of a paused watch', () => {
    it('stay pending when they fall due, are not leased, and do not stand in the way of others', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withPaused(store)
      assert.deepEqual(await leased(store), [deliveryId(2, 1)])
      assert.deepEqual(await leased(store, NOW + 400 * 24 * 3_600_000), [deliveryId(2, 1)])
      assert.deepEqual(await statesOf(store), [
        ['pending', null, 0],
        ['pending', null, 0],
        ['pending', null, 0],
      ])
      assert.deepEqual(await store.deliveries.queueDepth(10), { waiting: 0, leased: 1, oldestDueAt: null })
    })

    it('stay parked when the clock is set back', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withPaused(store)
      await leased(store)
      await store.deliveries.reschedule(1_000, NOW)
      assert.deepEqual(await leased(store, NOW + 1), [])
      assert.equal(
        (await statesOf(store)).every(([, dueAt]) => dueAt === null),
        true,
      )
    })

    it('are sent once the watch is resumed, batch by batch', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withPaused(store)
      await leased(store)
      await store.watches.change('acc_1', watchId(1), { status: 'active' }, NOW + 1)
      const { deliveries } = store
      const first = await deliveries.makeDue('acc_1', watchId(1), 0, NOW + 1, NOW + 1, 2)
      assert.deepEqual(first, { due: 2, lastSeq: 2 })
      const second = await deliveries.makeDue('acc_1', watchId(1), 2, NOW + 1, NOW + 1, 2)
      assert.deepEqual(second, { due: 1, lastSeq: null })
      assert.equal((await leased(store, NOW + 1)).length, 3)
    })

    it('that a crash left parked are found after the watch was resumed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withPaused(store)
      await leased(store)
      assert.deepEqual(await store.watches.resuming(NOW + 99, 10), [])
      await store.watches.change('acc_1', watchId(1), { status: 'active' }, NOW + 1)
      assert.deepEqual(await store.watches.resuming(NOW + 1, 10), [])
      const resumed = { id: watchId(1), accountId: 'acc_1', resumedAt: NOW + 1 }
      assert.deepEqual(await store.watches.resuming(NOW + 2, 10), [resumed])
      await store.watches.finishResuming({ ...resumed, resumedAt: NOW })
      assert.equal((await store.deliveries.makeDue('acc_1', watchId(1), 0, FAR, NOW + 2, 10)).due, 3)
      await store.watches.finishResuming(resumed)
      assert.deepEqual(await store.watches.resuming(NOW + 2, 10), [])
    })
  })

  describe('making pending deliveries due', () => {
    it('brings forward waiting ones of the account, and leaves leased and finished ones', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 4)
      await store.deliveries.add(
        [1, 2, 3, 4].map((event) => newDelivery(1, event)),
        NOW,
      )
      await leased(store, NOW, 3)
      const retry = refused(deliveryId(1, 1), { retryAt: NOW + 9 * LEASE })
      const failed = refused(deliveryId(1, 2), { retryAt: null })
      await store.deliveries.recordAttempts('node', [retry, failed], NOW)
      const makeDue = (accountId: string) => store.deliveries.makeDue(accountId, watchId(1), 0, NOW + 1, NOW + 1, 10)
      assert.deepEqual(await makeDue('acc_2'), { due: 0, lastSeq: null })
      assert.equal(await store.deliveries.countPending('acc_2', watchId(1), 0), 0)
      assert.equal(await store.deliveries.countPending('acc_1', watchId(1), 0), 3)
      assert.equal(await store.deliveries.countPending('acc_1', watchId(1), NOW + 1), 0)
      assert.deepEqual(await makeDue('acc_1'), { due: 1, lastSeq: null })
      assert.deepEqual((await leased(store, NOW + 1)).sort(), [deliveryId(1, 1), deliveryId(1, 4)])
      const [, , , first] = await statesOf(store)
      assert.deepEqual(first, ['pending', NOW + 1 + LEASE, 1])
    })
  })
}
