import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSiteIndex } from '../../../src/api/request.ts'
import { NOW, withWatches } from '../../store/fixtures.ts'
import { openMemoryStore } from '../../support/databases/stores.ts'

describe('lists of sites in questions', () => {
  it('are read once until they are changed, and only by their own account', async () => {
    await using store = await openMemoryStore()
    await withWatches(store, 0)
    const site = { name: 'Depot', latitude: 10, longitude: 7, radiusKm: 5, reference: null }
    const times = { createdAt: NOW, updatedAt: NOW }
    await store.siteLists.add(
      { id: 'sit_1', accountId: 'acc_1', name: 'List', size: 1, version: 1, ...times },
      [site],
      9,
    )
    let reads = 0
    const { version } = store.siteLists
    const positions = (accountId: string, id: string) => {
      reads++
      return store.siteLists.positions(accountId, id)
    }
    const lists = { version, positions }
    const first = await readSiteIndex(lists, 'acc_1', 'sit_1')
    assert.equal(await readSiteIndex(lists, 'acc_1', 'sit_1'), first)
    assert.equal(reads, 1)
    assert.equal(await readSiteIndex(lists, 'acc_2', 'sit_1'), null)
    await store.siteLists.change('acc_1', 'sit_1', { name: 'List', sites: [site, { ...site, latitude: 11 }] }, NOW)
    const second = await readSiteIndex(lists, 'acc_1', 'sit_1')
    assert.equal(second!.sitesNear(11, 7, 5).count, 1)
    await store.siteLists.remove('acc_1', 'sit_1')
    assert.equal(await readSiteIndex(lists, 'acc_1', 'sit_1'), null)
  })
})
