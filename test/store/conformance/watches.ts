import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCOUNT_BLOCKED_REASON } from '../../../src/domain/accounts.ts'
import type { NewWatch, WatchPatch } from '../../../src/domain/watch.ts'
import type { Store, WatchChange } from '../../../src/store/store.ts'
import { type EmptyDatabase, openSeveral } from '../databases.ts'
import {
  appendTo,
  aWatch,
  created,
  LEASE,
  MAX_WATCHES,
  NONE_FULL,
  NOW,
  newDelivery,
  stored,
  until,
  watchId,
  withWatches,
} from '../fixtures.ts'

export function watchesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('watches', () => {
    it("are stored as given, with the log's head at that moment", async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      await appendTo(store, 3)
      const watch = aWatch(1, {
        name: `Ọ̀ṣun'; DROP TABLE watches -- \u{1F30D}`,
        description: 'Roads to Ọ̀yọ́',
        filter: { given: '{ "state":\n"kaduna" }', canonical: '{"state":["NG-KD"]}' },
        events: ['incident.created', 'incident.retracted'],
        secrets: [
          { secret: 'whsec_1', expiresAt: null },
          { secret: 'whsec_old', expiresAt: NOW + 5 },
        ],
        headers: [{ name: 'X-Team', value: 'roads' }],
        channel: 'slack',
      })
      assert.deepEqual(await store.watches.add(watch, MAX_WATCHES), stored(watch, { createdSeq: 3 }))
      assert.deepEqual(await store.watches.find('acc_1', watch.id), stored(watch, { createdSeq: 3 }))
    })

    it('are found by their account only', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      assert.equal(await store.watches.find('acc_2', watchId(1)), null)
      assert.equal(await store.watches.find('acc_1', watchId(2)), null)
      assert.deepEqual((await store.watches.find(null, watchId(1)))?.accountId, 'acc_1')
      assert.equal(await store.watches.find(null, watchId(2)), null)
      assert.equal(await store.watches.change('acc_2', watchId(1), { name: 'Mine' }, NOW), null)
      assert.equal(await store.watches.remove('acc_2', watchId(1)), false)
      assert.deepEqual(await store.watches.find('acc_1', watchId(1)), stored(aWatch(1)))
    })

    it('are listed newest first, page by page', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 5)
      await store.watches.add(aWatch(6, { accountId: 'acc_2' }), MAX_WATCHES)
      const page = async (limit: number, before: number | null) =>
        (await store.watches.list('acc_1', limit, before === null ? null : watchId(before))).map((watch) => watch.id)
      assert.deepEqual(await page(2, null), [5, 4].map(watchId))
      assert.deepEqual(await page(10, 4), [3, 2, 1].map(watchId))
      assert.deepEqual(await page(10, 1), [])
    })

    it('have unique names within an account', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      assert.equal(await store.watches.add(aWatch(3, { name: 'Roads 1' }), MAX_WATCHES), 'name_taken')
      assert.equal(await store.watches.change('acc_1', watchId(2), { name: 'Roads 1' }, NOW), 'name_taken')
      assert.equal(typeof (await store.watches.change('acc_1', watchId(1), { name: 'Roads 1' }, NOW)), 'object')
      const elsewhere = await store.watches.add(aWatch(3, { name: 'Roads 1', accountId: 'acc_2' }), MAX_WATCHES)
      assert.equal(typeof elsewhere, 'object')
      assert.equal((await store.watches.find('acc_1', watchId(2)))?.name, 'Roads 2')
    })

    it("never exceed the account's limit nor share a name when many are added at once", async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      await withWatches(stores.at(0), 0)
      const names = Array.from({ length: 24 }, (_, number) => aWatch(number, { name: `Roads ${number % 12}` }))
      const outcomes = await Promise.all(names.map((watch, index) => stores.at(index).watches.add(watch, 7)))
      const added = outcomes.filter((outcome) => typeof outcome === 'object')
      assert.equal(added.length, 7)
      assert.equal(new Set(added.map((watch) => watch.name)).size, 7)
      for (const outcome of outcomes) assert(typeof outcome === 'object' || /name_taken|too_many/.test(outcome))
      assert.equal((await stores.at(0).watches.list('acc_1', 100, null)).length, 7)
    })

    it('change only the fields that a patch names', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      let expected = stored(aWatch(1))
      const patches: [WatchPatch, object][] = [
        [
          { name: 'Rail', description: 'Lines' },
          { name: 'Rail', description: 'Lines' },
        ],
        [
          { description: null, url: 'https://b.example/x' },
          { description: null, url: 'https://b.example/x' },
        ],
        [{ filter: { given: '{}', canonical: '{}' } }, { filter: { given: '{}', canonical: '{}' } }],
        [{ events: ['incident.updated'] }, { events: ['incident.updated'] }],
        [
          { status: 'disabled', disabledReason: 'gone' },
          { status: 'disabled', disabledReason: 'gone' },
        ],
        [{ status: 'active' }, { status: 'active', disabledReason: null }],
        [{}, {}],
      ]
      for (const [index, [patch, change]] of patches.entries()) {
        expected = { ...expected, ...change, updatedAt: NOW + 10 + index }
        assert.deepEqual(await store.watches.change('acc_1', watchId(1), patch, NOW + 10 + index), expected)
        assert.deepEqual(await store.watches.find('acc_1', watchId(1)), expected)
      }
    })

    it('keep the value of a header, are sent the headers of the moment, and refuse to keep what is not there', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const team = { name: 'X-Team', value: 'roads' }
      await withWatches(store, 1, { headers: [team, { name: 'X-Old', value: 'old' }] })
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(1, 1)], NOW)
      const change = (headers: WatchPatch['headers']) =>
        store.watches.change('acc_1', watchId(1), { headers: headers! }, NOW)
      const headers = [
        { name: 'x-team', value: 'roads' },
        { name: 'X-New', value: 'new' },
      ]
      const expected = stored(aWatch(1), { headers, updatedAt: NOW })
      const kept = [{ name: 'x-team', value: null }, headers[1]!]
      assert.deepEqual(await change(kept), { ...expected, sequence: 1 })
      assert.equal(await change([{ name: 'X-Old', value: null }]), 'unknown_header')
      assert.deepEqual(await store.watches.find('acc_1', watchId(1)), { ...expected, sequence: 1 })
      const { dispatches } = await store.deliveries.lease('node', NOW, NOW + LEASE, 10, NONE_FULL)
      assert.deepEqual(dispatches[0]?.endpoint.headers, headers)
      assert.deepEqual(await change([]), { ...expected, headers: [], sequence: 1 })
      assert.deepEqual((await store.watches.find('acc_1', watchId(1)))?.headers, [])
    })

    it('keep no value of a header when the URL moves to another origin', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1, { headers: [{ name: 'X-Team', value: 'roads' }] })
      const change = async (patch: WatchPatch) => {
        const changed = await store.watches.change('acc_1', watchId(1), patch, NOW)
        return typeof changed === 'object' ? changed?.headers : changed
      }
      const url = 'https://b.example/'
      const before = await store.watches.find('acc_1', watchId(1))
      assert.equal(await change({ url }), 'headers_leave_origin')
      assert.equal(await change({ url, headers: [{ name: 'x-team', value: null }] }), 'headers_leave_origin')
      assert.deepEqual(await store.watches.find('acc_1', watchId(1)), before)
      assert.deepEqual(await change({ url: 'https://host1.example/other' }), [{ name: 'X-Team', value: 'roads' }])
      const headers = [{ name: 'X-Team', value: 'again' }]
      assert.deepEqual(await change({ url, headers }), headers)
      assert.deepEqual(await change({ url: 'https://c.example/', headers: [] }), [])
      assert.deepEqual(await change({ url }), [])
    })

    it('lose no change when many callers change different fields at once', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      await withWatches(stores.at(0), 1)
      const patches: WatchPatch[] = [
        { name: 'Rail' },
        { description: 'Lines' },
        { url: 'https://host1.example/other' },
        { events: ['incident.updated'] },
        { status: 'paused' },
        { rotation: { secret: 'whsec_next', previousExpiresAt: NOW + 9 } },
        { headers: [{ name: 'X-Team', value: 'rail' }] },
      ]
      await Promise.all(patches.map((patch, index) => stores.at(index).watches.change('acc_1', watchId(1), patch, NOW)))
      const expected = stored(aWatch(1), {
        name: 'Rail',
        description: 'Lines',
        url: 'https://host1.example/other',
        events: ['incident.updated'],
        status: 'paused',
        secrets: [
          { secret: 'whsec_next', expiresAt: null },
          { secret: 'whsec_1', expiresAt: NOW + 9 },
        ],
        headers: [{ name: 'X-Team', value: 'rail' }],
        updatedAt: NOW,
      })
      assert.deepEqual(await stores.at(0).watches.find('acc_1', watchId(1)), expected)
    })

    const invalidTexts = ['with a NUL \0', 'with half a pair \ud83d']
    for (const text of invalidTexts) {
      it(`refuse text ${JSON.stringify(text)} and write nothing`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await withWatches(store, 1)
        await assert.rejects(store.watches.add(aWatch(2, { name: text }), MAX_WATCHES), TypeError)
        await assert.rejects(store.watches.add(aWatch(2, { description: text }), MAX_WATCHES), TypeError)
        await assert.rejects(store.watches.change('acc_1', watchId(1), { description: text }, NOW), TypeError)
        await assert.rejects(store.watches.find('acc_1', text), TypeError)
        assert.deepEqual(await store.watches.list('acc_1', 10, null), [stored(aWatch(1))])
        assert.equal((await store.watches.changedAfter(0, 10)).changes.length, 1)
      })
    }
  })

  describe("watches' revisions", () => {
    it('return each watch once, in its current state, in the order of changes', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 3)
      await store.watches.change('acc_1', watchId(1), { status: 'paused', url: 'http://a.example:8080/' }, NOW)
      await store.watches.remove('acc_1', watchId(2))
      const watch = {
        canonicalFilter: '{"state":["NG-KD"]}',
        events: ['incident.created'],
        status: 'active',
        createdSeq: 0,
        host: 'host3.example',
        accountId: 'acc_1',
        schedule: null,
        receiver: null,
        filterSeq: 0,
      }
      const changes = [
        { revision: 3, id: watchId(3), watch },
        { revision: 4, id: watchId(1), watch: { ...watch, status: 'paused', host: 'a.example:8080' } },
        { revision: 5, id: watchId(2), watch: null },
      ]
      assert.deepEqual(await store.watches.changedAfter(0, 10), { changes, prunedTo: null })
      assert.deepEqual((await store.watches.changedAfter(3, 1)).changes, changes.slice(1, 2))
      assert.deepEqual((await store.watches.changedAfter(5, 10)).changes, [])
    })

    it('say where the log ended when the filter was last changed, or what it names', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      const filterSeqs = async () =>
        new Map((await store.watches.changedAfter(0, 10)).changes.map(({ id, watch }) => [id, watch!.filterSeq]))
      await appendTo(store, 3)
      const named = (canonical: string) => ({ filter: { given: '{}', canonical } })
      await store.watches.change('acc_1', watchId(1), named('{"state":["NG-KD"]}'), NOW)
      assert.equal((await filterSeqs()).get(watchId(1)), 0, 'the same filter')
      await store.watches.change('acc_1', watchId(1), named('{"state":["NG-KN"]}'), NOW)
      await appendTo(store, 4)
      await store.watches.change('acc_1', watchId(1), { name: 'Another' }, NOW)
      const site = { name: 'Depot', latitude: 10, longitude: 7, radiusKm: 5, reference: null }
      const times = { createdAt: NOW, updatedAt: NOW }
      const list = { id: 'sit_1', accountId: 'acc_1', name: 'List', size: 1, version: 1, ...times }
      await store.siteLists.add(list, [site], 9)
      const ofSites = { given: '{}', canonical: '{"sites":"sit_1"}', siteListId: 'sit_1' }
      await store.watches.change('acc_1', watchId(2), { filter: ofSites }, NOW)
      assert.deepEqual(
        await filterSeqs(),
        new Map([
          [watchId(1), 3],
          [watchId(2), 4],
        ]),
      )
      await appendTo(store, 6)
      await store.siteLists.change('acc_1', 'sit_1', { name: 'List', sites: [site, site] }, NOW)
      assert.deepEqual(
        await filterSeqs(),
        new Map([
          [watchId(1), 3],
          [watchId(2), 6],
        ]),
      )
    })

    it('of removed watches are pruned a while after their last delivery is gone, and say so', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 3)
      await appendTo(store, 1)
      await store.deliveries.add([newDelivery(2, 1)], NOW)
      for (const number of [1, 2, 3]) await store.watches.remove('acc_1', watchId(number))
      const day = 86_400_000
      const prune = (now: number, limit = 10) => store.watches.pruneRemoved(now, now - day, limit)
      assert.equal(await prune(NOW), 0, 'with deliveries that may be left')
      while ((await store.deliveries.deleteExpired(0, 10)) > 0);
      assert.equal(await prune(NOW + 10 * 365 * day), 0, 'first seen, by a wrong clock')
      assert.equal(await prune(NOW + day), 0, 'the time of the wrong clock is corrected')
      assert.equal(await prune(NOW + 2 * day), 0)
      assert.equal(await prune(NOW + 2 * day + 1, 2), 2)
      assert.deepEqual(await store.watches.changedAfter(0, 10), {
        changes: [{ revision: 6, id: watchId(3), watch: null }],
        prunedTo: 5,
      })
      assert.equal((await store.watches.changedAfter(4, 10)).prunedTo, 5)
      assert.equal((await store.watches.changedAfter(5, 10)).prunedTo, null)
      assert.equal(await prune(NOW + 2 * day + 1, 2), 1)
      assert.deepEqual(await store.watches.changedAfter(5, 10), { changes: [], prunedTo: 6 })
      assert.deepEqual(await store.watches.changedAfter(6, 10), { changes: [], prunedTo: null })
    })

    it('are not used by refused calls', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await store.watches.add(aWatch(2), 1)
      await store.watches.add(aWatch(2, { name: 'Roads 1' }), MAX_WATCHES)
      await store.watches.change('acc_1', watchId(9), {}, NOW)
      await store.watches.remove('acc_1', watchId(9))
      await store.watches.add(aWatch(2), MAX_WATCHES)
      assert.deepEqual(
        (await store.watches.changedAfter(0, 10)).changes.map((change) => change.revision),
        [1, 2],
      )
    })

    it('keep a follower up to date when many callers change watches at once', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      await withWatches(stores.at(0), 0)
      const followers = [0, 1, 2].map((index) => follow(stores.at(index)))
      const changing = Array.from({ length: 12 }, async (_, number) => {
        const { watches } = stores.at(number)
        await watches.add(aWatch(number), MAX_WATCHES)
        await watches.change('acc_1', watchId(number), { status: 'paused' }, NOW)
        if (number % 3 === 0) await watches.remove('acc_1', watchId(number))
      })
      await Promise.all(changing)
      const expected = new Map((await stores.at(0).watches.changedAfter(0, 100)).changes.map((each) => [each.id, each]))
      assert.equal(expected.size, 12)
      const last = 12 + 12 + 4
      assert.equal(Math.max(...[...expected.values()].map((each) => each.revision)), last, 'no gap')
      for (const follower of followers) assert.deepEqual(await follower.upTo(last), expected)
    })

    it('include a watch for every reader of a later event', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      await withWatches(stores.at(0), 0)
      const adding = Array.from({ length: 20 }, (_, number) =>
        stores.at(number).watches.add(aWatch(number), MAX_WATCHES),
      )
      const saving = Array.from({ length: 20 }, async (_, number) => {
        const store = stores.at(number + 1)
        const [event] = await store.incidents.save([created(number)], NOW)
        return {
          seq: event!.seq,
          seen: new Set((await store.watches.changedAfter(0, 100)).changes.map(({ id }) => id)),
        }
      })
      const watches = (await Promise.all(adding)).map((watch) => (typeof watch === 'object' ? watch : null)!)
      for (const { seq, seen } of await Promise.all(saving)) {
        for (const watch of watches) if (watch.createdSeq < seq) assert(seen.has(watch.id))
      }
    })

    it('notify listeners, in another store too', async () => {
      await using database = await newDatabase()
      await using store = await database.open({ sqlite: { pollInterval: 5 } })
      await using other = database.shared ? await database.open() : null
      let woken = 0
      const stop = store.watches.onChange(() => woken++)
      await withWatches(store, 1)
      await until(() => woken > 0)
      let seen: readonly WatchChange[] = []
      const stopOther = store.watches.onChange(async () => {
        seen = (await store.watches.changedAfter(0, 10)).changes
      })
      await (other ?? store).watches.add(aWatch(2), MAX_WATCHES)
      await until(() => seen.length === 2)
      stop()
      stopOther()
    })
  })
}

/** Follows the revisions like a node's watch index. */
function follow(store: Store) {
  const index = new Map<string, WatchChange>()
  const goal = { revision: Number.POSITIVE_INFINITY }
  const following = (async () => {
    for (let seen = 0; seen < goal.revision; ) {
      for (const change of (await store.watches.changedAfter(seen, 5)).changes) {
        assert(change.revision > seen)
        index.set(change.id, change)
        seen = change.revision
      }
    }
    return index
  })()
  return {
    upTo(revision: number) {
      goal.revision = revision
      return following
    },
  }
}

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
