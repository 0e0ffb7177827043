import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SavedArea } from '../../../src/domain/area.ts'
import type { StoredPlace } from '../../../src/domain/places.ts'
import type { Site, SiteList } from '../../../src/domain/sites.ts'
import type { NewAuditEntry, Store } from '../../../src/store/store.ts'
import { type EmptyDatabase, openSeveral } from '../databases.ts'
import { aWatch, MAX_WATCHES, NOW, until, watchId, withWatches } from '../fixtures.ts'

const MAX_AREAS = 100
const CIRCLE = '{"near":[10.5,7.4],"radius_km":25}'
const ROUTE = '{"route":{"line":[[7.49,9.06],[7.44,10.52]],"buffer_km":5}}'

const areaId = (number: number) => `are_${String(number).padStart(6, '0')}`

function anArea(number = 1, changes: Partial<SavedArea> = {}): SavedArea {
  const times = { createdAt: NOW + number, updatedAt: NOW + number }
  return { id: areaId(number), accountId: 'acc_1', name: `Area ${number}`, shape: CIRCLE, ...times, ...changes }
}

const inArea = (number: number) => ({
  filter: { given: `{"area":"${areaId(number)}"}`, canonical: '{"state":["NG-KD"]}', areaId: areaId(number) },
})

export function areasConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('areas', () => {
    it('are stored as given, and found by their account only', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      const area = anArea(1, { name: `Ọ̀ṣun'; DROP TABLE areas -- \u{1F30D}` })
      assert.equal(await store.areas.add(area, MAX_AREAS), true)
      assert.deepEqual(await store.areas.find('acc_1', area.id), { ...area, watches: 0 })
      assert.equal(await store.areas.find('acc_2', area.id), null)
      assert.equal(await store.areas.change('acc_2', area.id, { name: 'Mine' }, NOW), null)
      assert.equal(await store.areas.remove('acc_2', area.id), null)
      assert.deepEqual(await store.areas.list('acc_2', 10, null), [])
      assert.equal(
        await store.watches.add(aWatch(1, { ...inArea(1), accountId: 'acc_2' }), MAX_WATCHES),
        'unknown_area',
      )
      assert.deepEqual(await store.areas.find('acc_1', area.id), { ...area, watches: 0 })
    })

    it('have unique names within an account, and are counted', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      await store.areas.add(anArea(1), 2)
      assert.equal(await store.areas.add(anArea(2, { name: 'Area 1' }), 2), 'name_taken')
      assert.equal(await store.areas.add(anArea(2), 2), true)
      assert.equal(await store.areas.add(anArea(3), 2), 'too_many')
      assert.equal(await store.areas.add(anArea(3, { accountId: 'acc_2', name: 'Area 1' }), 2), true)
      assert.equal(await store.areas.change('acc_1', areaId(2), { name: 'Area 1' }, NOW), 'name_taken')
      const renamed = await store.areas.change('acc_1', areaId(2), { name: 'Area 4' }, NOW + 9)
      assert.deepEqual(renamed, { ...anArea(2), name: 'Area 4', updatedAt: NOW + 9, watches: 0 })
    })

    it('are added one at a time, however many add at once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      const added = await Promise.all(Array.from({ length: 6 }, (_, number) => store.areas.add(anArea(number), 3)))
      assert.equal(added.filter((result) => result === true).length, 3)
    })

    it('are listed newest first, page by page, with the watches that use them', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      for (const number of [1, 2, 3]) await store.areas.add(anArea(number), MAX_AREAS)
      await store.watches.add(aWatch(1, inArea(2)), MAX_WATCHES)
      const page = async (limit: number, before: string | null) =>
        (await store.areas.list('acc_1', limit, before)).map(({ id, watches }) => [id, watches])
      assert.deepEqual(await page(2, null), [
        [areaId(3), 0],
        [areaId(2), 1],
      ])
      assert.deepEqual(await page(2, areaId(2)), [[areaId(1), 0]])
    })

    it('give their shape to the watches that use them, and change it with a new revision', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      await store.areas.add(anArea(1), MAX_AREAS)
      await store.watches.add(aWatch(1, inArea(1)), MAX_WATCHES)
      await store.watches.add(aWatch(2), MAX_WATCHES)
      await store.watches.add(aWatch(3, inArea(1)), MAX_WATCHES)
      const canonical = async (number: number) => (await store.watches.find('acc_1', watchId(number)))!.filter.canonical
      assert.equal(await canonical(1), '{"state":["NG-KD"],"near":[10.5,7.4],"radius_km":25}')
      const head = (await store.watches.changedAfter(0, 10)).changes.at(-1)!.revision
      let notified = 0
      const stop = store.watches.onChange(() => notified++)
      await store.areas.change('acc_1', areaId(1), { shape: ROUTE }, NOW + 5)
      await until(() => notified > 0)
      stop()
      const withRoute = `{"state":["NG-KD"],${ROUTE.slice(1)}`
      assert.deepEqual([await canonical(1), await canonical(3)], [withRoute, withRoute])
      assert.equal(await canonical(2), '{"state":["NG-KD"]}')
      const { changes } = await store.watches.changedAfter(head, 10)
      assert.deepEqual(
        changes.map(({ id, revision, watch }) => [id, revision, watch?.canonicalFilter]),
        [
          [watchId(1), head + 1, withRoute],
          [watchId(3), head + 2, withRoute],
        ],
      )
      await store.watches.add(aWatch(4), MAX_WATCHES)
      assert.deepEqual(
        (await store.watches.changedAfter(head + 2, 10)).changes.map(({ revision }) => revision),
        [head + 3],
      )
    })

    it('are left by a watch that gets another filter, and kept by one that is only renamed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      await store.areas.add(anArea(1), MAX_AREAS)
      await store.areas.add(anArea(2, { shape: ROUTE }), MAX_AREAS)
      await store.watches.add(aWatch(1, inArea(1)), MAX_WATCHES)
      const used = async (number: number) => (await store.areas.find('acc_1', areaId(number)))!.watches
      await store.watches.change('acc_1', watchId(1), { name: 'Renamed' }, NOW)
      assert.deepEqual([await used(1), await used(2)], [1, 0])
      await store.watches.change('acc_1', watchId(1), inArea(2), NOW)
      assert.deepEqual([await used(1), await used(2)], [0, 1])
      const unknown = await store.watches.change('acc_1', watchId(1), inArea(9), NOW)
      assert.equal(unknown, 'unknown_area')
      await store.watches.change('acc_1', watchId(1), { filter: { given: '{}', canonical: '{}' } }, NOW)
      assert.deepEqual([await used(1), await used(2)], [0, 0])
      assert.equal((await store.watches.find('acc_1', watchId(1)))!.filter.canonical, '{}')
    })

    it('are not removed while a watch uses them', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      await store.areas.add(anArea(1), MAX_AREAS)
      await store.watches.add(aWatch(1, inArea(1)), MAX_WATCHES)
      assert.deepEqual(await store.areas.remove('acc_1', areaId(1)), [{ id: watchId(1), name: 'Roads 1' }])
      assert.notEqual(await store.areas.find('acc_1', areaId(1)), null)
      await store.watches.remove('acc_1', watchId(1))
      assert.deepEqual(await store.areas.remove('acc_1', areaId(1)), [])
      assert.equal(await store.areas.find('acc_1', areaId(1)), null)
      assert.equal(await store.areas.remove('acc_1', areaId(1)), null)
    })

    it('are removed or used, never both, if both happen at once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      for (let number = 1; number <= 5; number++) {
        await store.areas.add(anArea(number), MAX_AREAS)
        const [added, removed] = await Promise.all([
          store.watches.add(aWatch(number, inArea(number)), MAX_WATCHES),
          store.areas.remove('acc_1', areaId(number)),
        ])
        assert.equal(added === 'unknown_area', removed?.length === 0)
      }
    })
  })
}

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

