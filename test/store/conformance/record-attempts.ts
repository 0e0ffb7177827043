import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../../src/store/store.ts'
import { type EmptyDatabase, openSeveral } from '../empty-database.ts'
import { NOW, until } from '../fixtures.ts'
import {
  appendTo,
  aWatch,
  deliveryId,
  LEASE,
  leased,
  listedDeliveries,
  NONE_FULL,
  newDelivery,
  refused,
  result,
  watchId,
  withWatches,
} from '../watch-fixtures.ts'

const ID = deliveryId(1, 1)

/** One watch with deliveries for events 1 to `count`, leased to `node`. */
async function withLeased(store: Store, count = 1): Promise<void> {
  await withWatches(store, 1)
  await appendTo(store, count)
  await store.deliveries.add(
    Array.from({ length: count }, (_, index) => newDelivery(1, index + 1)),
    NOW,
  )
  assert.equal((await leased(store, NOW, count)).length, count)
}

async function deliveryIn(store: Store, id = ID) {
  const { delivery, attempts } = (await store.deliveries.find('acc_1', id))!
  const { status, tries, dueAt, leaseOwner, finishedAt } = delivery
  assert.equal(delivery.attempts, attempts.length)
  assert.deepEqual(
    attempts.map((attempt) => attempt.number),
    attempts.map((_, index) => index + 1),
  )
  return { status, tries, dueAt, leaseOwner, finishedAt, attempts: attempts.map((attempt) => attempt.outcome) }
}

async function failingSince(store: Store): Promise<number | null> {
  return (await store.watches.find('acc_1', watchId(1)))!.failingSince
}

