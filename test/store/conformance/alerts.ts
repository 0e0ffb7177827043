import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCOUNT_BLOCKED_REASON } from '../../../src/domain/accounts.ts'
import type { NewWatch } from '../../../src/domain/watch.ts'
import type { EmptyDatabase } from '../empty-database.ts'
import { NOW } from '../fixtures.ts'
import { appendTo, aWatch, MAX_WATCHES, watchId, withWatches } from '../watch-fixtures.ts'

const WEEK = 7 * 86_400_000
const paused = (number: number) => aWatch(number, { status: 'paused', channel: 'email', url: 'mailto:a@example.org' })

export function alertsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('alerts', () => {
    it('ask a receiver once until it answers, however many ask, and start with the next event', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      const asked = await Promise.all([1, 2, 3].map((number) => store.alerts.add(paused(number), 'ada', NOW - WEEK)))
      assert.equal(asked.filter(Boolean).length, 1)
      const first = watchId(asked.indexOf(true) + 1)
      assert.deepEqual(await store.watches.ids('acc_1', 10), [first])
      assert.equal(await store.alerts.add(paused(4), 'efe', NOW - WEEK), true)
      await appendTo(store, 2)
      assert.equal(await store.alerts.confirm(first, NOW - 1000, 5, NOW + 9), 'confirmed')
      assert.equal(await store.alerts.confirm(first, NOW + 1000, 0, NOW + 99), 'confirmed')
      assert.equal((await store.alerts.find(first))?.confirmedAt, NOW + 9)
      const { status, createdSeq } = (await store.watches.find(null, first))!
      assert.deepEqual([status, createdSeq], ['active', 2])
      assert.equal(await store.alerts.add(paused(5), 'ada', NOW - WEEK), true)
    })

    it('wait until the account that holds them is no longer blocked', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      assert.equal(await store.alerts.add(paused(1), 'ada', NOW - WEEK), true)
      await store.accounts.change('acc_1', { status: 'blocked' }, NOW)
      assert.equal(await store.alerts.confirm(watchId(1), NOW - 1000, 5, NOW), 'confirmed')
      assert.equal((await store.watches.find(null, watchId(1)))?.status, 'disabled')
      assert.deepEqual(await store.alerts.toRemove(NOW + WEEK, ACCOUNT_BLOCKED_REASON, 10), [])
      await store.accounts.change('acc_1', { status: 'active' }, NOW)
      assert.equal((await store.watches.find(null, watchId(1)))?.status, 'active')
    })

    it('refuse more than a receiver may have, and what was asked for too long ago', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      for (const number of [1, 2]) {
        assert.equal(await store.alerts.add(paused(number), 'ada', NOW - WEEK), true)
        assert.equal(await store.alerts.confirm(watchId(number), NOW, 1, NOW), number === 1 ? 'confirmed' : 'too_many')
      }
      assert.equal((await store.watches.find(null, watchId(2)))?.status, 'paused')
      assert.equal(await store.alerts.confirm(watchId(2), NOW + 3, 9, NOW), null)
      assert.equal(await store.alerts.confirm(watchId(9), NOW, 9, NOW), null)
      // After a while the receiver may be asked again.
      assert.equal(await store.alerts.add(paused(3), 'ada', NOW + 3), true)
      await store.alerts.deleteRequests(NOW + 4)
      await store.alerts.forgetRequest(watchId(9))
      assert.equal(await store.alerts.add(paused(4), 'ada', NOW - WEEK), true)
      assert.equal(await store.alerts.add(paused(5), 'ada', NOW - WEEK), false)
      await store.alerts.forgetRequest(watchId(4))
      assert.equal(await store.alerts.add(paused(6), 'ada', NOW - WEEK), true)
    })

    it('start at once where nobody has to be asked, for as many as a receiver may have', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      await appendTo(store, 2)
      const here = (number: number) => aWatch(number, { channel: 'webpush', url: 'https://push.example.org/***0' })
      const outcomes = await Promise.all([1, 2, 3].map((number) => store.alerts.start(here(number), 'here', 2)))
      assert.equal(outcomes.filter(Boolean).length, 2)
      const first = watchId(outcomes.indexOf(true) + 1)
      const { status, createdSeq, createdAt } = (await store.watches.find(null, first))!
      assert.equal((await store.alerts.find(first))?.confirmedAt, createdAt)
      assert.deepEqual([status, createdSeq], ['active', 2])
      assert.equal((await store.watches.ids('acc_1', 10)).length, 2)
      assert.equal(await store.alerts.start(here(4), 'there', 1), true)
      // A browser that has another address takes its alerts along.
      await store.alerts.setRecipient(first, 'there')
      assert.equal(await store.alerts.start(here(5), 'here', 2), true)
      assert.equal(await store.alerts.start(here(6), 'there', 2), false)
      await store.watches.remove('acc_1', first)
      assert.equal(await store.alerts.start(here(6), 'there', 2), true)
    })

    it('are to be removed if nobody confirmed them or their receiver is gone, and go with their watches', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      for (const number of [1, 2, 3, 4]) await store.alerts.add(paused(number), `${number}`, NOW - WEEK)
      for (const number of [1, 2, 4]) await store.alerts.confirm(watchId(number), NOW, 9, NOW)
      const url = 'mailto:a@example.org'
      await store.watches.disable('acc_1', watchId(2), { url, reason: 'gone' }, NOW)
      await store.watches.disable('acc_1', watchId(4), { url, reason: 'blocked' }, NOW)
      assert.deepEqual((await store.alerts.toRemove(NOW + 10, 'blocked', 10)).sort(), [watchId(2), watchId(3)])
      assert.deepEqual(await store.alerts.toRemove(NOW, 'blocked', 10), [watchId(2)])
      await store.watches.remove('acc_1', watchId(2))
      assert.equal(await store.alerts.find(watchId(2)), null)
    })
  })
}

