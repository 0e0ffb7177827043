import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DeliveryStatus } from '../../../src/domain/delivery.ts'
import type { WatchSchedule } from '../../../src/domain/schedule.ts'
import type { Store } from '../../../src/store/store.ts'
import { type EmptyDatabase, openSeveral } from '../databases.ts'
import {
  appendTo,
  aWatch,
  deliveryId,
  LEASE,
  leased,
  listedDeliveries,
  MAX_WATCHES,
  NONE_FULL,
  NOW,
  newDelivery,
  refused,
  result,
  until,
  watchId,
  withWatches,
} from '../fixtures.ts'

/**
 * One watch with deliveries for events 1 to 6, in turn delivered, failed and pending; each made a
 * second after the last.
 */
async function withHistory(store: Store): Promise<void> {
  await withWatches(store, 2)
  await appendTo(store, 6)
  for (const event of [1, 2, 3, 4, 5, 6]) await store.deliveries.add([newDelivery(1, event)], NOW + event * 1_000)
  await leased(store, NOW + 6_000)
  const results = [1, 4].map((event) => result(deliveryId(1, event)))
  const failures = [2, 5].map((event) => refused(deliveryId(1, event), { retryAt: null }))
  const waiting = [3, 6].map((event) => refused(deliveryId(1, event), { retryAt: NOW + 2 * LEASE + event }))
  await store.deliveries.recordAttempts('node', [...results, ...failures, ...waiting], NOW + 10_000)
}

async function statusesOf(store: Store): Promise<DeliveryStatus[]> {
  return (await listedDeliveries(store, 'acc_1', watchId(1), null, 100, null))
    .map((delivery) => delivery.status)
    .reverse()
}

