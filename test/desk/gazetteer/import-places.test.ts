import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importPlaces, PlacesRefused } from '../../../src/desk/gazetteer/import-places.ts'
import { estimatedLocate } from '../../../src/geo/locating/locate.ts'
import type { Store } from '../../../src/store/store.ts'
import { openMemoryStore } from '../../support/databases/memory-store.ts'
import { aLine } from './a-line.ts'

const locate = estimatedLocate()
let imports = 0

function importText(store: Store, text: string, chunk = 1000) {
  async function* open() {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  }
  const options = { importId: `import ${++imports}`, locate, now: 1_700_000_000_000, fileName: 'NG.txt' }
  return importPlaces(store, open, options)
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, number) =>
    aLine({ id: String(number), name: `Village ${number}`, lat: String(9 + (number % 100) / 100) }),
  ).join('\n')

describe('an import of places', () => {
  it('adds all of a file; the same file again changes nothing', async () => {
    await using store = await openMemoryStore()
    const first = await importText(store, lines(2500))
    assert.deepEqual([first.source, first.read, first.added], ['geonames', 2500, 2500])
    const head = await store.gazetteer.changedAfter({ revision: 0, id: '' }, 3000)
    const second = await importText(store, lines(2500), 77)
    assert.deepEqual([second.added, second.changed, second.unchanged], [0, 0, 2500])
    assert.deepEqual(await store.gazetteer.changedAfter({ revision: 0, id: '' }, 3000), head)
  })

  it('stores nothing of a file with faults, and names their lines', async () => {
    await using store = await openMemoryStore()
    const text = `${lines(1500)}\n${aLine({ id: 'x' })}\n\nnonsense\n${lines(10)}`
    await assert.rejects(importText(store, text), (error) => {
      assert.ok(error instanceof PlacesRefused)
      assert.match(error.message, /^nothing was imported.*\nline 1501: the first column.*\nline 1503: has 1 columns/)
      return true
    })
    assert.equal(await store.gazetteer.count(), 0)
    assert.equal((await importText(store, lines(1))).added, 1)
    assert.equal(await store.gazetteer.count(), 1)
  })

  it('names at most twenty faults', async () => {
    await using store = await openMemoryStore()
    const error: Error = await importText(store, 'nonsense\n'.repeat(100_000)).then(
      () => assert.fail('it was imported'),
      (thrown: Error) => thrown,
    )
    assert.equal(error.message.split('\n').length, 22)
  })

  it('leaves out places of other countries, and says how many', async () => {
    await using store = await openMemoryStore()
    const done = await importText(
      store,
      [aLine(), aLine({ id: '2', lat: '48.8', lng: '2.3' }), aLine({ id: '3', code: 'S.SCH' })].join('\r\n'),
    )
    assert.deepEqual([done.added, done.leftOut.outside, done.leftOut.kind], [1, 1, 1])
  })

  it('reads GeoJSON, in any pieces, and names the feature that has a fault', async () => {
    await using store = await openMemoryStore()
    const feature = (name: string, coordinates: unknown) => ({
      type: 'Feature',
      properties: { name, place: 'village' },
      geometry: { type: 'Point', coordinates },
    })
    const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
    const good = collection(feature('Kaya', [7.5, 11.2]), feature('Kaya', [7.5, 11.2]), feature('Ọ̀wọ̀', [5.58, 7.19]))
    const done = await importText(store, good, 13)
    assert.deepEqual([done.source, done.added, done.repeated], ['geojson', 2, 1])
    const bad = collection(feature('One', [7.5, 11.2]), feature('Two', 'here'))
    await assert.rejects(importText(store, bad), /feature 2: the geometry has no positions/)
    await assert.rejects(importText(store, good.slice(0, -40)), /nothing was imported/)
    assert.equal(await store.gazetteer.count(), 2)
  })

  it('refuses a file that is empty, packed or has no place', async () => {
    await using store = await openMemoryStore()
    await assert.rejects(importText(store, ''), /the file is empty/)
    await assert.rejects(importText(store, 'PK\u0003\u0004 a spreadsheet'), /ZIP archive/)
    await assert.rejects(importText(store, '{"type":"FeatureCollection","features":[]}'), /the file has no place/)
    await assert.rejects(importText(store, aLine({ code: 'S.SCH' })), /no place; left out: 1 of a kind/)
  })
})
