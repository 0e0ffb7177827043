import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importPlaces, PlacesRefused } from '../../../src/desk/gazetteer/import-places.ts'
import { parseFeature, parseGeoNamesLine } from '../../../src/desk/gazetteer/place-files.ts'
import { estimatedLocate } from '../../../src/geo/geography.ts'
import type { Store } from '../../../src/store/store.ts'
import { openMemoryStore } from '../../support/databases/stores.ts'
import { aLine } from '../importing/formats/fixtures.ts'

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

  it('stores nothing of a file with a name that no database can hold', async () => {
    await using store = await openMemoryStore()
    const feature = { type: 'Feature', id: 'n1', geometry: { type: 'Point', coordinates: [7, 10] } }
    const inJson = JSON.stringify({ ...feature, properties: { name: 'Kaya', alt_name: 'Ka\ud800', place: 'village' } })
    for (const text of [`${lines(1)}\n${aLine({ id: '9', name: 'Ka\0ya' })}`, inJson])
      await assert.rejects(importText(store, text), /a name contains a NUL character or half of a surrogate pair/)
    assert.equal(await store.gazetteer.count(), 0)
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

describe('a line of GeoNames', () => {
  it('is a place with its aliases in Latin letters, each once', () => {
    const parsed = parseGeoNamesLine(aLine({ others: 'Gandu,GWANDU,غوندو,Gandu', population: '10018' }))
    assert.deepEqual(parsed, {
      kind: 'place',
      sourceId: '1',
      name: 'Gwandu',
      aliases: ['Gandu'],
      placeKind: 'settlement',
      lat: 12.49,
      lng: 4.64,
      population: 10018,
      radiusKm: null,
    })
  })

  for (const [code, kind] of [
    ['P.PPLA', 'settlement'],
    ['V.FRST', 'forest'],
    ['L.RESF', 'forest'],
    ['H.STM', 'river'],
    ['H.LK', 'lake'],
    ['T.MT', 'mountain'],
    ['S.MKT', 'market'],
    ['L.MILB', 'camp'],
    ['R.RD', 'road'],
  ] as const) {
    it(`with the code ${code} is a ${kind}`, () => {
      const parsed = parseGeoNamesLine(aLine({ code }))
      assert.equal(parsed.kind === 'place' && parsed.placeKind, kind)
    })
  }

  for (const code of ['P.PPLH', 'P.PPLQ', 'A.ADM2', 'S.SCH']) {
    it(`with the code ${code} is left out`, () => {
      assert.deepEqual(parseGeoNamesLine(aLine({ code })), { kind: 'left_out', reason: 'kind' })
    })
  }

  for (const [line, reason] of [
    ['Gwandu,12.4,4.6', /1 columns.*has 19/],
    [aLine({ lat: '' }), /latitude/],
    [aLine({ lng: '200' }), /longitude/],
    [aLine({ id: 'geonameid' }), /the number of the place, not "geonameid"/],
    [aLine({ name: 'x'.repeat(121) }), /longer than 120/],
  ] as const) {
    it(`${JSON.stringify(line.slice(0, 30))} is a fault: ${reason}`, () => {
      const parsed = parseGeoNamesLine(line)
      assert.match(parsed.kind === 'rejected' ? parsed.reason : '', reason)
    })
  }
})

describe('a feature of OpenStreetMap', () => {
  const feature = (properties: object, coordinates: unknown = [7.41, 10.41], more: object = {}) =>
    parseFeature({ type: 'Feature', properties, geometry: { type: 'Point', coordinates }, ...more })

  it('is a place with its other names', () => {
    const properties = {
      name: 'Gonin Gora',
      place: 'village',
      alt_name: 'Goningora Layout;Gonin',
      'name:ha': 'Gwanin Gora',
      population: '1,200',
    }
    assert.deepEqual(feature(properties, undefined, { id: 'node/1' }), {
      kind: 'place',
      sourceId: 'node/1',
      name: 'Gonin Gora',
      aliases: ['Goningora Layout', 'Gonin', 'Gwanin Gora'],
      placeKind: 'settlement',
      lat: 10.41,
      lng: 7.41,
      population: 1200,
      radiusKm: null,
    })
  })

  for (const [properties, kind] of [
    [{ place: 'hamlet' }, 'settlement'],
    [{ natural: 'wood' }, 'forest'],
    [{ landuse: 'forest' }, 'forest'],
    [{ boundary: 'national_park' }, 'forest'],
    [{ waterway: 'river' }, 'river'],
    [{ natural: 'water' }, 'lake'],
    [{ natural: 'peak' }, 'mountain'],
    [{ amenity: 'marketplace' }, 'market'],
    [{ amenity: 'refugee_site' }, 'camp'],
    [{ highway: 'trunk' }, 'road'],
    [{ kind: 'camp' }, 'camp'],
    [{ tags: { place: 'town' } }, 'settlement'],
  ] as const) {
    it(`with ${JSON.stringify(properties)} is a ${kind}`, () => {
      const parsed = feature({ name: 'Kaya', ...properties })
      assert.equal(parsed.kind === 'place' && parsed.placeKind, kind)
    })
  }

  it('that is a line or an area has its middle and its extent', () => {
    const square = [
      [
        [8, 9],
        [8.2, 9],
        [8.2, 9.2],
        [8, 9.2],
        [8, 9],
      ],
    ]
    const parsed = feature({ name: 'Kagoro Forest', landuse: 'forest' }, square)
    assert.ok(parsed.kind === 'place')
    assert.deepEqual([parsed.lat, parsed.lng], [9.1, 8.1])
    assert.ok(parsed.radiusKm! > 14 && parsed.radiusKm! < 17, String(parsed.radiusKm))
  })

  it('takes the English name where the name has no Latin letter, and knows a road by its number', () => {
    const parsed = feature({ name: 'طريق', 'name:en': 'Kaduna Road', highway: 'trunk', ref: 'A2' })
    assert.ok(parsed.kind === 'place')
    assert.deepEqual([parsed.name, parsed.aliases], ['Kaduna Road', ['A2']])
  })

  it('has the same identity each time, also where the file gives none', () => {
    const one = feature({ name: 'Kaya', place: 'village' })
    const other = feature({ name: 'Kaya', place: 'village' })
    const elsewhere = feature({ name: 'Kaya', place: 'village' }, [7.5, 10.41])
    assert.ok(one.kind === 'place' && other.kind === 'place' && elsewhere.kind === 'place')
    assert.equal(one.sourceId, other.sourceId)
    assert.notEqual(one.sourceId, elsewhere.sourceId)
  })

  it('is left out without a name, a kind or a geometry; a wrong geometry is a fault', () => {
    assert.deepEqual(feature({ place: 'village' }), { kind: 'left_out', reason: 'unnamed' })
    assert.deepEqual(feature({ name: 'A school', amenity: 'school' }), { kind: 'left_out', reason: 'kind' })
    assert.deepEqual(feature({ name: 'Kaya', place: 'village' }, undefined, { geometry: null }), {
      kind: 'left_out',
      reason: 'geometry',
    })
    assert.equal(feature({ name: 'Kaya', place: 'village' }, ['7', '10']).kind, 'rejected')
    assert.equal(feature({ name: 'Kaya', place: 'village' }, [7, 100]).kind, 'rejected')
    assert.equal(parseFeature({ type: 'Point' }).kind, 'rejected')
    let deep: unknown = [7, 10]
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    assert.equal(feature({ name: 'Kaya', place: 'village' }, deep).kind, 'place')
  })
})
