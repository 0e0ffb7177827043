import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AttemptResult, Store } from '../../../../src/store/store.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { created, NOW, reported, retracted, updated } from '../../fixtures.ts'
import {
  appendTo,
  aWatch,
  deliveryId,
  leased,
  listedDeliveries,
  newDelivery,
  refused,
  result,
  watchId,
  withWatches,
} from '../../watch-fixtures.ts'

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
