import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW, until } from '../../fixtures.ts'
import {
  appendTo,
  deliveryId,
  LEASE,
  leased,
  listedDeliveries,
  NONE_FULL,
  newDelivery,
  result,
  watchId,
  withWatches,
} from '../../watch-fixtures.ts'

export function ownersConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('an owner', () => {
    it('has a heartbeat count that all owners see', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { owners } = store
      assert.deepEqual(await owners.recordHeartbeat('b'), [{ owner: 'b', beats: 1 }])
      assert.deepEqual(await owners.recordHeartbeat('a'), [
        { owner: 'a', beats: 1 },
        { owner: 'b', beats: 1 },
      ])
      assert.deepEqual(await owners.recordHeartbeat('b'), [
        { owner: 'a', beats: 1 },
        { owner: 'b', beats: 2 },
      ])
    })

    it('that is released loses its leases: its deliveries are due at once, with a notification, and the fan-out is free', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 3)
      const from = await store.fanOut.lease('dead', NOW, NOW + LEASE)
      const to = { seq: 2, afterWatchId: null }
      await store.fanOut.write(
        'dead',
        { from: from!, to, deliveries: [newDelivery(1, 1), newDelivery(1, 2)] },
        NOW,
        NOW + LEASE,
      )
      await store.deliveries.recordAttempts('dead', [result(deliveryId(1, 1))], NOW)
      assert.deepEqual(await leased(store, NOW + 1), [])
      let woken = 0
      const stop = store.deliveries.onDue(() => woken++)
      const [pulse] = await store.owners.recordHeartbeat('dead')
      assert.equal(await store.owners.releaseLeases(pulse!, NOW + 1), true)
      await until(() => woken > 0)
      stop()
      assert.deepEqual(await leased(store, NOW + 1), [deliveryId(1, 2)], 'the one it had not finished')
      assert.deepEqual(await store.fanOut.lease('alive', NOW + 1, NOW + LEASE), to)
      assert.deepEqual(await store.owners.recordHeartbeat('alive'), [{ owner: 'alive', beats: 1 }])
    })

    it('keeps its leases if it has recorded a heartbeat since, or if another owner is released', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await store.deliveries.lease('slow', NOW, NOW + LEASE, 10, NONE_FULL)
      const [before] = await store.owners.recordHeartbeat('slow')
      const [now] = await store.owners.recordHeartbeat('slow')
      const other = (await store.owners.recordHeartbeat('other')).find(({ owner }) => owner === 'other')
      assert.equal(await store.owners.releaseLeases(before!, NOW + 1), false)
      assert.equal(await store.owners.releaseLeases(other!, NOW + 1), true)
      const [delivery] = await listedDeliveries(store, 'acc_1', watchId(1), null, 1, null)
      assert.equal(delivery?.leaseOwner, 'slow')
      assert.deepEqual(await store.owners.recordHeartbeat('other'), [{ owner: 'other', beats: 1 }, now])
    })

    it('is released by exactly one of many callers', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const [pulse] = await store.owners.recordHeartbeat('dead')
      const released = await Promise.all(Array.from({ length: 8 }, () => store.owners.releaseLeases(pulse!, NOW)))
      assert.equal(released.filter(Boolean).length, 1)
    })
  })
}