const START = { revision: 0, id: '' }
const EVERYTHING = { keyPrefix: null, kind: null, source: null }

function aPlace(number: number, changes: Partial<StoredPlace> = {}): StoredPlace {
  return {
    id: `plc_${number}`,
    source: 'geonames',
    sourceId: String(number),
    name: `Village ${number}`,
    key: `village${number}`,
    aliases: ['Other’s name', 'Ọ̀yọ́'],
    kind: 'settlement',
    lat: 9.125,
    lng: 7.5,
    population: 0,
    radiusKm: null,
    updatedAt: NOW,
    ...changes,
  }
}

function anAct(action: string, subject: string): NewAuditEntry {
  const by = { accountId: 'acc_1', keyId: 'key_1', name: 'Ada' }
  return { at: NOW, by, action, subject, note: null, before: null, after: null }
}

async function importPlaces(store: Store, id: string, places: readonly StoredPlace[]) {
  await store.gazetteer.stage(id, places)
  return store.gazetteer.applyStaged(id, NOW + 1, anAct('gazetteer.import', id))
}

export function gazetteerConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the gazetteer', () => {
    it('returns an added place as it was written, by name and to those who follow', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const place = aPlace(1, { source: 'desk', sourceId: null, kind: 'market', radiusKm: 1.5, population: 300 })
      assert.deepEqual(await store.gazetteer.add(place, 10, anAct('place.add', place.id)), place)
      assert.deepEqual(await store.gazetteer.find(place.id), place)
      assert.deepEqual(await store.gazetteer.list(EVERYTHING, null, 10), [place])
      assert.deepEqual(await store.gazetteer.changedAfter(START, 10), [{ place, revision: 1, removed: false }])
      assert.equal(await store.gazetteer.count(), 1)
      const nobody = { accountId: null, incidentId: null, from: null, to: null }
      const [entry] = await store.audit.list(nobody, null, 10)
      assert.deepEqual([entry?.action, entry?.subject, entry?.by.name], ['place.add', place.id, 'Ada'])
    })

    it('refuses a place of the desk beyond the limit, and records nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await importPlaces(store, 'one', [aPlace(1), aPlace(2)])
      const desk = { source: 'desk', sourceId: null } as const
      await store.gazetteer.add(aPlace(3, desk), 1, anAct('place.add', 'plc_3'))
      assert.equal(await store.gazetteer.add(aPlace(4, desk), 1, anAct('place.add', 'plc_4')), 'too_many')
      assert.equal(await store.gazetteer.find('plc_4'), null)
      assert.equal(await store.gazetteer.count(), 3)
      const entries = await store.audit.list({ accountId: 'acc_1', incidentId: null, from: null, to: null }, null, 10)
      assert.deepEqual(
        entries.map(({ subject }) => subject),
        ['plc_3', 'one'],
      )
    })

    it('shows nothing of an import before it is applied; applying it again changes nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const places = [aPlace(1), aPlace(2), aPlace(2, { name: 'Of the same id' })]
      assert.equal(await store.gazetteer.stage('one', places), 2)
      assert.deepEqual(await store.gazetteer.changedAfter(START, 10), [])
      const none = { added: 0, changed: 0, unchanged: 0, removed: 0 }
      const act = anAct('gazetteer.import', 'one')
      assert.deepEqual(await store.gazetteer.applyStaged('one', NOW + 1, act), { ...none, added: 2 })
      const changes = await store.gazetteer.changedAfter(START, 10)
      assert.deepEqual(
        changes.map(({ place, revision }) => [place.name, place.updatedAt, revision]),
        [
          ['Village 1', NOW + 1, 1],
          ['Village 2', NOW + 1, 1],
        ],
      )
      assert.deepEqual(await importPlaces(store, 'two', places), { ...none, unchanged: 2 })
      assert.deepEqual(await store.gazetteer.changedAfter(START, 10), changes)
      const other = [aPlace(1), aPlace(2, { aliases: [] }), aPlace(3)]
      assert.deepEqual(await importPlaces(store, 'three', other), { added: 1, changed: 1, unchanged: 1, removed: 0 })
      assert.deepEqual(
        (await store.gazetteer.changedAfter({ revision: 1, id: 'plc_2' }, 10)).map(({ place }) => place.id),
        ['plc_2', 'plc_3'],
      )
    })

    it('tells those who follow of a removed place; an import does not bring it back', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await importPlaces(store, 'one', [aPlace(1), aPlace(2)])
      assert.equal(await store.gazetteer.remove('plc_1', NOW + 2, anAct('place.remove', 'plc_1')), true)
      assert.equal(await store.gazetteer.remove('plc_1', NOW + 2, anAct('place.remove', 'plc_1')), false)
      assert.equal(await store.gazetteer.find('plc_1'), null)
      assert.deepEqual(
        (await store.gazetteer.list(EVERYTHING, null, 10)).map(({ id }) => id),
        ['plc_2'],
      )
      const [change] = await store.gazetteer.changedAfter({ revision: 1, id: '~' }, 10)
      assert.deepEqual([change?.place.id, change?.removed], ['plc_1', true])
      const again = await importPlaces(store, 'two', [aPlace(1, { name: 'Another' }), aPlace(2)])
      assert.deepEqual(again, { added: 0, changed: 0, unchanged: 1, removed: 1 })
      assert.equal(await store.gazetteer.find('plc_1'), null)
    })

    it('lists by name in pages, by its beginning, kind and source', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const named = (number: number, key: string, changes: Partial<StoredPlace> = {}) =>
        aPlace(number, { key, name: key, ...changes })
      await importPlaces(store, 'one', [
        named(1, 'kaya'),
        named(2, 'kaura'),
        named(3, 'kaya', { kind: 'forest' }),
        named(4, 'zuru'),
      ])
      const ids = async (...query: Parameters<Store['gazetteer']['list']>) =>
        (await store.gazetteer.list(...query)).map(({ id }) => id)
      assert.deepEqual(await ids(EVERYTHING, null, 2), ['plc_2', 'plc_1'])
      assert.deepEqual(await ids(EVERYTHING, { key: 'kaya', id: 'plc_1' }, 10), ['plc_3', 'plc_4'])
      assert.deepEqual(await ids({ ...EVERYTHING, keyPrefix: 'kay' }, null, 10), ['plc_1', 'plc_3'])
      assert.deepEqual(await ids({ ...EVERYTHING, kind: 'forest' }, null, 10), ['plc_3'])
      assert.deepEqual(await ids({ ...EVERYTHING, source: 'desk' }, null, 10), [])
    })

    it('forgets imports that never ended', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.gazetteer.stage('lost', [aPlace(1)])
      await store.gazetteer.stage('refused', [aPlace(2, { updatedAt: NOW + 10 })])
      await store.gazetteer.stage('running', [aPlace(3, { updatedAt: NOW + 10 })])
      await store.gazetteer.discardStaged(NOW + 5, 'refused')
      for (const [id, added] of [
        ['lost', 0],
        ['refused', 0],
        ['running', 1],
      ] as const) {
        const counts = await store.gazetteer.applyStaged(id, NOW, anAct('gazetteer.import', id))
        assert.equal(counts.added, added, id)
      }
    })

    it('tells other stores that something changed', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      let notified = 0
      const stop = stores.at(1).gazetteer.onChange(() => notified++)
      const add = (number: number) =>
        stores.at(number).gazetteer.add(aPlace(number, { source: 'desk' }), 10, anAct('place.add', `plc_${number}`))
      await Promise.all([1, 2, 3, 4, 5, 6].map(add))
      const changes = await stores.at(1).gazetteer.changedAfter(START, 100)
      assert.deepEqual(
        changes.map(({ revision }) => revision),
        [1, 2, 3, 4, 5, 6],
      )
      await until(() => notified > 0)
      stop()
    })
  })
}
