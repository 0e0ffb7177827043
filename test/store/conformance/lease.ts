import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MIN_QUEUE_ROWS } from '../../../src/store/queries/lease.ts'
import type { Store } from '../../../src/store/store.ts'
import { SCHEMA } from '../../../src/version.ts'
import { type EmptyDatabase, openSeveral } from '../databases.ts'
import {
  appendTo,
  aWatch,
  deliveryId,
  idsOf,
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

/** Leases until nothing more is due. */
async function drained(store: Store, owner: string, limit: number, except = NONE_FULL): Promise<string[]> {
  const ids: string[] = []
  for (let more = true; more; ) {
    const leased = await store.deliveries.lease(owner, NOW, NOW + LEASE, limit, except)
    ids.push(...idsOf(leased.dispatches))
    more = leased.more
  }
  return ids
}

export function leasesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('leasing deliveries', () => {
    it('returns critical ones first, then those due longest, at most the limit and none before they are due', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 6)
      await store.deliveries.add([newDelivery(1, 1)], NOW + 2)
      await store.deliveries.add([newDelivery(1, 2)], NOW + 1)
      await store.deliveries.add([newDelivery(1, 3, { critical: true })], NOW + 4)
      await store.deliveries.add([newDelivery(1, 4, { critical: true })], NOW + 3)
      await store.deliveries.add([newDelivery(1, 5)], NOW + 6)
      await store.deliveries.add([newDelivery(1, 6, { critical: true })], NOW + 7)
      assert.deepEqual(
        await leased(store, NOW + 5, 3),
        [4, 3, 2].map((event) => deliveryId(1, event)),
      )
      assert.deepEqual(await leased(store, NOW + 5, 3), [deliveryId(1, 1)])
      assert.deepEqual(await leased(store, NOW + 5, 3), [])
    })

    it('reports whether more are due', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 5)
      await store.deliveries.add(
        [1, 2, 3, 4, 5].map((event) => newDelivery(1, event)),
        NOW,
      )
      const lease = async (limit: number) =>
        (await store.deliveries.lease('node', NOW, NOW + LEASE, limit, NONE_FULL)).more
      assert.equal(await lease(2), true)
      assert.equal(await lease(4), false)
      assert.equal(await lease(4), false)
    })

    it('reschedules waiting ones by as much as the clock was set back, and ends leases no later than the longest', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      await appendTo(store, 6)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await store.deliveries.lease('another', NOW, NOW + 5_000, 1, NONE_FULL)
      await store.deliveries.add([newDelivery(2, 1)], NOW)
      await store.deliveries.lease('another', NOW, NOW + 9_000, 1, NONE_FULL)
      await store.deliveries.add([newDelivery(1, 2), newDelivery(2, 2)], NOW + 500)
      await store.deliveries.add([newDelivery(1, 3)], NOW + 2_000)
      await store.deliveries.add([newDelivery(1, 4, { critical: true })], NOW + 3_500)
      await store.deliveries.add([newDelivery(1, 5)], NOW - 100)
      await store.deliveries.reschedule(1_000, NOW, NOW + 6_000)
      const dueAt = async (watch: number, event: number) =>
        (await store.deliveries.find('acc_1', deliveryId(watch, event)))!.delivery.dueAt! - NOW
      assert.deepEqual(
        await Promise.all([dueAt(1, 1), dueAt(2, 1), dueAt(1, 2), dueAt(2, 2), dueAt(1, 3), dueAt(1, 4), dueAt(1, 5)]),
        [5_000, 6_000, 0, 0, 1_000, 2_500, -100],
      )
    })

    it('reschedules any number of waiting ones, each once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 3)
      await appendTo(store, 800)
      const all = [1, 2, 3].flatMap((watch) => Array.from({ length: 800 }, (_, event) => newDelivery(watch, event + 1)))
      await store.deliveries.add(all, NOW + 10_000)
      await store.deliveries.reschedule(4_000, NOW, NOW + LEASE)
      assert.equal(
        (await store.deliveries.lease('node', NOW + 5_999, NOW + LEASE, 5_000, NONE_FULL)).dispatches.length,
        0,
      )
      assert.equal(
        (await store.deliveries.lease('node', NOW + 6_000, NOW + LEASE, 5_000, NONE_FULL)).dispatches.length,
        2_400,
      )
    })

    it('returns a delivery to no other owner until the lease ends', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      const { dispatches } = await store.deliveries.lease('a', NOW, NOW + 10, 5, NONE_FULL)
      assert.equal(dispatches[0]?.delivery.leaseOwner, 'a')
      assert.equal(dispatches[0]?.delivery.dueAt, NOW + 10)
      assert.deepEqual(await leased(store, NOW + 9), [])
      assert.deepEqual(await leased(store, NOW + 10), [deliveryId(1, 1)])
      assert.equal((await store.deliveries.find('acc_1', deliveryId(1, 1)))?.delivery.leaseOwner, 'node')
    })

    it('returns each to exactly one of many concurrent owners', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      await withWatches(stores.at(0), 10)
      await appendTo(stores.at(0), 40)
      const all = Array.from({ length: 400 }, (_, index) => newDelivery(1 + (index % 10), 1 + Math.floor(index / 10)))
      await stores.at(0).deliveries.add(all, NOW)
      const workers = Array.from({ length: 9 }, (_, index) => drained(stores.at(index), `worker ${index}`, 7))
      const given = (await Promise.all(workers)).flat()
      assert.deepEqual(given.sort(), all.map((each) => each.id).sort())
    })

    it('skips excluded watches and accounts', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 3)
      await store.watches.add(aWatch(4, { accountId: 'acc_2' }), MAX_WATCHES)
      await appendTo(store, 2)
      await store.deliveries.add(
        [1, 2, 3, 4].flatMap((watch) => [newDelivery(watch, 1), newDelivery(watch, 2, { critical: true })]),
        NOW,
      )
      const watchIds = [watchId(1), watchId(3), 'wat_unknown']
      const ids = await leased(store, NOW, 10, { accountIds: ['acc_2'], watchIds })
      assert.deepEqual(ids, [deliveryId(2, 2), deliveryId(2, 1)])
      assert.deepEqual(await leased(store, NOW, 10, { accountIds: ['acc_1'], watchIds }), [
        deliveryId(4, 2),
        deliveryId(4, 1),
      ])
      assert.equal((await leased(store, NOW, 10, { accountIds: [], watchIds: [watchId(1)] })).length, 2)
    })

    it('gives accounts turns, and the watches of each account, in each class', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      await store.watches.add(aWatch(3, { accountId: 'acc_2' }), MAX_WATCHES)
      await appendTo(store, 20)
      for (const critical of [true, false]) {
        const events = Array.from({ length: 10 }, (_, index) => index + (critical ? 1 : 11))
        await store.deliveries.add(
          events.map((event) => newDelivery(1, event, { critical })),
          NOW - 3,
        )
        await store.deliveries.add(
          events.slice(0, 2).map((event) => newDelivery(2, event, { critical })),
          NOW - 2,
        )
        await store.deliveries.add([newDelivery(3, critical ? 1 : 11, { critical })], NOW - 1)
      }
      const { dispatches } = await store.deliveries.lease('node', NOW, NOW + LEASE, 4, NONE_FULL)
      const watches = dispatches.map(({ delivery }) => delivery.watchId)
      assert.deepEqual(watches.toSorted(), [watchId(1), watchId(1), watchId(2), watchId(3)])
      assert.ok(dispatches.every(({ delivery }) => delivery.critical))
    })

    it('finds deliveries of other watches behind the long queue of one account', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 3)
      await store.watches.add(aWatch(4, { accountId: 'acc_2' }), MAX_WATCHES)
      const length = MIN_QUEUE_ROWS * 4 + 50
      await appendTo(store, length)
      for (const critical of [true, false]) {
        const flood = Array.from({ length }, (_, index) => newDelivery(critical ? 1 : 3, index + 1, { critical }))
        await store.deliveries.add(flood, NOW - 1)
        await store.deliveries.add([newDelivery(4, critical ? 1 : 2, { critical })], NOW)
      }
      const first = [...(await leased(store, NOW, 8)), ...(await leased(store, NOW, 8))]
      assert.ok(first.includes(deliveryId(4, 1)), 'the critical one is in the first two leases')
      const except = { accountIds: ['acc_1'], watchIds: [] }
      assert.deepEqual(await drained(store, 'node', 2, except), [deliveryId(4, 2)])
    })

    it('gives postponed ones back, to fall due later without an attempt, unless the lease was lost', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 2)
      await store.deliveries.add([newDelivery(1, 1), newDelivery(1, 2)], NOW)
      await leased(store, NOW, 1)
      await store.deliveries.lease('another', NOW, NOW + LEASE, 1, NONE_FULL)
      await store.deliveries.postpone(
        'node',
        [1, 2].map((event) => ({ deliveryId: deliveryId(1, event), dueAt: NOW + 500, maybeAttempted: false })),
      )
      const found = async (event: number) => (await store.deliveries.find('acc_1', deliveryId(1, event)))!.delivery
      const [given, kept] = [await found(1), await found(2)]
      assert.deepEqual(
        [given.leaseOwner, given.dueAt, given.attempts, given.tries, given.status],
        [null, NOW + 500, 0, 0, 'pending'],
      )
      assert.deepEqual([kept.leaseOwner, kept.dueAt], ['another', NOW + LEASE])
      assert.deepEqual(await leased(store, NOW + 499), [])
      assert.deepEqual(await leased(store, NOW + 500), [deliveryId(1, 1)])
    })

    it('says which may have been attempted without a record: with an expired lease, or given back as such', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store, 5)
      const dueAt = NOW + LEASE
      await store.deliveries.postpone('node', [
        { deliveryId: deliveryId(1, 1), dueAt, maybeAttempted: false },
        { deliveryId: deliveryId(1, 2), dueAt, maybeAttempted: true },
      ])
      await store.deliveries.postpone('another', [{ deliveryId: deliveryId(1, 4), dueAt, maybeAttempted: true }])
      assert.deepEqual(await maybeAttempted(store, 5), [2])
      await store.deliveries.redeliver('acc_1', deliveryId(1, 4), dueAt - 1)
      assert.deepEqual(await maybeAttempted(store, 5), [2], 'its lease is kept')
      await store.deliveries.redeliver('acc_1', deliveryId(1, 3), dueAt)
      assert.deepEqual(await maybeAttempted(store, 5), [2, 3], 'its lease had expired')
      await store.deliveries.recordAttempts('node', [result(deliveryId(1, 5))], NOW)
      const { dispatches } = await store.deliveries.lease('heir', dueAt, dueAt + LEASE, 10, NONE_FULL)
      const told = dispatches.map(({ delivery }) => [delivery.eventSeq, delivery.maybeAttempted])
      assert.deepEqual(told.sort(), [
        [1, false],
        [2, true],
        [3, true],
        [4, true],
      ])
    })

    it('makes due now the waiting ones of a watch that were never tried', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      await appendTo(store, 4)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await leased(store, NOW, 1)
      await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 1))], NOW)
      await store.deliveries.add(
        [2, 3, 4].map((event) => newDelivery(1, event)),
        NOW + 9_000,
      )
      await store.deliveries.add([newDelivery(2, 2)], NOW + 9_000)
      assert.equal(await store.deliveries.makeDueNow(watchId(1), NOW, 2), 2)
      assert.equal(await store.deliveries.makeDueNow(watchId(1), NOW, 2), 1)
      assert.equal(await store.deliveries.makeDueNow(watchId(1), NOW, 2), 0)
      assert.deepEqual(
        (await leased(store)).toSorted(),
        [2, 3, 4].map((event) => deliveryId(1, event)),
      )
    })

    it('makes due now a retry that was postponed, not one that waits for its time, and says which were postponed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 2)
      await store.deliveries.add([newDelivery(1, 1), newDelivery(1, 2)], NOW)
      await leased(store, NOW)
      const results = [refused(deliveryId(1, 1)), refused(deliveryId(1, 2))]
      await store.deliveries.recordAttempts('node', results, NOW)
      const { dueAt } = (await store.deliveries.find('acc_1', deliveryId(1, 1)))!.delivery
      const again = await store.deliveries.lease('node', dueAt!, dueAt! + LEASE, 1, NONE_FULL)
      assert.deepEqual(
        again.dispatches.map(({ postponed }) => postponed),
        [false],
      )
      const [{ delivery }] = again.dispatches as [(typeof again.dispatches)[0]]
      await store.deliveries.postpone('node', [
        { deliveryId: delivery.id, dueAt: dueAt! + 99_000, maybeAttempted: false },
      ])
      assert.equal(await store.deliveries.makeDueNow(watchId(1), NOW, 10), 1)
      const dueNow = await store.deliveries.lease('node', NOW, NOW + LEASE, 10, NONE_FULL)
      assert.deepEqual(
        dueNow.dispatches.map((dispatch) => [dispatch.delivery.id, dispatch.postponed]),
        [[delivery.id, true]],
      )
      await store.deliveries.recordAttempts('node', [refused(delivery.id)], NOW)
      assert.equal(await store.deliveries.makeDueNow(watchId(1), NOW, 10), 0)
    })

    it('passes over deliveries whose watch is paused, disabled or removed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 4)
      await appendTo(store, 1)
      await store.deliveries.add(
        [1, 2, 3, 4].map((watch) => newDelivery(watch, 1)),
        NOW,
      )
      await store.watches.change('acc_1', watchId(1), { status: 'paused' }, NOW)
      await store.watches.change('acc_1', watchId(2), { status: 'disabled' }, NOW)
      await store.watches.remove('acc_1', watchId(3))
      assert.deepEqual(await drained(store, 'node', 1), [deliveryId(4, 1)])
      for (const watch of [1, 2]) {
        const [delivery] = await listedDeliveries(store, 'acc_1', watchId(watch), null, 10, null)
        assert.deepEqual(
          [delivery?.status, delivery?.attempts, delivery?.dueAt, delivery?.finishedAt],
          ['pending', 0, null, null],
        )
      }
      assert.deepEqual(await store.deliveries.queueDepth(10), { waiting: 0, leased: 1, oldestDueAt: null })
    })

    const invalidTexts = ['with a NUL \0', 'with half a pair \ud83d']
    for (const text of invalidTexts) {
      it(`refuses text ${JSON.stringify(text)} and writes nothing`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await withWatches(store, 1)
        await store.watches.add(aWatch(2), MAX_WATCHES)
        await appendTo(store, 1)
        await assert.rejects(store.deliveries.add([newDelivery(1, 1), newDelivery(2, 1, { id: text })], NOW), TypeError)
        await store.deliveries.add([newDelivery(2, 1)], NOW)
        await assert.rejects(store.deliveries.lease(text, NOW, NOW + LEASE, 10, NONE_FULL), TypeError)
        await assert.rejects(
          store.deliveries.lease('node', NOW, NOW + LEASE, 10, { ...NONE_FULL, watchIds: [text] }),
          TypeError,
        )
        await assert.rejects(store.fanOut.lease(text, NOW, NOW + LEASE), TypeError)
        assert.deepEqual(await leased(store), [deliveryId(2, 1)])
      })
    }
  })
}

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