export function deliveriesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('deliveries', () => {
    it('are listed newest event first, by status or all, page by page', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withHistory(store)
      const page = async (status: DeliveryStatus | null, limit: number, beforeSeq: number | null) =>
        (
          await listedDeliveries(
            store,
            'acc_1',
            watchId(1),
            status,
            limit,
            beforeSeq === null ? null : { eventSeq: beforeSeq, id: '' },
          )
        ).map((delivery) => delivery.eventSeq)
      assert.deepEqual(await page(null, 100, null), [6, 5, 4, 3, 2, 1])
      assert.deepEqual(await page(null, 2, null), [6, 5])
      assert.deepEqual(await page(null, 3, 5), [4, 3, 2])
      assert.deepEqual(await page('delivered', 100, null), [4, 1])
      assert.deepEqual(await page('failed', 1, null), [5])
      assert.deepEqual(await page('failed', 1, 5), [2])
      assert.deepEqual(await page('pending', 100, 6), [3])
    })

    it('are found by their account only', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withHistory(store)
      const id = deliveryId(1, 2)
      assert.deepEqual(await listedDeliveries(store, 'acc_2', watchId(1), null, 10, null), [])
      assert.equal(await store.deliveries.find('acc_2', id), null)
      assert.equal(await store.deliveries.find('acc_1', 'msg_unknown'), null)
      assert.equal(await store.deliveries.redeliver('acc_2', id, NOW), null)
      assert.equal(await store.deliveries.recover('acc_2', watchId(1), 0, NOW, 10), 0)
      assert.equal((await store.deliveries.find('acc_1', id))?.delivery.status, 'failed')
    })

    it('are redelivered with new tries, and keep their attempts', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withHistory(store)
      const now = NOW + LEASE
      for (const event of [1, 2, 3]) {
        const delivery = await store.deliveries.redeliver('acc_1', deliveryId(1, event), now)
        assert.deepEqual(
          [delivery?.status, delivery?.tries, delivery?.attempts, delivery?.dueAt, delivery?.finishedAt],
          ['pending', 0, 1, now, null],
        )
        assert.deepEqual(await leased(store, now), [deliveryId(1, event)])
        await store.deliveries.recordAttempts('node', [result(deliveryId(1, event))], now)
        assert.equal((await store.deliveries.find('acc_1', deliveryId(1, event)))?.attempts.length, 2)
      }
    })

    it('are not redelivered during a running attempt', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await leased(store)
      const delivery = await store.deliveries.redeliver('acc_1', deliveryId(1, 1), NOW + 1)
      assert.deepEqual([delivery?.dueAt, delivery?.leaseOwner], [NOW + LEASE, 'node'])
      assert.deepEqual(await leased(store, NOW + 1), [])
      const later = await store.deliveries.redeliver('acc_1', deliveryId(1, 1), NOW + LEASE)
      assert.deepEqual([later?.dueAt, later?.leaseOwner], [NOW + LEASE, null])
    })

    it('are recovered if they failed since a time, up to a limit per call', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withHistory(store)
      const now = NOW + LEASE
      assert.equal(await store.deliveries.recover('acc_1', watchId(1), NOW + 5_001, now, 10), 0)
      assert.equal(await store.deliveries.recover('acc_1', watchId(2), 0, now, 10), 0)
      assert.equal(await store.deliveries.recover('acc_1', watchId(1), NOW + 5_000, now, 10), 1)
      assert.deepEqual(await leased(store, now), [deliveryId(1, 5)])
      await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 5), { retryAt: null })], now)
      assert.equal(await store.deliveries.recover('acc_1', watchId(1), 0, now, 1), 1)
      assert.equal(await store.deliveries.recover('acc_1', watchId(1), 0, now, 10), 1)
      assert.equal(await store.deliveries.recover('acc_1', watchId(1), 0, now, 10), 0)
      const { delivery } = (await store.deliveries.find('acc_1', deliveryId(1, 2)))!
      assert.deepEqual([delivery.status, delivery.tries, delivery.attempts, delivery.dueAt], ['pending', 0, 1, now])
    })

    it('notify listeners when they are made due again', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withHistory(store)
      let woken = 0
      const stop = store.deliveries.onDue(() => woken++)
      const expectNotification = async (work: Promise<unknown>) => {
        const before = woken
        await work
        await until(() => woken > before)
      }
      await expectNotification(store.deliveries.redeliver('acc_1', deliveryId(1, 1), NOW))
      await expectNotification(store.deliveries.recover('acc_1', watchId(1), 0, NOW, 10))
      await expectNotification(store.deliveries.add([newDelivery(2, 1)], NOW))
      stop()
    })

    it('are counted while pending, up to a maximum', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.deepEqual(await store.deliveries.queueDepth(10), { waiting: 0, leased: 0, oldestDueAt: null })
      await withHistory(store)
      assert.deepEqual(await store.deliveries.queueDepth(10), {
        waiting: 2,
        leased: 0,
        oldestDueAt: NOW + 2 * LEASE + 3,
      })
      assert.deepEqual(await store.deliveries.queueDepth(1), {
        waiting: 1,
        leased: 0,
        oldestDueAt: NOW + 2 * LEASE + 3,
      })
      await store.deliveries.add([newDelivery(2, 1, { critical: true })], NOW + 7)
      assert.deepEqual(await store.deliveries.queueDepth(10), { waiting: 3, leased: 0, oldestDueAt: NOW + 7 })
      await leased(store, NOW + 7)
      assert.deepEqual(await store.deliveries.queueDepth(10), {
        waiting: 2,
        leased: 1,
        oldestDueAt: NOW + 2 * LEASE + 3,
      })
    })

    it('are deleted some time after they finish, with their attempts, up to a limit per call', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withHistory(store)
      assert.equal(await store.deliveries.deleteExpired(NOW + 10_000, 10), 0)
      assert.equal(await store.deliveries.deleteExpired(NOW + 10_001, 3), 3)
      assert.equal(await store.deliveries.deleteExpired(NOW + 10_001, 3), 1)
      assert.equal(await store.deliveries.deleteExpired(NOW + 10_001, 3), 0)
      assert.deepEqual(await statusesOf(store), ['pending', 'pending'])
      assert.equal(await store.deliveries.find('acc_1', deliveryId(1, 1)), null)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      assert.deepEqual((await store.deliveries.find('acc_1', deliveryId(1, 1)))?.attempts, [])
    })

    it('are hidden at once when their watch is removed, and deleted in batches by any number of nodes', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      const store = stores.at(0)
      await withHistory(store)
      await store.deliveries.add([newDelivery(2, 1)], NOW)
      await store.watches.remove('acc_1', watchId(1))
      assert.deepEqual(await statusesOf(store), [])
      assert.equal(await store.deliveries.find('acc_1', deliveryId(1, 1)), null)
      assert.equal(await store.deliveries.redeliver('acc_1', deliveryId(1, 1), NOW), null)
      let deleted = 0
      while (deleted < 6) {
        const chunks = await Promise.all([0, 1, 2].map((index) => stores.at(index).deliveries.deleteExpired(0, 2)))
        for (const chunk of chunks) {
          assert(chunk <= 2)
          deleted += chunk
        }
      }
      assert.equal(deleted, 6)
      assert.equal(await store.deliveries.deleteExpired(0, 2), 0)
      assert.deepEqual(await store.deliveries.queueDepth(10), { waiting: 1, leased: 0, oldestDueAt: NOW })
    })

    it('tell how long they took, if the first attempt succeeded: not if repeated, a test, or of an older event', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 6)
      await store.deliveries.add(
        [1, 2, 3, 4, 5, 6].map((event) => newDelivery(1, event)),
        NOW,
      )
      await leased(store, NOW)
      const record = (event: number, after: number) =>
        store.deliveries.recordAttempts('node', [result(deliveryId(1, event))], NOW + after)
      await record(1, 40)
      await record(2, 30)
      await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 3), { retryAt: NOW + 500 })], NOW + 50)
      await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 4), { retryAt: null })], NOW + 50)
      await leased(store, NOW + 500)
      await record(3, 600)
      const { deliveryId: _, url: __, retryAt: ___, ...attempt } = result('')
      const test = {
        kind: 'incident.created',
        incidentId: 'inc_1',
        attempt: { ...attempt, outcome: 'delivered' },
      } as const
      await store.deliveries.addTest({ id: 'msg_test', watchId: watchId(1), eventSeq: 6, ...test }, NOW + 700)
      const latencies = async (since: number, limit: number) =>
        (await store.deliveries.recentLatencies(since, limit)).sort()
      assert.deepEqual(await latencies(NOW, 100), [30, 40])
      assert.deepEqual(await latencies(NOW + 1, 100), [], 'the events are older')
      // The last three are the test, the repeated and the failed one.
      assert.deepEqual(await latencies(NOW, 3), [])
      assert.deepEqual(await latencies(NOW, 4), [40])
    })

    it('of a removed watch are skipped by a late record', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withHistory(store)
      await store.watches.remove('acc_1', watchId(1))
      assert.deepEqual(await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 3))], NOW), [])
      while ((await store.deliveries.deleteExpired(0, 10)) > 0);
      assert.deepEqual(await store.deliveries.recordAttempts('node', [result(deliveryId(1, 3))], NOW), [])
      assert.deepEqual(await store.deliveries.queueDepth(10), { waiting: 0, leased: 0, oldestDueAt: null })
    })
  })
}

