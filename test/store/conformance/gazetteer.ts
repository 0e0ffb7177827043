import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StoredPlace } from '../../../src/domain/places.ts'
import type { NewAuditEntry, Store } from '../../../src/store/store.ts'
import { until } from '../../support/app.ts'
import { type EmptyDatabase, openSeveral } from '../empty-database.ts'
import { NOW } from '../fixtures.ts'

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
