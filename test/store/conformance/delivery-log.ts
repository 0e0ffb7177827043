import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WatchEvent } from '../../../src/domain/watch.ts'
import type { DeliveryQuery, Store, TestDelivery } from '../../../src/store/store.ts'
import type { EmptyDatabase } from '../databases.ts'
import {
  appendTo,
  aWatch,
  created,
  deliveryId,
  deliveryQuery,
  leased,
  MAX_WATCHES,
  NOW,
  newDelivery,
  refused,
  result,
  retracted,
  updated,
  watchId,
  withWatches,
} from '../fixtures.ts'

const BOTH = [watchId(1), watchId(2)]
const KINDS = [
  'incident.created',
  'incident.created',
  'incident.updated',
  'incident.updated',
  'incident.retracted',
] as const

/**
 * Two watches of one account and one of another, each with deliveries of the events 1 to 5: two
 * incidents are published, corrected, and the second retracted. Of watch 1 the even events failed,
 * watch 2 has all of them delivered, and those of watch 3 are leased.
 */
async function withLog(store: Store): Promise<void> {
  await withWatches(store, 2)
  await store.watches.add(aWatch(3, { accountId: 'acc_2' }), MAX_WATCHES)
  await store.incidents.save([created(1), created(2)], NOW)
  await store.incidents.save([updated(1, 2), updated(2, 2)], NOW)
  await store.incidents.save([retracted(2, 3)], NOW)
  for (const watch of [1, 2, 3])
    await store.deliveries.add(
      KINDS.map((kind, index) => newDelivery(watch, index + 1, { kind })),
      NOW,
    )
  await leased(store)
  const results = KINDS.flatMap((_, index) => [
    index % 2 === 1
      ? refused(deliveryId(1, index + 1), { retryAt: null, contentSeq: index + 1 })
      : result(deliveryId(1, index + 1), { contentSeq: index + 1 }),
    result(deliveryId(2, index + 1), { contentSeq: 5 }),
  ])
  await store.deliveries.recordAttempts('node', results, NOW + 1)
}

/** A test message of watch 1 that was delivered. */
function aTest(number: number, at: number): Omit<TestDelivery, 'eventSeq' | 'kind'> {
  const answer = { statusCode: 200, answer: null, error: null, contentSeq: null }
  const attempt = { at, duration: 5, outcome: 'delivered' as const, ...answer }
  return { id: `msg_test_${number}`, watchId: watchId(1), incidentId: created(1).incident.id, attempt }
}

async function found(store: Store, changes: Partial<DeliveryQuery>, accountId = 'acc_1'): Promise<string[]> {
  const rows = await store.deliveries.list(accountId, deliveryQuery({ watchIds: BOTH, ...changes }))
  return rows.map(({ delivery }) => `${delivery.watchId.at(-1)}/${delivery.eventSeq}`)
}

