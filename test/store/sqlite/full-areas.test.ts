import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MAX_WATCHES_PER_AREA } from '../../../src/domain/area.ts'
import { MAX_WATCHES_PER_SITE_LIST } from '../../../src/domain/sites.ts'
import { openMemoryStore } from '../../support/databases/memory-store.ts'
import { NOW } from '../fixtures.ts'
import { aWatch, watchId, withWatches } from '../watch-fixtures.ts'

const MAX = 10_000
const times = { accountId: 'acc_1', createdAt: NOW, updatedAt: NOW }
const AREA = { id: 'are_1', name: 'Depot', shape: '{"near":[10.5,7.4],"radius_km":25}', ...times }
const LIST = { id: 'sit_1', name: 'Depots', size: 1, version: 1, ...times }
const SITE = { name: 'Depot', latitude: 10.5, longitude: 7.4, radiusKm: 5, reference: null }
const given = { given: '{}', canonical: '{}' }

it('an area and a list with as many watches as they take refuse others, and let their own be changed', async () => {
  assert.equal(MAX_WATCHES_PER_AREA, MAX_WATCHES_PER_SITE_LIST)
  await using store = await openMemoryStore()
  await withWatches(store, 0)
  await store.areas.add(AREA, 1)
  await store.siteLists.add(LIST, [SITE], 1)
  const both = { ...given, areaId: AREA.id, siteListId: LIST.id }
  for (let number = 1; number <= MAX_WATCHES_PER_AREA; number++)
    assert.equal(typeof (await store.watches.add(aWatch(number, { filter: both }), MAX)), 'object')
  const next = MAX_WATCHES_PER_AREA + 1
  const { watches } = store
  assert.equal(await watches.add(aWatch(next, { filter: { ...given, areaId: AREA.id } }), MAX), 'area_full')
  assert.equal(await watches.add(aWatch(next, { filter: { ...given, siteListId: LIST.id } }), MAX), 'sites_full')
  const paused = await watches.change('acc_1', watchId(7), { status: 'paused', filter: both }, NOW)
  assert.equal(typeof paused === 'object' && paused?.status, 'paused')
})
