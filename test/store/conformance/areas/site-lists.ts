import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Site, SiteList } from '../../../../src/domain/sites/site.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'
import { aWatch, MAX_WATCHES, watchId, withWatches } from '../../watch-fixtures.ts'

const ONE: Site = { name: `Ọ̀ṣun'; -- \u{1F30D}`, latitude: 10.123456, longitude: 7.4, radiusKm: 25.5, reference: 'A' }
const TWO: Site = { name: 'Port', latitude: 6.5, longitude: 3.4, radiusKm: 5, reference: null }

const listId = (number: number) => `sit_${String(number).padStart(6, '0')}`

function aList(number = 1, changes: Partial<SiteList> = {}): SiteList {
  const times = { createdAt: NOW + number, updatedAt: NOW + number }
  return { id: listId(number), accountId: 'acc_1', name: `List ${number}`, size: 2, version: 1, ...times, ...changes }
}

const ofList = (number: number) => ({
  filter: { given: `{"sites":"${listId(number)}"}`, canonical: '{"state":["NG-KD"]}', siteListId: listId(number) },
})

export function siteListsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('lists of sites', () => {
    it('are stored as given, and found by their account only', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      const { siteLists } = store
      assert.equal(await siteLists.add(aList(), [ONE, TWO], 2), true)
      assert.equal(await siteLists.add(aList(2, { name: 'List 1' }), [ONE], 2), 'name_taken')
      assert.equal(await siteLists.add(aList(2), [TWO], 2), true)
      assert.equal(await siteLists.add(aList(3), [ONE], 2), 'too_many')
      assert.deepEqual(await siteLists.find('acc_1', listId(1)), { ...aList(), watches: 0 })
      assert.deepEqual(
        (await siteLists.list('acc_1', 10, null)).map(({ id }) => id),
        [listId(2), listId(1)],
      )
      assert.equal(await siteLists.count('acc_1'), 2)
      const list = { ...aList(), watches: 0 }
      assert.deepEqual(await siteLists.page('acc_1', listId(1), 0, 10), { list, sites: [ONE, TWO] })
      assert.deepEqual(await siteLists.page('acc_1', listId(1), 1, 10), { list, sites: [TWO] })
      assert.deepEqual(await siteLists.names(listId(1), 1, [1, 7]), [{ number: 1, name: 'Port', reference: null }])
      assert.deepEqual(await siteLists.names(listId(1), 2, [1]), [])
      for (const read of [siteLists.find, siteLists.positions, siteLists.version, siteLists.remove])
        assert.equal(await read('acc_2', listId(1)), null)
      assert.equal(await siteLists.page('acc_2', listId(1), 0, 10), null)
      assert.equal(await siteLists.change('acc_2', listId(1), { name: 'Mine', sites: [ONE] }, NOW), null)
      const strange = aWatch(1, { ...ofList(1), accountId: 'acc_2' })
      assert.equal(await store.watches.add(strange, MAX_WATCHES), 'unknown_sites')
    })

    it('give their watches the new version with a new revision, and stay while a watch uses them', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      const { siteLists, watches } = store
      await siteLists.add(aList(), [ONE, TWO], 2)
      await watches.add(aWatch(1, ofList(1)), MAX_WATCHES)
      const canonical = async () => (await watches.find('acc_1', watchId(1)))!.filter.canonical
      assert.equal(await canonical(), `{"state":["NG-KD"],"sites":"${listId(1)}@1"}`)
      const { changes } = await watches.changedAfter(0, 10)
      const changed = await siteLists.change('acc_1', listId(1), { name: 'Other', sites: [TWO] }, NOW + 10)
      const expected = { ...aList(1, { name: 'Other', size: 1, version: 2, updatedAt: NOW + 10 }), watches: 1 }
      assert.deepEqual(changed, expected)
      assert.deepEqual(await siteLists.find('acc_1', listId(1)), expected)
      assert.equal(await canonical(), `{"state":["NG-KD"],"sites":"${listId(1)}@2"}`)
      assert.equal((await watches.changedAfter(changes.at(-1)!.revision, 10)).changes.length, 1)
      assert.deepEqual((await siteLists.page('acc_1', listId(1), 0, 10))!.sites, [TWO])
      assert.deepEqual(await siteLists.names(listId(1), 1, [0]), [])
      assert.equal((await siteLists.names(listId(1), 2, [0]))[0]!.name, 'Port')
      const positions = await siteLists.positions('acc_1', listId(1))
      assert.deepEqual([positions!.version, positions!.positions.length], [2, 12])
      assert.deepEqual(
        (await siteLists.remove('acc_1', listId(1)))!.map(({ id }) => id),
        [watchId(1)],
      )
      await watches.change('acc_1', watchId(1), { filter: { given: '{}', canonical: '{}' } }, NOW)
      assert.deepEqual(await siteLists.remove('acc_1', listId(1)), [])
      assert.equal(await siteLists.find('acc_1', listId(1)), null)
    })
  })
}
