import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NewWatch } from '../../../src/domain/watch.ts'
import type { AttemptResult, HeldDelivery, Store } from '../../../src/store/store.ts'
import { type EmptyDatabase, openSeveral } from '../databases.ts'
import {
  appendTo,
  aWatch,
  created,
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
  reported,
  result,
  retracted,
  updated,
  watchId,
  withWatches,
} from '../fixtures.ts'

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

export function sameRecipientConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('deliveries of one event for one person', () => {
    it('are of active watches with the same address in the same account', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withChats(store)
      await store.watches.change('acc_1', watchId(4), { status: 'paused' }, NOW)
      const sameRecipient = async (watch: number, most = 12) =>
        (await store.deliveries.findSameRecipient(watchId(watch), most)).map(({ watchId }) => Number(watchId.slice(-6)))
      assert.deepEqual(await sameRecipient(2), [1, 2, 3])
      assert.deepEqual(await sameRecipient(5), [5])
      assert.deepEqual(await sameRecipient(6), [6])
      assert.deepEqual(await sameRecipient(7), [])
      assert.deepEqual(
        [await sameRecipient(1, 2), await sameRecipient(2, 2), await sameRecipient(3, 2)],
        [[1, 2], [1, 2], [3]],
      )
      const [first] = await store.deliveries.findSameRecipient(watchId(1), 12)
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
      const sameRecipient = await store.deliveries.findSameRecipient(watchId(3), 12)
      assert.deepEqual(
        sameRecipient.map(({ watchId }) => watchId),
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
      const cancelled = (watch: number) =>
        result(deliveryId(watch, 1), { outcome: 'cancelled', statusCode: null, answer: null })
      await store.deliveries.recordAttempts('node', [result(deliveryId(1, 1)), cancelled(3)], NOW)
      const told = async (events: number[], watches: number[]) =>
        (await store.deliveries.findNotifiedWatches(events, watches.map(watchId))).sort()
      assert.deepEqual(await told([1, 2], [1, 2, 3, 4]), [1, 2].map(watchId))
      assert.deepEqual(await told([1], [2, 3]), [watchId(2)])
      assert.deepEqual(await told([2], [1, 2, 3]), [])
      await store.deliveries.lease('heir', NOW + LEASE, NOW + 2 * LEASE, 9, NONE_FULL)
      await store.deliveries.recordAttempts('heir', [cancelled(2)], NOW)
      assert.deepEqual(await told([1], [2, 3]), [watchId(2)], 'a lost lease may have told of it')
    })

    it('may have been attempted by the process that they are taken from', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withChats(store)
      await appendTo(store, 1)
      await store.deliveries.add(
        [1, 2, 3].map((watch) => newDelivery(watch, 1)),
        NOW,
      )
      await store.deliveries.lease('other', NOW, until, 1, NONE_FULL)
      await store.deliveries.lease('node', NOW, until, 1, NONE_FULL)
      const ownerOf = async (watch: number) =>
        (await store.deliveries.find('acc_1', deliveryId(watch, 1)))!.delivery.leaseOwner
      assert.deepEqual(await Promise.all([1, 2, 3].map(ownerOf)), ['other', 'node', null])
      const { dispatches } = await store.deliveries.leaseForSameRecipient('node', [held(2, 1)], watchIds, NOW, until)
      const taken = dispatches.map(({ delivery }) => [delivery.watchId, delivery.maybeAttempted])
      assert.deepEqual(
        taken,
        [1, 2, 3].map((watch) => [watchId(watch), watch === 1]),
      )
      for (const { delivery } of dispatches)
        assert.deepEqual((await store.deliveries.find('acc_1', delivery.id))!.delivery, delivery)
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
        store.deliveries.leaseForSameRecipient(owner, [held(watch, 1, leasedUntil)], watchIds, NOW, until)
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
      const { dispatches } = await store.deliveries.leaseForSameRecipient('node', [held(1, 1)], all, NOW, until)
      assert.deepEqual(idsOf(dispatches), [deliveryId(1, 1), deliveryId(2, 1)])
    })

    it('are due again, all of them, if the process that had leased them is gone', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withChats(store)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1), newDelivery(2, 1, { dueAt: NOW + 500 })], NOW)
      await leased(store)
      const { leasedUntil } = await store.deliveries.leaseForSameRecipient('node', [held(1, 1)], watchIds, NOW, until)
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
            return idsOf(
              (await deliveries.leaseForSameRecipient(owner, [held(watch, event)], watchIds, NOW, until)).dispatches,
            )
          }),
        ),
      )
      const sent = messages.filter((ids) => ids.length > 0)
      assert.equal(sent.length, events.length)
      assert.equal(new Set(sent.flat()).size, 60)
    })
  })
}

