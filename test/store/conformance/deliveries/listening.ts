import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../../../src/store/store.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW, until } from '../../fixtures.ts'
import { openSeveral } from '../../several-stores.ts'
import {
  appendTo,
  deliveryId,
  LEASE,
  leased,
  newDelivery,
  refused,
  result,
  watchId,
  withWatches,
} from '../../watch-fixtures.ts'

/** Two watches with deliveries of the events 1 to 3, written by the fan-out. */
async function withDeliveries(store: Store): Promise<void> {
  await withWatches(store, 2)
  await appendTo(store, 3)
  const from = (await store.fanOut.lease('node', NOW, NOW + LEASE))!
  const deliveries = [1, 2, 3].flatMap((event) => [newDelivery(1, event), newDelivery(2, event)])
  await store.fanOut.write('node', { from, to: { seq: 3, afterWatchId: null }, deliveries }, NOW, NOW + LEASE)
}

async function resent(store: Store, after = 0, limit = 10, accountId = 'acc_1'): Promise<(string | number)[][]> {
  const found = await store.listening.resentAfter(accountId, watchId(1), after, limit)
  return found.map((each) => [each.resent, each.delivery.id])
}

export function listeningConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('listening', () => {
    it('tells how far the log goes and its deliveries are written', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withDeliveries(store)
      await appendTo(store, 5)
      assert.deepEqual(await store.listening.heads(), { logged: 5, written: 3, resent: 0 })
    })

    it('numbers what an owner asked for: redeliveries, recovered messages and tests', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withDeliveries(store)
      assert.deepEqual(await resent(store), [])
      const failed = [2, 3].map((event) => refused(deliveryId(1, event), { retryAt: null }))
      await store.deliveries.recordAttempts('node', [result(deliveryId(1, 1)), ...failed], NOW)
      await store.deliveries.redeliver('acc_1', deliveryId(1, 1), NOW)
      await store.deliveries.redeliver('acc_1', deliveryId(2, 1), NOW)
      await store.deliveries.recover('acc_1', watchId(1), 0, NOW, 10)
      await appendTo(store, 4)
      await store.deliveries.add([newDelivery(1, 4)], NOW)
      const { deliveryId: _, url: __, retryAt: ___, ...attempt } = result('')
      const test = { ...attempt, outcome: 'delivered' as const }
      const shown = { eventSeq: 4, kind: 'incident.created' as const, incidentId: 'inc_1', attempt: test }
      await store.deliveries.addTest({ id: 'msg_test', watchId: watchId(1), ...shown }, NOW)
      const all = [
        [1, deliveryId(1, 1)],
        [3, deliveryId(1, 2)],
        [4, deliveryId(1, 3)],
        [5, deliveryId(1, 4)],
        [6, 'msg_test'],
      ]
      assert.deepEqual(await resent(store), all)
      assert.deepEqual(await resent(store, 3, 2), all.slice(2, 4))
      assert.equal((await store.listening.heads()).resent, 6)
      assert.deepEqual(await resent(store, 0, 10, 'acc_2'), [])
    })

    it('keeps the last number of a delivery, whatever becomes of it', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withDeliveries(store)
      await store.deliveries.recordAttempts('node', [result(deliveryId(1, 1))], NOW)
      for (const at of [NOW, NOW + 1]) {
        await store.deliveries.redeliver('acc_1', deliveryId(1, 1), at)
        await leased(store, at)
        await store.deliveries.recordAttempts('node', [result(deliveryId(1, 1))], at)
      }
      assert.deepEqual(await resent(store), [[2, deliveryId(1, 1)]])
    })

    it('notifies the other processes of a test', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      const [one, other] = [stores.at(0), stores.at(1)]
      await withDeliveries(one)
      let woken = 0
      const stop = other.deliveries.onDue(() => woken++)
      const { deliveryId: _, url: __, retryAt: ___, ...attempt } = result('')
      const test = { ...attempt, outcome: 'delivered' as const }
      const shown = { eventSeq: 3, kind: 'incident.created' as const, incidentId: 'inc_1', attempt: test }
      await one.deliveries.addTest({ id: 'msg_test', watchId: watchId(1), ...shown }, NOW)
      await until(() => woken > 0)
      stop()
    })
  })
}
