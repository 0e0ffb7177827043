import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NewWatch } from '../../../../src/domain/watch.ts'
import type { HeldDelivery, Store } from '../../../../src/store/store.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'
import { openSeveral } from '../../several-stores.ts'
import {
  appendTo,
  aWatch,
  deliveryId,
  idsOf,
  LEASE,
  leased,
  MAX_WATCHES,
  NONE_FULL,
  newDelivery,
  result,
  watchId,
  withWatches,
} from '../../watch-fixtures.ts'

const CHAT: Partial<NewWatch> = { channel: 'telegram', url: 'telegram:-1' }
const until = NOW + LEASE

/**
 * Watches 1 to 4 write to one chat, 5 to another, 6 to the first for another account; 7 is a
 * webhook.
 */
async function withChats(store: Store): Promise<void> {
  await withWatches(store, 4, CHAT)
  await store.watches.add(aWatch(5, { ...CHAT, url: 'telegram:-2' }), MAX_WATCHES)
  await store.watches.add(aWatch(6, { ...CHAT, accountId: 'acc_2' }), MAX_WATCHES)
  await store.watches.add(aWatch(7), MAX_WATCHES)
}

const watchIds = [1, 2, 3].map(watchId)
const held = (watch: number, event: number, leasedUntil = until): HeldDelivery => ({
  id: deliveryId(watch, event),
  eventSeq: event,
  leasedUntil,
})