const DAY = 86_400_000
const ID = deliveryId(1, 1)

async function withLeased(store: Store, count = 1): Promise<void> {
  await withWatches(store, 1)
  await appendTo(store, count)
  await store.deliveries.add(
    Array.from({ length: count }, (_, index) => newDelivery(1, index + 1)),
    NOW,
  )
  await leased(store, NOW, count)
}

function cancelled(deliveryId: string): AttemptResult {
  return result(deliveryId, { outcome: 'cancelled', statusCode: null, answer: null, url: '' })
}

export function truthConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the current state of incidents', () => {
    it('is that of their last change, whatever their status', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), created(2), reported(3)], NOW)
      await store.incidents.save([updated(1, 2, { summary: 'Corrected.' }), retracted(2, 2)], NOW)
      const ids = [created(1), created(2), created(3), created(4)].map(({ incident }) => incident.id)
      const current = (await store.incidents.current([...ids, ids[0]!])).toSorted((a, b) => a.id.localeCompare(b.id))
      const shown = new Map(current.map(({ id, status, document }) => [id, [status, JSON.parse(document).version]]))
      assert.deepEqual(Object.fromEntries(shown), {
        [ids[0]!]: ['confirmed', 2],
        [ids[1]!]: ['retracted', 2],
        [ids[2]!]: ['reported', 1],
      })
      assert.deepEqual(await store.incidents.current([]), [])
    })
  })

  describe('a cancelled delivery', () => {
    it('is finished without an attempt, and listed as such', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store, 2)
      assert.deepEqual(await store.deliveries.recordAttempts('node', [cancelled(ID)], NOW + 1), [])
      const found = (await store.deliveries.find('acc_1', ID))!
      const { status, finishedAt, dueAt, leaseOwner, attempts } = found.delivery
      assert.deepEqual([status, finishedAt, dueAt, leaseOwner, attempts], ['cancelled', NOW + 1, null, null, 0])
      assert.deepEqual(found.attempts, [])
      const listed = await listedDeliveries(store, 'acc_1', watchId(1), 'cancelled', 10, null)
      assert.deepEqual(
        listed.map(({ id }) => id),
        [ID],
      )
      assert.equal((await listedDeliveries(store, 'acc_1', watchId(1), null, 10, null)).length, 2)
      assert.equal(await store.deliveries.recover('acc_1', watchId(1), 0, NOW, 10), 0)
    })

    it('stays what it is if another process holds it', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store)
      await store.deliveries.recordAttempts('other', [cancelled(ID)], NOW + 1)
      assert.equal((await store.deliveries.find('acc_1', ID))?.delivery.status, 'pending')
    })
  })

  describe('a test message', () => {
    it('is logged beside the deliveries of the same event, and never sent again', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store)
      const { deliveryId: _, watchId: _watch, url: __, retryAt: ___, outcome: ____, ...attempt } = refused('')
      const test = (id: string) => ({
        id,
        watchId: watchId(1),
        eventSeq: 1,
        kind: 'incident.updated' as const,
        incidentId: 'inc_shown',
        attempt: { ...attempt, outcome: 'refused' as const },
      })
      await store.deliveries.addTest(test('msg_test_1'), NOW + 1)
      await store.deliveries.addTest(test('msg_test_2'), NOW + 1)
      const listed = await listedDeliveries(store, 'acc_1', watchId(1), null, 10, null)
      assert.deepEqual(
        listed.map((delivery) => [delivery.id, delivery.test, delivery.status, delivery.sequence]),
        [
          ['msg_test_2', true, 'failed', 0],
          ['msg_test_1', true, 'failed', 0],
          [ID, false, 'pending', 1],
        ],
      )
      const page = await listedDeliveries(store, 'acc_1', watchId(1), null, 1, { eventSeq: 1, id: 'msg_test_2' })
      assert.deepEqual(
        page.map(({ id }) => id),
        ['msg_test_1'],
      )
      const { delivery, attempts } = (await store.deliveries.find('acc_1', 'msg_test_1'))!
      assert.deepEqual(
        [delivery.kind, delivery.attempts, attempts],
        ['incident.updated', 1, [{ number: 1, ...attempt, outcome: 'refused' }]],
      )
      assert.equal(await store.deliveries.redeliver('acc_1', 'msg_test_1', NOW), null)
      assert.equal(await store.deliveries.recover('acc_1', watchId(1), 0, NOW, 10), 0)
      assert.equal((await store.watches.find('acc_1', watchId(1)))?.sequence, 1)
      assert.equal(await store.deliveries.add([newDelivery(1, 1, { id: 'msg_again' })], NOW), 0)
    })
  })

  describe('the health of a watch', () => {
    it('is not touched by attempts at a URL that it no longer has', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store, 3)
      const [one, two, three] = [1, 2, 3].map((event) => deliveryId(1, event)) as [string, string, string]
      await store.watches.change('acc_1', watchId(1), { url: 'https://mended.example/hook' }, NOW)
      const gone = refused(one, { statusCode: 410 })
      assert.deepEqual(await store.deliveries.recordAttempts('node', [gone], NOW), [])
      assert.equal((await store.watches.find('acc_1', watchId(1)))?.failingSince, null)
      const url = 'https://mended.example/hook'
      const [failing] = await store.deliveries.recordAttempts('node', [refused(two, { url, statusCode: 410 })], NOW)
      assert.deepEqual([failing?.gone, failing?.url], [true, url])
      assert.deepEqual(await store.deliveries.recordAttempts('node', [result(three)], NOW + 1), [])
      assert.equal((await store.watches.find('acc_1', watchId(1)))?.failingSince, NOW)
    })

    it('starts anew with another URL', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store, 2)
      await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 1))], NOW)
      assert.equal(await store.watches.countWarning(watchId(1), 1), true)
      await store.watches.change('acc_1', watchId(1), { name: 'Renamed' }, NOW + 1)
      assert.equal((await store.watches.find('acc_1', watchId(1)))?.failingSince, NOW)
      const url = 'https://mended.example/hook'
      await store.watches.change('acc_1', watchId(1), { url }, NOW + 1)
      assert.equal((await store.watches.find('acc_1', watchId(1)))?.failingSince, null)
      const late = refused(deliveryId(1, 2), { url, at: NOW + 2 })
      const [failing] = await store.deliveries.recordAttempts('node', [late], NOW + 2)
      assert.deepEqual([failing?.history, failing?.warnings], [{ failingSince: NOW + 2, failures: [NOW + 2] }, 0])
    })

    it('remembers failures that lie apart, and warnings, until a success', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withLeased(store)
      for (const day of [0, 1, 2]) {
        await leased(store, NOW + day * DAY)
        await store.deliveries.recordAttempts('node', [refused(ID, { at: NOW + day * DAY, retryAt: NOW })], NOW)
      }
      assert.deepEqual(
        [await store.watches.countWarning(watchId(1), 1), await store.watches.countWarning(watchId(1), 1)],
        [true, false],
      )
      await leased(store, NOW + 3 * DAY)
      const [failing] = await store.deliveries.recordAttempts('node', [refused(ID, { at: NOW + 3 * DAY })], NOW)
      const failures = [0, 1, 2, 3].map((day) => NOW + day * DAY)
      assert.deepEqual([failing?.history, failing?.warnings], [{ failingSince: NOW, failures }, 1])
      await leased(store, NOW + 4 * DAY)
      await store.deliveries.recordAttempts('node', [result(ID, { at: NOW + 4 * DAY })], NOW)
      assert.equal(await store.watches.countWarning(watchId(1), 1), true)
    })
  })

  describe('disabling a watch', () => {
    it('needs the URL that failed, and an active watch', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      const disable = (url: string) => store.watches.disable('acc_1', watchId(1), { url, reason: 'Gone.' }, NOW + 1)
      assert.equal(await disable('https://old.example/hook'), false)
      assert.equal((await store.watches.find('acc_1', watchId(1)))?.status, 'active')
      const [change] = (await store.watches.changedAfter(0, 10)).changes.slice(-1)
      assert.equal(await disable(aWatch(1).url), true)
      assert.equal(await disable(aWatch(1).url), false)
      const watch = await store.watches.find('acc_1', watchId(1))
      assert.deepEqual([watch?.status, watch?.disabledReason, watch?.updatedAt], ['disabled', 'Gone.', NOW + 1])
      const [after] = (await store.watches.changedAfter(change!.revision, 10)).changes
      assert.deepEqual([after?.id, after?.watch?.status], [watchId(1), 'disabled'])
    })
  })
}