/** The events of the watch's deliveries that may have been attempted without a record. */
async function maybeAttempted(store: Store, count: number): Promise<number[]> {
  const listed = await listedDeliveries(store, 'acc_1', watchId(1), null, count, null)
  return listed.flatMap(({ eventSeq, maybeAttempted }) => (maybeAttempted ? [eventSeq] : [])).reverse()
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
      const beat = async (owner: string) => (await owners.recordHeartbeat(owner)).heartbeats
      assert.deepEqual(await beat('b'), [{ owner: 'b', beats: 1 }])
      assert.deepEqual(await beat('a'), [
        { owner: 'a', beats: 1 },
        { owner: 'b', beats: 1 },
      ])
      assert.deepEqual(await beat('b'), [
        { owner: 'a', beats: 1 },
        { owner: 'b', beats: 2 },
      ])
      const { schema } = await owners.recordHeartbeat('a')
      assert.deepEqual(schema, { version: SCHEMA, needs: 38 }, 'and the schema of the database')
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
      const [pulse] = (await store.owners.recordHeartbeat('dead')).heartbeats
      assert.equal(await store.owners.releaseLeases(pulse!, NOW + 1, true), true)
      await until(() => woken > 0)
      stop()
      assert.deepEqual(await leased(store, NOW + 1), [deliveryId(1, 2)], 'the one it had not finished')
      assert.deepEqual(await store.fanOut.lease('alive', NOW + 1, NOW + LEASE), to)
      assert.deepEqual((await store.owners.recordHeartbeat('alive')).heartbeats, [{ owner: 'alive', beats: 1 }])
    })

    it('may have attempted what it had leased, unless it has recorded all that it sent', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store, 2)
      const release = async (owner: string, maybeSent: boolean) => {
        const heartbeat = (await store.owners.recordHeartbeat(owner)).heartbeats.find((each) => each.owner === owner)!
        assert.equal(await store.owners.releaseLeases(heartbeat, NOW, maybeSent), true)
      }
      await release('node', false)
      assert.deepEqual(await maybeAttempted(store, 2), [])
      await store.deliveries.lease('dead', NOW, NOW + LEASE, 1, NONE_FULL)
      await leased(store)
      await release('dead', true)
      assert.deepEqual(await maybeAttempted(store, 2), [1])
      await leased(store)
      await release('node', false)
      assert.deepEqual(await maybeAttempted(store, 2), [1], 'it stays so')
    })

    it('keeps its leases if it has recorded a heartbeat since, or if another owner is released', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await store.deliveries.lease('slow', NOW, NOW + LEASE, 10, NONE_FULL)
      const [before] = (await store.owners.recordHeartbeat('slow')).heartbeats
      const [now] = (await store.owners.recordHeartbeat('slow')).heartbeats
      const other = (await store.owners.recordHeartbeat('other')).heartbeats.find(({ owner }) => owner === 'other')
      assert.equal(await store.owners.releaseLeases(before!, NOW + 1, true), false)
      assert.equal(await store.owners.releaseLeases(other!, NOW + 1, true), true)
      const [delivery] = await listedDeliveries(store, 'acc_1', watchId(1), null, 1, null)
      assert.equal(delivery?.leaseOwner, 'slow')
      assert.deepEqual((await store.owners.recordHeartbeat('other')).heartbeats, [{ owner: 'other', beats: 1 }, now])
    })

    it('is released by exactly one of many callers', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const [pulse] = (await store.owners.recordHeartbeat('dead')).heartbeats
      const release = () => store.owners.releaseLeases(pulse!, NOW, true)
      const released = await Promise.all(Array.from({ length: 8 }, release))
      assert.equal(released.filter(Boolean).length, 1)
    })
  })
}