const SCHEDULE: WatchSchedule = {
  digest: { every: 'daily', hour: 7, breakSeverity: 'high' },
  quietHours: { from: 1320, until: 360, breakSeverity: null },
}

export function schedulesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('schedules of watches', () => {
    it('are stored, changed part by part, and go with each delivery and to the fan-out', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      await store.watches.add(aWatch(1, { schedule: SCHEDULE }), MAX_WATCHES)
      const find = async () => (await store.watches.find('acc_1', watchId(1)))!.schedule
      const change = async (patch: object) => {
        await store.watches.change('acc_1', watchId(1), patch, NOW)
        return find()
      }
      assert.deepEqual(await find(), SCHEDULE)
      const { changes } = await store.watches.changedAfter(0, 10)
      assert.deepEqual(JSON.parse(changes[0]!.watch!.schedule!), SCHEDULE)
      await appendTo(store, 2)
      await store.deliveries.add([newDelivery(1, 1, { severity: 'high' }), newDelivery(1, 2)], NOW)
      const { dispatches } = await store.deliveries.lease('node', NOW, NOW + LEASE, 10, NONE_FULL)
      assert.deepEqual(
        dispatches.map(({ delivery, endpoint }) => [delivery.severity, endpoint.schedule]),
        [
          ['high', SCHEDULE],
          [null, SCHEDULE],
        ],
      )
      assert.deepEqual(await change({ name: 'Another' }), SCHEDULE)
      assert.deepEqual(await change({ digest: null }), { ...SCHEDULE, digest: null })
      assert.equal(await change({ quietHours: null }), null)
    })

    it('have deliveries that are leased together, each once, if they are due', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      await appendTo(store, 5)
      const later = newDelivery(1, 4, { severity: 'low', dueAt: NOW + 1 })
      await store.deliveries.add(
        [newDelivery(1, 3), newDelivery(1, 1), newDelivery(1, 2, { critical: true }), newDelivery(2, 5), later],
        NOW,
      )
      const lease = async (limit: number, now = NOW) =>
        (await store.deliveries.leaseOfWatch('node', watchId(1), now, now + LEASE, limit)).map(
          ({ delivery }) => delivery.eventSeq,
        )
      assert.deepEqual(await lease(2), [1, 2])
      assert.deepEqual(await lease(9), [3])
      assert.deepEqual(await lease(9), [])
      assert.deepEqual(await lease(9, NOW + 1), [4])
      await store.watches.change('acc_1', watchId(2), { status: 'paused' }, NOW)
      assert.deepEqual(await store.deliveries.leaseOfWatch('node', watchId(2), NOW, NOW + LEASE, 9), [])
    })

    it('are not overtaken when a watch answers again', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 2)
      const held = newDelivery(1, 1, { severity: 'low', dueAt: NOW + LEASE })
      await store.deliveries.add([held, newDelivery(1, 2, { dueAt: NOW + LEASE })], NOW)
      assert.equal(await store.deliveries.makeDueNow(watchId(1), NOW, 10), 1)
    })
  })
}

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
      await store.deliveries.reschedule(1_000, NOW, NOW + LEASE)
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