export function attemptsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('recording attempts', () => {
    it('stores each attempt and updates the delivery', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store)
      await store.deliveries.recordAttempts(
        'node',
        [refused(ID, { at: NOW + 1, retryAt: NOW + 5_000, contentSeq: 7 })],
        NOW + 2,
      )
      const waiting = { status: 'pending', tries: 1, dueAt: NOW + 5_000, leaseOwner: null, finishedAt: null }
      assert.deepEqual(await deliveryIn(store), { ...waiting, attempts: ['refused'] })
      assert.deepEqual(await leased(store, NOW + 4_999), [])
      assert.deepEqual(await leased(store, NOW + 5_000), [ID])
      await store.deliveries.recordAttempts('node', [result(ID, { at: NOW + 5_001 })], NOW + 5_009)
      const finished = { status: 'delivered', tries: 2, dueAt: null, leaseOwner: null, finishedAt: NOW + 5_009 }
      assert.deepEqual(await deliveryIn(store), { ...finished, attempts: ['refused', 'delivered'] })
      const each = { duration: 12, error: null }
      assert.deepEqual((await store.deliveries.find('acc_1', ID))?.attempts, [
        { ...each, number: 1, at: NOW + 1, outcome: 'refused', statusCode: 500, contentSeq: 7, answer: 'no' },
        { ...each, number: 2, at: NOW + 5_001, outcome: 'delivered', statusCode: 200, contentSeq: null, answer: 'ok' },
      ])
      assert.deepEqual(await leased(store, NOW + 10 * LEASE), [])
    })

    it('fails a delivery without a retry time', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store)
      const last = refused(ID, {
        outcome: 'timeout',
        statusCode: null,
        answer: null,
        error: 'no answer',
        retryAt: null,
      })
      await store.deliveries.recordAttempts('node', [last], NOW + 2)
      const failed = { status: 'failed', tries: 1, dueAt: null, leaseOwner: null, finishedAt: NOW + 2 }
      assert.deepEqual(await deliveryIn(store), { ...failed, attempts: ['timeout'] })
      assert.deepEqual(await leased(store, NOW + 10 * LEASE), [])
    })

    it('accepts any answer and keeps its beginning', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store)
      const answer = `a\0b\ud83d ${'x'.repeat(5_000)}`
      await store.deliveries.recordAttempts('node', [refused(ID, { answer, error: 'e\0' })], NOW)
      const [attempt] = (await store.deliveries.find('acc_1', ID))!.attempts
      assert.equal(attempt?.answer, `a\ufffdb\ufffd ${'x'.repeat(1_019)}`)
      assert.equal(attempt?.error, 'e\ufffd')
    })

    it('accepts many at once, several of one delivery included, and skips deleted deliveries', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store, 300)
      const ids = Array.from({ length: 300 }, (_, index) => deliveryId(1, index + 1))
      const results = ids.flatMap((id) => [result(id, { at: NOW + 2 }), refused(id, { at: NOW + 1 })])
      await store.deliveries.recordAttempts('node', [...results, result('msg_gone')], NOW + 3)
      for (const id of [ids[0]!, ids[150]!, ids[299]!]) {
        const { status, attempts } = await deliveryIn(store, id)
        assert.deepEqual([status, attempts], ['delivered', ['refused', 'delivered']])
      }
      assert.deepEqual(await store.deliveries.recordAttempts('node', [], NOW), [])
    })

    describe('after the lease was lost', () => {
      it('stores a failure, but leaves the delivery to its new owner', async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await withLeased(store)
        await store.deliveries.lease('heir', NOW + LEASE, NOW + 2 * LEASE, 1, NONE_FULL)
        await store.deliveries.recordAttempts('node', [refused(ID, { retryAt: null })], NOW + LEASE)
        const held = { status: 'pending', tries: 0, dueAt: NOW + 2 * LEASE, leaseOwner: 'heir', finishedAt: null }
        assert.deepEqual(await deliveryIn(store), { ...held, attempts: ['refused'] })
      })

      it('stores a failure after a success, which remains', async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await withLeased(store)
        await store.deliveries.lease('heir', NOW + LEASE, NOW + 2 * LEASE, 1, NONE_FULL)
        await store.deliveries.recordAttempts('heir', [result(ID)], NOW + LEASE)
        await store.deliveries.recordAttempts('node', [refused(ID)], NOW + LEASE + 1)
        const { status, finishedAt, attempts } = await deliveryIn(store)
        assert.deepEqual([status, finishedAt, attempts], ['delivered', NOW + LEASE, ['delivered', 'refused']])
      })

      it('counts a success, because the endpoint has received it', async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await withLeased(store)
        await store.deliveries.lease('heir', NOW + LEASE, NOW + 2 * LEASE, 1, NONE_FULL)
        await store.deliveries.recordAttempts('node', [result(ID)], NOW + LEASE)
        await store.deliveries.recordAttempts('heir', [refused(ID)], NOW + LEASE + 1)
        const { status, finishedAt, attempts } = await deliveryIn(store)
        assert.deepEqual([status, finishedAt, attempts], ['delivered', NOW + LEASE, ['delivered', 'refused']])
      })

      it('counts a failure if no other owner has leased it', async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await withLeased(store)
        await store.deliveries.recordAttempts('node', [refused(ID, { retryAt: null })], NOW + 5 * LEASE)
        assert.equal((await deliveryIn(store)).status, 'failed')
      })
    })

    it('keeps the time since when a watch has been failing, until a success', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store, 3)
      const [one, two, three] = [1, 2, 3].map((event) => deliveryId(1, event)) as [string, string, string]
      const failing = (since: number) => [
        {
          watchId: watchId(1),
          accountId: 'acc_1',
          url: aWatch(1).url,
          history: { failingSince: since, failures: [since] },
          gone: false,
          warnings: 0,
        },
      ]
      const { deliveries } = store
      assert.deepEqual(await deliveries.recordAttempts('node', [refused(one, { at: NOW + 1 })], NOW), failing(NOW + 1))
      assert.deepEqual(await deliveries.recordAttempts('node', [refused(two, { at: NOW + 9 })], NOW), failing(NOW + 1))
      assert.equal(await failingSince(store), NOW + 1)
      const mixed = [refused(one, { at: NOW + 12 }), result(three, { at: NOW + 11 }), refused(two, { at: NOW + 10 })]
      assert.deepEqual(await deliveries.recordAttempts('node', mixed, NOW), failing(NOW + 12))
      assert.deepEqual(await deliveries.recordAttempts('node', [result(one, { at: NOW + 13 })], NOW), [])
      assert.equal(await failingSince(store), null)
    })

    it('clears the failing time of a watch that is resumed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store)
      await store.deliveries.recordAttempts('node', [refused(ID)], NOW)
      await store.watches.change('acc_1', watchId(1), { status: 'disabled', disabledReason: 'failing' }, NOW)
      assert.equal(await failingSince(store), NOW)
      await store.watches.change('acc_1', watchId(1), { status: 'active' }, NOW)
      assert.equal(await failingSince(store), null)
    })

    it('loses nothing when many owners record at once, in any order, while watches change', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      await withWatches(stores.at(0), 6)
      await appendTo(stores.at(0), 20)
      const all = [1, 2, 3, 4, 5, 6].flatMap((watch) =>
        Array.from({ length: 10 }, (_, index) => newDelivery(watch, index + 1)),
      )
      await stores.at(0).deliveries.add(all, NOW)
      await leased(stores.at(0))
      const ids = all.map((each) => each.id)
      const recording = Array.from({ length: 12 }, (_, index) => {
        const order = index % 2 ? ids : ids.toReversed()
        const results = order.map((id) => (index === 7 ? result(id) : refused(id)))
        return stores.at(index).deliveries.recordAttempts('node', results, NOW + 1)
      })
      const writing = Array.from({ length: 10 }, (_, index) =>
        stores.at(index).deliveries.add(
          [6, 5, 4, 3, 2, 1].map((watch) => newDelivery(watch, 11 + index)),
          NOW,
        ),
      )
      await Promise.all([...recording, ...writing])
      for (const id of ids) {
        const { status, attempts } = await deliveryIn(stores.at(0), id)
        assert.equal(status, 'delivered')
        assert.equal(attempts.length, 12)
      }
      assert.equal((await stores.at(0).watches.find('acc_1', watchId(3)))?.sequence, 20)
    })
  })
}

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