export function deliveryLogConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the log of deliveries', () => {
    it('merges watches, newest event first, and pages through all of them', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      const all = ['2/5', '1/5', '2/4', '1/4', '2/3', '1/3', '2/2', '1/2', '2/1', '1/1']
      assert.deepEqual(await found(store, {}), all)
      const paged: string[] = []
      let before: DeliveryQuery['before'] = null
      for (;;) {
        const page = await store.deliveries.list('acc_1', deliveryQuery({ watchIds: BOTH, limit: 3, before }))
        paged.push(...page.map(({ delivery }) => `${delivery.watchId.at(-1)}/${delivery.eventSeq}`))
        if (page.length < 3) break
        before = page.at(-1)!.delivery
      }
      assert.deepEqual(paged, all)
    })

    it('filters by status, event, incident and range, alone and together', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      assert.deepEqual(await found(store, { status: 'failed' }), ['1/4', '1/2'])
      assert.deepEqual(await found(store, { kind: 'incident.created' }), ['2/2', '1/2', '2/1', '1/1'])
      assert.deepEqual(await found(store, { kind: 'incident.updated' }), ['2/4', '1/4', '2/3', '1/3'])
      assert.deepEqual(await found(store, { kind: 'incident.retracted' }), ['2/5', '1/5'])
      assert.deepEqual(await found(store, { kind: 'incident.updated', status: 'failed' }), ['1/4'])
      assert.deepEqual(await found(store, { eventSeqs: [2, 4, 5] }), ['2/5', '1/5', '2/4', '1/4', '2/2', '1/2'])
      assert.deepEqual(await found(store, { eventSeqs: [2, 4, 5], status: 'failed' }), ['1/4', '1/2'])
      assert.deepEqual(await found(store, { eventSeqs: [2, 4, 5], kind: 'incident.created', limit: 1 }), ['2/2'])
      assert.deepEqual(await found(store, { eventSeqs: [] }), [])
      assert.deepEqual(await found(store, { afterSeq: 3, before: { eventSeq: 5, id: '' } }), ['2/4', '1/4'])
      assert.deepEqual(await found(store, { eventSeqs: [1, 2, 4], afterSeq: 3 }), ['2/4', '1/4'])
      const before = { eventSeq: 4, id: '' }
      assert.deepEqual(await found(store, { kind: 'incident.updated', before }), ['2/3', '1/3'])
    })

    it('lists tests by the time at which they were sent, also while the log of events is empty', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      const send = (number: number, eventSeq: number, at: number, kind: WatchEvent = 'incident.created') =>
        store.deliveries.addTest({ ...aTest(number, at), eventSeq, kind }, at)
      const ids = async (changes: Partial<DeliveryQuery>) => {
        const rows = await store.deliveries.list('acc_1', deliveryQuery({ watchIds: BOTH, ...changes }))
        return rows.map(({ delivery }) => Number(delivery.id.slice(-2)))
      }
      await send(91, 0, NOW)
      await send(92, 0, NOW + 10, 'incident.updated')
      assert.deepEqual(await ids({}), [92, 91])
      assert.deepEqual(await ids({ kind: 'incident.updated' }), [92])
      assert.deepEqual(await ids({ limit: 1 }), [92])
      assert.deepEqual(await ids({ tests: { from: NOW + 1, to: NOW + 11 } }), [92])
      assert.deepEqual(await ids({ tests: { from: NOW, to: NOW + 10 } }), [91])
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await send(93, 1, NOW + 20)
      // The event is earlier than the time asked for, and a test after it is not.
      const later = { afterSeq: 1, tests: { from: NOW + 15, to: NOW + 30 } }
      assert.deepEqual(await ids(later), [93])
      assert.deepEqual(await ids({ ...later, status: 'delivered' }), [93])
      assert.deepEqual(await ids({ ...later, kind: 'incident.updated' }), [])
      assert.equal((await ids({})).length, 4)
    })

    it('shows leased deliveries as pending', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      const own = { watchIds: [watchId(3)] }
      assert.deepEqual(await found(store, { ...own, status: 'pending' }, 'acc_2'), ['3/5', '3/4', '3/3', '3/2', '3/1'])
      assert.deepEqual(await found(store, { ...own, kind: 'incident.retracted' }, 'acc_2'), ['3/5'])
      assert.deepEqual(await found(store, { ...own, status: 'failed' }, 'acc_2'), [])
    })

    it('holds every condition for leased deliveries too', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      const own = { watchIds: [watchId(3)] }
      assert.deepEqual(await found(store, { ...own, afterSeq: 3 }, 'acc_2'), ['3/5', '3/4'])
      assert.deepEqual(await found(store, { ...own, before: { eventSeq: 3, id: '' } }, 'acc_2'), ['3/2', '3/1'])
      assert.deepEqual(await found(store, { ...own, limit: 2 }, 'acc_2'), ['3/5', '3/4'])
      assert.deepEqual(await found(store, { ...own, status: 'delivered' }, 'acc_2'), [])
      assert.deepEqual(await found(store, { ...own, kind: 'incident.created' }, 'acc_2'), ['3/2', '3/1'])
    })

    for (const kind of ['incident.created', 'incident.updated'] as const)
      it(`tells every status of ${kind} from the others`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await withWatches(store, 2)
        await appendTo(store, 4)
        await store.deliveries.add(
          [1, 2, 3, 4].map((event) => newDelivery(1, event, { kind })),
          NOW,
        )
        await leased(store)
        const ended = [
          result(deliveryId(1, 1)),
          refused(deliveryId(1, 2), { retryAt: null }),
          result(deliveryId(1, 3), { outcome: 'cancelled' }),
          refused(deliveryId(1, 4)),
        ]
        await store.deliveries.recordAttempts('node', ended, NOW + 1)
        for (const [index, status] of (['delivered', 'failed', 'cancelled', 'pending'] as const).entries()) {
          const expected = [`1/${index + 1}`]
          assert.deepEqual(await found(store, { status }), expected, status)
          assert.deepEqual(await found(store, { status, kind }), expected, status)
          assert.deepEqual(await found(store, { status, eventSeqs: [1, 2, 3, 4] }), expected, status)
        }
        assert.deepEqual(await found(store, { kind, afterSeq: 2 }), ['1/4', '1/3'])
        const before = { eventSeq: 3, id: '' }
        assert.deepEqual(await found(store, { eventSeqs: [1, 2, 3, 4], before }), ['1/2', '1/1'])
      })

    it('shows tests in the log of a watch, but not among the messages of an event', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await store.deliveries.addTest({ ...aTest(1, NOW), eventSeq: 1, kind: 'incident.created' }, NOW)
      assert.deepEqual(await found(store, { eventSeqs: [1] }), ['1/1'])
      const rows = await store.deliveries.list('acc_1', deliveryQuery({}))
      assert.deepEqual(
        rows.map(({ delivery, incidentId }) => [delivery.test, incidentId]),
        [
          [true, created(1).incident.id],
          [false, created(1).incident.id],
        ],
      )
    })

    it('shows the last attempt of several', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await leased(store)
      await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 1))], NOW)
      await leased(store, NOW + 5_000)
      const second = refused(deliveryId(1, 1), { at: NOW + 5_000, statusCode: 503 })
      await store.deliveries.recordAttempts('node', [second], NOW + 5_000)
      const rows = await store.deliveries.list('acc_1', deliveryQuery({}))
      assert.deepEqual(
        rows.map(({ lastAttempt }) => [lastAttempt?.number, lastAttempt?.at, lastAttempt?.statusCode]),
        [[2, NOW + 5_000, 503]],
      )
    })

    it('never shows those of another account', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      assert.deepEqual(await found(store, {}, 'acc_2'), [])
      assert.deepEqual(await found(store, { eventSeqs: [1] }, 'acc_2'), [])
      assert.deepEqual(await found(store, { watchIds: [watchId(3)] }), [])
      assert.deepEqual(await found(store, { watchIds: [] }), [])
      assert.equal(await store.deliveries.find('acc_2', deliveryId(1, 1)), null)
      assert.notEqual(await store.deliveries.find('acc_1', deliveryId(1, 1)), null)
    })

    it('tells the incident and the last attempt, and of each attempt what it carried', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      const [newest] = await store.deliveries.list('acc_1', deliveryQuery({ eventSeqs: [4] }))
      const attempt = { number: 1, at: NOW, duration: 12, outcome: 'refused', statusCode: 500 }
      assert.deepEqual([newest?.incidentId, newest?.lastAttempt], [created(2).incident.id, attempt])
      const [delivered] = await store.deliveries.list('acc_1', deliveryQuery({ status: 'delivered' }))
      assert.deepEqual(delivered?.lastAttempt, { ...attempt, outcome: 'delivered', statusCode: 200 })
      for (const [watch, event, seq] of [
        [1, 4, 4],
        [1, 1, 1],
        [2, 1, 5],
      ] as const) {
        const details = (await store.deliveries.find('acc_1', deliveryId(watch, event)))!
        assert.deepEqual(
          details.attempts.map(({ contentSeq }) => contentSeq),
          [seq],
        )
      }
    })

    it('reads the last events of an incident, newest first', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      const { id } = created(2).incident
      const seqs = async (limit: number) => (await store.events.ofIncident(id, limit)).map(({ seq }) => seq)
      assert.deepEqual(
        [await seqs(10), await seqs(2)],
        [
          [5, 4, 2],
          [5, 4],
        ],
      )
      assert.deepEqual(await store.events.ofIncident('inc_unknown', 10), [])
      assert.equal((await store.incidents.current([id]))[0]?.seq, 5)
    })

    it('sends many again at once, and only those of the account', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      const ids = [deliveryId(1, 4), deliveryId(2, 1), deliveryId(3, 1), 'msg_unknown']
      assert.equal(await store.deliveries.redeliverMany('acc_1', ids, NOW + 2), 2)
      assert.deepEqual(await found(store, { status: 'pending' }), ['1/4', '2/1'])
      assert.equal(await store.deliveries.redeliverMany('acc_1', [], NOW + 2), 0)
      const heard = await store.listening.resentAfter('acc_1', watchId(1), 0, 100)
      assert.equal(heard.at(-1)?.delivery.id, deliveryId(1, 4))
    })

    it('names the watches of an account, newest first', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLog(store)
      assert.deepEqual(await store.watches.ids('acc_1', 10), [watchId(2), watchId(1)])
      assert.deepEqual(await store.watches.ids('acc_1', 1), [watchId(2)])
    })
  })
}