const URL_OF_BROWSER = 'https://push.example.org/***0123456789abcdef'
const aBrowser = (number: number, changes: Partial<NewWatch> = {}) =>
  aWatch(number, { channel: 'webpush', url: URL_OF_BROWSER, ...changes })

export function pushConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('push', () => {
    it('has one pair of keys for all nodes: the first that was proposed', async () => {
      await using database = await newDatabase()
      await using one = await database.open()
      await using second = database.shared ? await database.open() : null
      const other = second ?? one
      assert.equal(await one.push.storedKeys(), null)
      const proposed = [1, 2, 3, 4].map((number) => ({
        publicKey: `public ${number}`,
        privateKey: `private ${number}`,
      }))
      const given = await Promise.all(proposed.map((keys, index) => (index % 2 === 0 ? one : other).push.keys(keys)))
      for (const keys of given) assert.deepEqual(keys, given[0])
      assert.ok(proposed.some(({ publicKey }) => publicKey === given[0]!.publicKey))
      assert.deepEqual(await one.push.storedKeys(), given[0])
      const next = { publicKey: 'p', privateKey: 'q' }
      assert.equal(await one.push.replaceKeys(given[0]!, next), true)
      assert.equal(await other.push.replaceKeys(given[0]!, given[1]!), false, 'they are not as they were read')
      assert.deepEqual(await other.push.keys(given[0]!), next)
      assert.equal(await one.push.replaceKeys(next, null), true)
      assert.equal(await one.push.storedKeys(), null)
    })

    it('notes a browser for all of its watches, at most once in a time, and for no other', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1, { url: URL_OF_BROWSER })
      await store.watches.add(aBrowser(2), MAX_WATCHES)
      await store.watches.add(aBrowser(3, { accountId: 'acc_2' }), MAX_WATCHES)
      await store.watches.add(aBrowser(4, { url: 'https://push.example.org/***fedcba9876543210' }), MAX_WATCHES)
      const { changes: before } = await store.watches.changedAfter(0, 100)
      assert.equal(await store.push.recordSeen(URL_OF_BROWSER, NOW + 1000, NOW), 2)
      assert.equal(await store.push.recordSeen(URL_OF_BROWSER, NOW + 2000, NOW + 1000), 0)
      assert.equal(await store.push.recordSeen(URL_OF_BROWSER, NOW + 2000, NOW + 1001), 2)
      assert.equal(await store.push.recordSeen('https://push.example.org/***', NOW + 2000, NOW), 0)
      assert.deepEqual((await store.watches.changedAfter(0, 100)).changes, before, 'no node reads a watch anew for it')
    })

    it('finds the watches of a browser, whosever they are and whatever their state', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1, { url: URL_OF_BROWSER })
      for (const [number, changes] of [
        [2, {}],
        [3, { accountId: 'acc_2' }],
        [4, { url: 'https://push.example.org/***fedcba9876543210' }],
        [5, { status: 'paused' }],
      ] as const)
        await store.watches.add(aBrowser(number, changes), MAX_WATCHES)
      const found = await store.push.watchesOf(URL_OF_BROWSER, 10)
      assert.deepEqual(found, await Promise.all([2, 3, 5].map((number) => store.watches.find(null, watchId(number)))))
      assert.deepEqual(
        (await store.push.watchesOf(URL_OF_BROWSER, 2)).map(({ id }) => id),
        [2, 3].map(watchId),
      )
      assert.deepEqual(await store.push.watchesOf('https://push.example.org/***', 10), [])
    })

    it('finds the active watches whose browser was not seen, and which nobody changed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      for (const number of [2, 3, 4, 5])
        await store.watches.add(aBrowser(number, { url: `${URL_OF_BROWSER}${number}` }), MAX_WATCHES)
      const unseen = async (since: number, limit = 10) =>
        (await store.push.unseen(since, limit)).map(({ watchId: id }) => id)
      assert.deepEqual(await unseen(NOW), [], 'made since')
      assert.deepEqual(await unseen(NOW + 100), [2, 3, 4, 5].map(watchId))
      assert.deepEqual(await unseen(NOW + 100, 2), [2, 3].map(watchId))
      await store.push.recordSeen(`${URL_OF_BROWSER}3`, NOW + 200, NOW)
      await store.watches.change('acc_1', watchId(4), { status: 'paused' }, NOW + 50)
      await store.watches.change('acc_1', watchId(5), { description: 'Mine.' }, NOW + 200)
      assert.deepEqual(await store.push.unseen(NOW + 100, 10), [
        { watchId: watchId(2), accountId: 'acc_1', url: `${URL_OF_BROWSER}2` },
      ])
      assert.deepEqual(await unseen(NOW + 300), [2, 3, 5].map(watchId))
    })
  })
}