export function togetherConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('deliveries of one event for one person', () => {
    it('are of active watches with the same address in the same account', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withChats(store)
      await store.watches.change('acc_1', watchId(4), { status: 'paused' }, NOW)
      const companions = async (watch: number, most = 12) =>
        (await store.deliveries.companions(watchId(watch), most)).map(({ watchId }) => Number(watchId.slice(-6)))
      assert.deepEqual(await companions(2), [1, 2, 3])
      assert.deepEqual(await companions(5), [5])
      assert.deepEqual(await companions(6), [6])
      assert.deepEqual(await companions(7), [])
      assert.deepEqual([await companions(1, 2), await companions(2, 2), await companions(3, 2)], [[1, 2], [1, 2], [3]])
      const [first] = await store.deliveries.companions(watchId(1), 12)
      assert.deepEqual(first!.secrets, [{ secret: 'whsec_1', expiresAt: null }])
      const { changes } = await store.watches.changedAfter(0, 10)
      assert.deepEqual(
        changes
          .map(({ id, watch }) => [Number(id.slice(-6)), watch!.receiver])
          .sort(([one], [other]) => Number(one) - Number(other)),
        [
          [1, 'telegram:-1'],
          [2, 'telegram:-1'],
          [3, 'telegram:-1'],
          [4, 'telegram:-1'],
          [5, 'telegram:-2'],
          [6, 'telegram:-1'],
          [7, null],
        ],
      )
    })

    it('are known of alerts without an account by the hash of the receiver', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      for (const [number, hash] of [
        [1, 'ada'],
        [2, 'efe'],
        [3, 'ada'],
      ] as const) {
        const alert = aWatch(number, { channel: 'email', url: 'mailto:***', status: 'paused' })
        assert.ok(await store.alerts.add(alert, hash, NOW + number + 1))
        assert.equal(await store.alerts.confirm(watchId(number), 0, 9, NOW), 'confirmed')
      }
      const companions = await store.deliveries.companions(watchId(3), 12)
      assert.deepEqual(
        companions.map(({ watchId }) => watchId),
        [watchId(1), watchId(3)],
      )
      const { changes } = await store.watches.changedAfter(0, 10)
      assert.deepEqual(changes.map(({ watch }) => watch!.receiver).sort(), ['ada', 'ada', 'efe'])
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1), newDelivery(2, 1)], NOW)
      const { dispatches } = await store.deliveries.lease('node', NOW, until, 10, NONE_FULL)
      const shared = dispatches.map(({ delivery, endpoint }) => [delivery.watchId, endpoint.sharesReceiver])
      assert.deepEqual(shared.sort(), [
        [watchId(1), true],
        [watchId(2), false],
      ])
    })

    it('say with each delivery whether there may be others', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withChats(store)
      await appendTo(store, 1)
      const all = [1, 5, 6, 7].map((watch) => newDelivery(watch, 1))
      const position = (await store.fanOut.lease('node', NOW, until))!
      const written = await store.fanOut.write('node', { from: position, to: position, deliveries: all }, NOW, null)
      const { dispatches } = await store.deliveries.lease('node', NOW, until, 10, NONE_FULL)
      for (const given of [written!, dispatches])
        assert.deepEqual(
          given.map(({ delivery, endpoint }) => [Number(delivery.watchId.slice(-6)), endpoint.sharesReceiver]).sort(),
          [
            [1, true],
            [5, false],
            [6, false],
            [7, false],
          ],
        )
    })

    it('tell which watches told of an event, or are about to', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 4)
      await appendTo(store, 2)
      await store.deliveries.add(
        [1, 2, 3].map((watch) => newDelivery(watch, 1)),
        NOW,
      )
      const { deliveryId: _, url: __, retryAt: ___, ...attempt } = result('')
      const test = { eventSeq: 1, kind: 'incident.created' as const, incidentId: 'inc_1' }
      const sent = { ...attempt, outcome: 'delivered' as const }
      await store.deliveries.addTest({ id: 'msg_test', watchId: watchId(4), ...test, attempt: sent }, NOW)
      assert.equal((await leased(store)).length, 3)
      const cancelled = result(deliveryId(3, 1), { outcome: 'cancelled', statusCode: null, answer: null })
      await store.deliveries.recordAttempts('node', [result(deliveryId(1, 1)), cancelled], NOW)
      const told = async (events: number[], watches: number[]) =>
        (await store.deliveries.told(events, watches.map(watchId))).sort()
      assert.deepEqual(await told([1, 2], [1, 2, 3, 4]), [1, 2].map(watchId))
      assert.deepEqual(await told([1], [2, 3]), [watchId(2)])
      assert.deepEqual(await told([2], [1, 2, 3]), [])
    })

    it('are leased by one attempt, which takes them from the queues of others', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withChats(store)
      await appendTo(store, 2)
      await store.deliveries.add(
        [newDelivery(1, 1), newDelivery(2, 1), newDelivery(3, 1), newDelivery(4, 1), newDelivery(1, 2)],
        NOW,
      )
      assert.equal((await leased(store)).length, 5)
      const together = (owner: string, watch: number, leasedUntil = until) =>
        store.deliveries.leaseTogether(owner, [held(watch, 1, leasedUntil)], watchIds, NOW, until)
      assert.deepEqual(idsOf((await together('other', 2)).dispatches), [], 'another holds it')
      const first = await together('node', 2)
      assert.deepEqual(
        idsOf(first.dispatches),
        [1, 2, 3].map((watch) => deliveryId(watch, 1)),
      )
      assert.ok(first.leasedUntil > until)
      assert.ok(
        first.dispatches.every(
          ({ delivery, endpoint }) => delivery.dueAt === first.leasedUntil && endpoint.sharesReceiver,
        ),
      )
      for (const watch of [1, 2, 3]) assert.deepEqual(idsOf((await together('node', watch)).dispatches), [])
      const again = await together('node', 1, first.leasedUntil)
      assert.equal(again.dispatches.length, 3)
      assert.ok(again.leasedUntil > first.leasedUntil)
      await store.deliveries.recordAttempts('node', [result(deliveryId(1, 1))], NOW)
      assert.deepEqual(idsOf((await together('node', 1, again.leasedUntil)).dispatches), [], 'it is delivered')
      const rest = await together('node', 2, again.leasedUntil)
      assert.deepEqual(idsOf(rest.dispatches), [deliveryId(2, 1), deliveryId(3, 1)])
    })

    it('include what is due later by a retry, but not what a schedule holds or what is parked', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withChats(store)
      await appendTo(store, 1)
      await store.deliveries.add(
        [
          newDelivery(1, 1),
          newDelivery(2, 1, { dueAt: NOW + 1000 }),
          newDelivery(3, 1, { dueAt: NOW + 1000, severity: 'low' }),
          newDelivery(4, 1),
        ],
        NOW,
      )
      await store.watches.change('acc_1', watchId(4), { status: 'paused' }, NOW)
      assert.deepEqual(await leased(store), [deliveryId(1, 1)])
      const all = [1, 2, 3, 4].map(watchId)
      const { dispatches } = await store.deliveries.leaseTogether('node', [held(1, 1)], all, NOW, until)
      assert.deepEqual(idsOf(dispatches), [deliveryId(1, 1), deliveryId(2, 1)])
    })

    it('are due again, all of them, if the process that had leased them is gone', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withChats(store)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1), newDelivery(2, 1, { dueAt: NOW + 500 })], NOW)
      await leased(store)
      const { leasedUntil } = await store.deliveries.leaseTogether('node', [held(1, 1)], watchIds, NOW, until)
      assert.deepEqual(await leased(store, leasedUntil - 1), [])
      assert.deepEqual((await leased(store, leasedUntil)).sort(), [deliveryId(1, 1), deliveryId(2, 1)])
    })

    it('are each in one message only, if two processes have them at once', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      const [store, second] = [stores.at(0), stores.at(1)]
      await withChats(store)
      const events = Array.from({ length: 20 }, (_, index) => index + 1)
      await appendTo(store, events.length)
      await store.deliveries.add(
        events.flatMap((event) => [1, 2, 3].map((watch) => newDelivery(watch, event))),
        NOW,
      )
      // Each process has some of each event.
      const holder = new Map<string, string>()
      for (const [owner, own] of [
        ['a', store],
        ['b', second],
      ] as const) {
        const { dispatches } = await own.deliveries.lease(owner, NOW, until, 30, NONE_FULL)
        for (const { delivery } of dispatches) holder.set(delivery.id, owner)
      }
      assert.equal(holder.size, 60)
      const messages = await Promise.all(
        events.flatMap((event) =>
          [1, 2, 3].map(async (watch) => {
            const owner = holder.get(deliveryId(watch, event))!
            const { deliveries } = owner === 'a' ? store : second
            return idsOf((await deliveries.leaseTogether(owner, [held(watch, event)], watchIds, NOW, until)).dispatches)
          }),
        ),
      )
      const sent = messages.filter((ids) => ids.length > 0)
      assert.equal(sent.length, events.length)
      assert.equal(new Set(sent.flat()).size, 60)
    })
  })
}
