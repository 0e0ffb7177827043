import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FanOutChunk, FanOutPosition, NewDelivery, Store } from '../../../src/store/store.ts'
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

const START: FanOutPosition = { seq: 0, afterWatchId: null }

function chunk(from: FanOutPosition, to: FanOutPosition, ...all: NewDelivery[]): FanOutChunk {
  return { from, to, deliveries: all }
}

/** Leases the fan-out for `node` and writes up to `seq`. */
async function write(store: Store, seq: number, ...all: NewDelivery[]): Promise<string[]> {
  const from = await store.fanOut.lease('node', NOW, NOW + LEASE)
  const to = { seq, afterWatchId: null }
  return idsOf(await store.fanOut.write('node', chunk(from!, to, ...all), NOW, NOW + LEASE))
}

async function sequences(store: Store, watch: number): Promise<[number, number][]> {
  const deliveries = await listedDeliveries(store, 'acc_1', watchId(watch), null, 1_000, null)
  return deliveries.map(({ eventSeq, sequence }) => [eventSeq, sequence])
}

export function fanOutConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the fan-out', () => {
    it('has one owner until the lease ends or is released', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { fanOut } = store
      assert.deepEqual(await fanOut.lease('a', NOW, NOW + 10), START)
      assert.equal(await fanOut.lease('b', NOW + 9, NOW + 20), null)
      assert.deepEqual(await fanOut.lease('a', NOW + 9, NOW + 20), START, 'the lease is extended')
      assert.equal(await fanOut.lease('b', NOW + 19, NOW + 30), null)
      assert.deepEqual(await fanOut.lease('b', NOW + 20, NOW + 30), START, 'taken over')
      assert.equal(await fanOut.lease('a', NOW + 20, NOW + 30), null)
      await fanOut.release('a')
      assert.equal(await fanOut.lease('a', NOW + 20, NOW + 30), null)
      await fanOut.release('b')
      assert.deepEqual(await fanOut.lease('a', NOW + 20, NOW + 30), START)
    })

    it('leaves deliveries with a due time to any process, from that time on', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 3)
      await appendTo(store, 1)
      await write(
        store,
        1,
        newDelivery(1, 1),
        newDelivery(2, 1, { dueAt: NOW }),
        newDelivery(3, 1, { dueAt: NOW + 5_000 }),
      )
      assert.deepEqual(await leased(store), [deliveryId(2, 1)])
      assert.deepEqual(await leased(store, NOW + 5_000), [deliveryId(3, 1)])
    })

    it('says whether the last attempts of a watch failed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      await appendTo(store, 2)
      await write(store, 1, newDelivery(1, 1), newDelivery(2, 1))
      await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 1)), result(deliveryId(2, 1))], NOW)
      const from = { seq: 1, afterWatchId: null }
      const next = chunk(from, { seq: 2, afterWatchId: null }, newDelivery(1, 2), newDelivery(2, 2))
      const dispatches = await store.fanOut.write('node', next, NOW, NOW + LEASE)
      assert.deepEqual(dispatches?.map(({ delivery, failing }) => [delivery.watchId, failing]).sort(), [
        [watchId(1), true],
        [watchId(2), false],
      ])
      const retried = await store.deliveries.lease('node', NOW + 5_000, NOW + LEASE, 10, NONE_FULL)
      assert.deepEqual(
        retried.dispatches.map(({ failing }) => failing),
        [true],
      )
    })

    it('is leased to exactly one of many owners', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      const owners = Array.from({ length: 12 }, (_, index) => `node ${index}`)
      const given = await Promise.all(owners.map((owner, index) => stores.at(index).fanOut.lease(owner, NOW, NOW + 1)))
      assert.equal(given.filter((position) => position !== null).length, 1)
    })

    it('writes deliveries and keeps its position', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const secrets = [
        { secret: 'whsec_1', expiresAt: null },
        { secret: 'whsec_old', expiresAt: NOW + 7 },
      ]
      const headers = [{ name: 'X-Team', value: 'roads' }]
      await withWatches(store, 2, { secrets, headers, channel: 'slack' })
      await appendTo(store, 2)
      await store.fanOut.lease('node', NOW, NOW + LEASE)
      const to = { seq: 1, afterWatchId: watchId(1) }
      const written = await store.fanOut.write(
        'node',
        chunk(
          START,
          to,
          newDelivery(1, 1, { critical: true }),
          newDelivery(2, 1),
          newDelivery(1, 2, { kind: 'incident.updated' }),
        ),
        NOW,
        NOW + 30,
      )
      assert.deepEqual(idsOf(written), [deliveryId(1, 1), deliveryId(2, 1), deliveryId(1, 2)])
      assert.deepEqual(written?.[0], {
        delivery: {
          id: deliveryId(1, 1),
          watchId: watchId(1),
          eventSeq: 1,
          sequence: 1,
          kind: 'incident.created',
          watchName: 'Roads 1',
          host: 'host1.example',
          critical: true,
          severity: null,
          test: false,
          status: 'pending',
          attempts: 0,
          maybeAttempted: false,
          tries: 0,
          dueAt: NOW + 30,
          leaseOwner: 'node',
          createdAt: NOW,
          finishedAt: null,
        },
        endpoint: {
          channel: 'slack',
          url: 'https://host1.example/hook',
          secrets,
          headers,
          siteListId: null,
          sharesReceiver: false,
          schedule: null,
        },
        accountId: 'acc_1',
        failing: false,
        postponed: false,
      })
      assert.deepEqual(await store.fanOut.lease('node', NOW, NOW + LEASE), to)
      assert.deepEqual((await store.deliveries.find('acc_1', deliveryId(1, 1)))?.delivery, written?.[0]?.delivery)
    })

    it('leases the deliveries to its owner, or leaves them due for any owner', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 2)
      await store.fanOut.lease('node', NOW, NOW + LEASE)
      const [one, two] = [
        { seq: 1, afterWatchId: null },
        { seq: 2, afterWatchId: null },
      ]
      await store.fanOut.write('node', chunk(START, one, newDelivery(1, 1)), NOW, NOW + 10)
      assert.deepEqual(await leased(store, NOW + 9), [])
      await store.fanOut.write('node', chunk(one, two, newDelivery(1, 2)), NOW, null)
      assert.deepEqual(await leased(store, NOW + 9), [deliveryId(1, 2)])
      assert.deepEqual(await leased(store, NOW + 10), [deliveryId(1, 1)], 'its owner died')
    })

    const refusals = [
      { name: 'for an owner without a lease', owner: 'other', from: START },
      { name: 'from a wrong seq', owner: 'node', from: { seq: 1, afterWatchId: null } },
      { name: 'from a wrong watch', owner: 'node', from: { seq: 0, afterWatchId: watchId(1) } },
    ]
    for (const { name, owner, from } of refusals) {
      it(`writes nothing ${name}`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await withWatches(store, 1)
        await appendTo(store, 2)
        await store.fanOut.lease('node', NOW, NOW + LEASE)
        const oneDelivery = chunk(from, { seq: 2, afterWatchId: null }, newDelivery(1, 1))
        assert.equal(await store.fanOut.write(owner, oneDelivery, NOW, null), null)
        assert.deepEqual(await store.fanOut.lease('node', NOW, NOW + LEASE), START)
        assert.deepEqual(await sequences(store, 1), [])
        assert.equal((await store.watches.find('acc_1', watchId(1)))?.sequence, 0)
      })
    }

    it('writes nothing for an owner whose lease has passed to another', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 1)
      await store.fanOut.lease('slow', NOW, NOW + 10)
      await store.fanOut.lease('heir', NOW + 10, NOW + 20)
      const oneDelivery = chunk(START, { seq: 1, afterWatchId: null }, newDelivery(1, 1))
      assert.equal(await store.fanOut.write('slow', oneDelivery, NOW + 10, null), null)
      assert.deepEqual(idsOf(await store.fanOut.write('heir', oneDelivery, NOW + 10, null)), [deliveryId(1, 1)])
    })

    it("counts each watch's deliveries without a gap, in the order of events", async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      await appendTo(store, 5)
      await write(store, 3, newDelivery(1, 3), newDelivery(2, 2), newDelivery(1, 1))
      await write(store, 5, newDelivery(1, 5), newDelivery(2, 4), newDelivery(1, 4))
      assert.deepEqual(await sequences(store, 1), [
        [5, 4],
        [4, 3],
        [3, 2],
        [1, 1],
      ])
      assert.deepEqual(await sequences(store, 2), [
        [4, 2],
        [2, 1],
      ])
      assert.equal((await store.watches.find('acc_1', watchId(1)))?.sequence, 4)
    })

    it('writes one delivery per watch and event, and uses no sequence for a repeated one', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 3)
      assert.equal(await store.deliveries.add([newDelivery(1, 2, { id: 'msg_before' })], NOW), 1)
      assert.deepEqual(
        await write(
          store,
          3,
          newDelivery(1, 1),
          newDelivery(1, 2),
          newDelivery(1, 3),
          newDelivery(1, 3, { id: 'msg_again' }),
        ).then((ids) => ids.length),
        2,
      )
      assert.equal(await store.deliveries.add([newDelivery(1, 1, { id: 'msg_late' })], NOW), 0)
      assert.deepEqual(await sequences(store, 1), [
        [3, 3],
        [2, 1],
        [1, 2],
      ])
    })

    it('skips a watch that is removed, paused, disabled or no older than the event', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 4)
      await appendTo(store, 1)
      await store.watches.add(aWatch(5), MAX_WATCHES)
      await store.watches.change('acc_1', watchId(1), { status: 'paused' }, NOW)
      await store.watches.change('acc_1', watchId(2), { status: 'disabled' }, NOW)
      await store.watches.remove('acc_1', watchId(3))
      await appendTo(store, 2)
      const all = [1, 2, 3, 4, 5, 6].map((watch) => newDelivery(watch, 1))
      assert.deepEqual(await write(store, 1, ...all), [deliveryId(4, 1)])
      assert.equal(
        await store.deliveries.add(
          [1, 2, 3, 5, 6].map((watch) => newDelivery(watch, 1)),
          NOW,
        ),
        0,
      )
      assert.deepEqual(await write(store, 2, newDelivery(5, 2)), [deliveryId(5, 2)])
    })

    it('keeps the name that the watch had when the delivery was written', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      await store.watches.change('acc_1', watchId(1), { name: 'Rail', url: 'https://b.example/' }, NOW)
      const { dispatches } = await store.deliveries.lease('node', NOW, NOW + LEASE, 10, NONE_FULL)
      assert.equal(dispatches[0]?.delivery.watchName, 'Roads 1')
      assert.equal(dispatches[0]?.endpoint.url, 'https://b.example/')
    })

    it('gives every sequence of a watch once while others add deliveries and remove watches', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      await withWatches(stores.at(0), 8)
      await appendTo(stores.at(0), 40)
      const all = [1, 2, 3, 4, 5, 6, 7, 8]
      const from = await stores.at(0).fanOut.lease('node', NOW, NOW + LEASE)
      const fanningOut = (async () => {
        for (let seq = from!.seq; seq < 40; seq += 2) {
          const events = [seq + 1, seq + 2].flatMap((event) => all.map((watch) => newDelivery(watch, event)))
          const moved = chunk({ seq, afterWatchId: null }, { seq: seq + 2, afterWatchId: null }, ...events)
          assert.notEqual(await stores.at(0).fanOut.write('node', moved, NOW, null), null)
        }
      })()
      const adding = Array.from({ length: 20 }, (_, index) => {
        const missed = all
          .toReversed()
          .map((watch) => newDelivery(watch, 1 + ((index * 7) % 40), { id: `msg_${watch}_${index}` }))
        return stores.at(index).deliveries.add(missed, NOW)
      })
      const removing = stores.at(1).watches.remove('acc_1', watchId(8))
      await Promise.all([fanningOut, ...adding, removing])
      for (const watch of all.slice(0, -1)) {
        const given = await sequences(stores.at(0), watch)
        assert.deepEqual(
          given.map(([event]) => event).sort((a, b) => a - b),
          Array.from({ length: 40 }, (_, n) => n + 1),
        )
        assert.deepEqual(
          given.map(([, each]) => each).sort((a, b) => a - b),
          Array.from({ length: 40 }, (_, n) => n + 1),
        )
      }
      assert.deepEqual(await sequences(stores.at(0), 8), [])
    })

    it('notifies listeners of deliveries, in another store too', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await using other = database.shared ? await database.open({ sqlite: { pollInterval: 5 } }) : null
      await withWatches(store, 1)
      await appendTo(store, 1)
      const found: string[] = []
      // Several notifications may arrive at once: none may overwrite what another has found.
      const stop = (other ?? store).deliveries.onDue(async () => {
        found.push(...(await leased(other ?? store)))
      })
      await store.fanOut.lease('node', NOW, NOW + LEASE)
      await store.fanOut.write('node', chunk(START, { seq: 1, afterWatchId: null }, newDelivery(1, 1)), NOW, null)
      await until(() => found.length === 1)
      stop()
    })
  })
}

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

    it('keeps how far caches were told, by the owner of the lease', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.equal(await store.fanOut.purgedSeq(), null)
      await store.fanOut.recordPurged('node', 5)
      assert.equal(await store.fanOut.purgedSeq(), null)
      await store.fanOut.lease('node', NOW, NOW + LEASE)
      await store.fanOut.recordPurged('node', 5)
      await store.fanOut.recordPurged('other', 9)
      assert.equal(await store.fanOut.purgedSeq(), 5)
      await store.fanOut.release('node')
      assert.equal(await store.fanOut.purgedSeq(), 5)
    })
  })
}
