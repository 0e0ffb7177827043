import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NewWatch } from '../../../../src/domain/watch.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'
import { aWatch, MAX_WATCHES, watchId, withWatches } from '../../watch-fixtures.ts'

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
