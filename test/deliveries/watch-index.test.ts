import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { ChangedFilters, WatchIndex } from '../../src/deliveries/watch-index.ts'
import { indexedFieldsOf } from '../../src/filter/filter.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import type { Store } from '../../src/store/store.ts'
import { appendTo, aWatch, MAX_WATCHES, NOW, watchId, withWatches } from '../store/fixtures.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { anIncident } from '../support/incident.ts'

const facts = indexedFieldsOf(anIncident())
let store: Store
let index: WatchIndex
let errors: unknown[]
beforeEach(async () => {
  store = await openMemoryStore()
  errors = []
  index = new WatchIndex(store, places, (error) => errors.push(error))
  await withWatches(store, 3)
  await index.catchUp()
})
afterEach(() => store[Symbol.asyncDispose]())

const watchesFor = (seq = 1) => index.watchesFor('incident.created', seq, { fields: facts, earlier: [], ids: [] })

describe('the index of watches', () => {
  it('returns the watches that match an event, in order', () => {
    assert.deepEqual(watchesFor(), [1, 2, 3].map(watchId))
    assert.deepEqual(index.watchesFor('incident.updated', 1, { fields: facts, earlier: [], ids: [] }), [])
    assert.deepEqual(index.size, { watches: 3, filters: 1 })
  })

  it('follows the pausing, resuming, changing and removing of watches', async () => {
    await store.watches.change('acc_1', watchId(1), { status: 'paused' }, NOW)
    await store.watches.change(
      'acc_1',
      watchId(2),
      { filter: { given: '{"state":"kano"}', canonical: '{"state":["NG-KN"]}' } },
      NOW,
    )
    await store.watches.remove('acc_1', watchId(3))
    assert.equal(watchesFor().length, 3, 'as of the last time it was brought up')
    await index.catchUp()
    assert.deepEqual(watchesFor(), [])
    await store.watches.change('acc_1', watchId(1), { status: 'active' }, NOW)
    await index.catchUp()
    assert.deepEqual(watchesFor(), [watchId(1)])
    assert.deepEqual(index.size, { watches: 2, filters: 2 })
  })

  it('reads a list of sites once for all its watches, again when it has other sites, and drops it with the last', async () => {
    const { lat: latitude, lng: longitude } = facts
    const here = { name: 'Depot', latitude, longitude, radiusKm: 5, reference: null }
    const away = { ...here, latitude: latitude + 1 }
    const times = { createdAt: NOW, updatedAt: NOW }
    const list = { id: 'sit_1', accountId: 'acc_1', name: 'List', size: 1, version: 1, ...times }
    await store.siteLists.add(list, [here], 9)
    const ofSites = (canonical: string) => ({ filter: { given: '{}', canonical, siteListId: 'sit_1' } })
    let reads = 0
    const { version } = store.siteLists
    const positions = (accountId: string, id: string) => {
      reads++
      return store.siteLists.positions(accountId, id)
    }
    index = new WatchIndex({ watches: store.watches, siteLists: { version, positions } }, places, (error) =>
      errors.push(error),
    )
    for (const number of [1, 2, 3]) await store.watches.remove('acc_1', watchId(number))
    await store.watches.add(aWatch(4, ofSites('{}')), MAX_WATCHES)
    await store.watches.add(aWatch(5, ofSites('{"min_confidence":0}')), MAX_WATCHES)
    await index.catchUp()
    assert.deepEqual([watchesFor(), reads], [[4, 5].map(watchId), 1])
    await store.siteLists.change('acc_1', 'sit_1', { name: 'List', sites: [away] }, NOW)
    await index.catchUp()
    assert.deepEqual([watchesFor(), reads], [[], 2])
    await store.siteLists.change('acc_1', 'sit_1', { name: 'List', sites: [away, here] }, NOW)
    await index.catchUp()
    assert.deepEqual([watchesFor(), reads], [[4, 5].map(watchId), 3])
    for (const number of [4, 5]) await store.watches.remove('acc_1', watchId(number))
    await store.watches.add(aWatch(6, ofSites('{}')), MAX_WATCHES)
    await index.catchUp()
    assert.deepEqual([watchesFor(), reads, errors], [[watchId(6)], 4, []])
  })

  it('reads all watches again after it was away while removals were pruned', async () => {
    const away = new WatchIndex(store, places, (error) => errors.push(error))
    await away.catchUp()
    await store.watches.remove('acc_1', watchId(3))
    await store.deliveries.deleteExpired(0, 10)
    await store.watches.pruneRemoved(NOW, NOW, 10)
    assert.equal(await store.watches.pruneRemoved(NOW, NOW + 1, 10), 1)
    let reads = 0
    const counted = new WatchIndex(
      {
        siteLists: store.siteLists,
        watches: {
          changedAfter: (revision, limit) => {
            reads++
            return store.watches.changedAfter(revision, limit)
          },
        },
      },
      places,
      (error) => errors.push(error),
    )
    await away.catchUp()
    assert.deepEqual(
      away.watchesFor('incident.created', 1, { fields: facts, earlier: [], ids: [] }),
      [1, 2].map(watchId),
    )
    await counted.catchUp()
    await counted.catchUp()
    assert.equal(reads, 2, 'the pruned removal is no reason to read everything each time')
    assert.deepEqual(errors, [])
  })

  it('matches no event older than the watch', async () => {
    await appendTo(store, 4)
    await store.watches.add(aWatch(4), MAX_WATCHES)
    await index.catchUp()
    assert.equal(watchesFor(4).length, 3)
    assert.equal(watchesFor(5).length, 4)
  })

  it('skips a watch with an invalid filter, reports it, and continues with the others', async () => {
    const filter = { given: '{}', canonical: '{"state":["NG-XX"]}' }
    await store.watches.add(aWatch(4, { filter }), MAX_WATCHES)
    await store.watches.add(aWatch(5), MAX_WATCHES)
    await index.catchUp()
    assert.deepEqual(watchesFor(), [1, 2, 3, 5].map(watchId))
    assert.match(String(errors[0]), new RegExp(`${watchId(4)} is ignored`))
  })
})

describe('watches whose filter was changed', () => {
  it('are those since an event, however often they were changed or removed', () => {
    const changed = new ChangedFilters()
    const expected = new Map<string, number>()
    const random = seededRandom(20_261_117)
    const below = (limit: number) => Math.floor(random() * limit)
    for (let step = 0; step < 20_000; step++) {
      const watchId = `wat_${below(300)}`
      // Mostly in order, as changes are read; not at first, when all watches are read at once.
      const seq = step < 200 ? below(200) : step - below(3)
      if (below(5) === 0) {
        changed.delete(watchId)
        expected.delete(watchId)
      } else {
        changed.set(watchId, seq)
        if (seq === 0) expected.delete(watchId)
        else expected.set(watchId, seq)
      }
      if (step % 50 !== 0) continue
      const since = Math.max(1, step - below(400))
      const ids = [...expected].filter(([, at]) => at >= since).map(([id]) => id)
      assert.deepEqual(changed.since(since).sort(), ids.sort())
      assert.equal(changed.isEmpty, expected.size === 0)
    }
  })
})
