import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boundariesOf, matchAreas, readBoundaries, readFeatures } from '../../src/geo/boundaries.ts'
import type { LgaRecord } from '../../src/geo/data.ts'
import { openGeography } from '../../src/geo/geography.ts'
import { boundaryLocate, estimatedLocate } from '../../src/geo/locate.ts'
import { places } from '../../src/geo/places.ts'
import { boxFeatures, collection, square } from './boundaries-fixture.ts'
import { absent, boundaryText } from './truth.ts'

const estimated = estimatedLocate()
const named = (name: string, ...rings: unknown[]) => ({
  type: 'Feature',
  properties: { ADM2_EN: name, ADM1_EN: 'Kaduna' },
  geometry: { type: 'Polygon', coordinates: rings },
})

test('the error for an unreadable file names the file and the reason', () => {
  assert.throws(() => readBoundaries('/nowhere/lgas.geojson'), /\/nowhere\/lgas\.geojson: .*no such file/)
  assert.throws(() => readBoundaries(import.meta.filename), /boundaries\.test\.ts: the file is not JSON/)
})

test('a file without a single usable polygon is refused', () => {
  assert.throws(() => boundariesOf(collection([named('Chikun', [])])), /no polygon in Nigeria/)
})

test('the notes name what did not match, and are empty where everything matched', () => {
  assert.deepEqual(boundariesOf(collection(boxFeatures(({ name }, state) => ({ lga: name, state })))).notes, [])
  const { notes } = boundariesOf(
    collection([named('Chikun', square(7, 10, 8, 11)), named('Atlantis', square(3, 7, 3.1, 7.1))]),
  )
  assert.equal(notes[0], '“Atlantis” (Kaduna) is not a known LGA')
  assert.equal(notes.length, 1 + 773)
})

test('a point in a hole is not in the area around it', () => {
  const around = named('Chikun', square(7, 10, 8, 11), square(7.4, 10.4, 7.6, 10.6))
  const within = named('Kaduna South', square(7.4, 10.4, 7.6, 10.6))
  const locate = boundaryLocate(boundariesOf(collection([around, within])), estimated)
  const lgaAt = (lat: number, lng: number): string => {
    const found = locate(lat, lng)
    return found.kind === 'located' ? `${found.lga.name}, ${found.basis}` : found.kind
  }
  assert.equal(lgaAt(10.2, 7.2), 'Chikun, boundary')
  assert.equal(lgaAt(10.5, 7.5), 'Kaduna South, boundary')
})

test('an LGA that the file lacks is still estimated; a point in a gap goes to the nearest', () => {
  const all = boxFeatures(({ name }, state) => ({ lga: name, state }))
  const lacking = boundariesOf(collection(all.filter(({ properties }) => properties.lga !== 'Abadam')))
  const abadam = boundaryLocate(lacking, estimated)(13.55, 13.2)
  assert.equal(abadam.kind === 'located' && `${abadam.lga.name} ${abadam.basis}`, 'Abadam estimated')

  const alone = { ...boundariesOf(collection([named('Chikun', square(7, 10, 8, 11))])), missing: [] }
  const locate = boundaryLocate(alone, estimated)
  assert.equal(locate(10.5, 8.02).kind, 'located')
  assert.equal(locate(10.5, 8.04).kind, 'outside')
})

test('the geography offers LGA outlines only with the operator’s file, in a form that can be read back', () => {
  assert.equal(openGeography(null).lgasGeoJson, null)
  const boundaries = boundariesOf(collection(boxFeatures(({ name }) => ({ shapeName: name }))))
  const { lgasGeoJson, basis } = openGeography(boundaries)
  assert.equal(basis, 'boundary')
  const again = boundariesOf(lgasGeoJson!.toString())
  assert.deepEqual([again.matches.length, again.notes], [774, []])
})

/** Names of an LGA and its state in the files of each publisher. */
const PUBLISHERS: Readonly<Record<string, (lga: LgaRecord, state: string) => Record<string, unknown>>> = {
  'our own': ({ name, state }, stateName) => ({ lga: name, state: stateName, state_iso: state }),
  geoBoundaries: ({ name }) => ({ shapeName: name, shapeISO: '', shapeID: '1', shapeGroup: 'NGA', shapeType: 'ADM2' }),
  'COD-AB': ({ name }, state) => ({ ADM2_EN: name, ADM2_PCODE: 'NG001001', ADM1_EN: state, ADM0_EN: 'Nigeria' }),
  'COD-AB of 2024': ({ name }, state) => ({ adm2_name: name, adm1_name: state, adm0_name: 'Nigeria' }),
  GRID3: ({ name }, state) => ({ lga_name: name, lga_code: '1', state_name: state, OBJECTID: 4 }),
  'GRID3, older': ({ name }, state) => ({ lganame: name.toUpperCase(), statename: state, statecode: 'XX' }),
}

describe('a file of each publisher matches all 774 LGAs', () => {
  for (const [publisher, properties] of Object.entries(PUBLISHERS)) {
    test(publisher, () => {
      const { matches, unmatched, duplicates, missing } = matchAreas(
        readFeatures(collection(boxFeatures(properties))),
        places,
      )
      assert.equal(matches.length, 774)
      assert.deepEqual([unmatched, duplicates, missing], [[], [], []])
      for (const { lga, area } of matches)
        assert.ok(area.area.box.west <= lga.lng && area.area.box.east >= lga.lng, lga.code)
    })
  }
})

test('an area without a known name is matched by its location', () => {
  const features = boxFeatures(({ name }) => ({ shapeName: name === 'Chikun' ? 'Sabon Tasha' : name }))
  const { matches } = matchAreas(readFeatures(collection(features)), places)
  assert.deepEqual(
    matches.filter(({ by }) => by === 'place').map(({ lga }) => lga.code),
    ['NG-KD-CHIKUN'],
  )
})

test('a name of another state does not outweigh the location', () => {
  const features = boxFeatures(({ name }) => ({ shapeName: name }))
  const chikun = features.find(({ properties }) => properties.shapeName === 'Chikun')!
  const gwoza = features.find(({ properties }) => properties.shapeName === 'Gwoza')!
  const swapped = [chikun.geometry, gwoza.geometry]
  chikun.geometry = swapped[1]!
  gwoza.geometry = swapped[0]!
  const { matches } = matchAreas(readFeatures(collection(features)), places)
  const found = matches.find(({ area }) => area.name === 'Gwoza')!
  assert.deepEqual([found.lga.code, found.by], ['NG-KD-CHIKUN', 'place'])
})

test('unmatched, duplicate and missing areas are reported', () => {
  const features = boxFeatures(PUBLISHERS['COD-AB']!)
  const [first, second] = features
  first!.properties.ADM2_EN = second!.properties.ADM2_EN
  first!.geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [9, 9],
        [9.001, 9],
        [9.001, 9.001],
        [9, 9],
      ],
    ],
  }
  features.push({ ...first!, properties: { ADM2_EN: 'Atlantis', ADM1_EN: 'Nowhere' } })
  const { matches, unmatched, duplicates, missing } = matchAreas(readFeatures(collection(features)), places)
  assert.equal(matches.length, 773)
  assert.deepEqual(
    unmatched.map(({ name }) => name),
    ['Atlantis'],
  )
  assert.deepEqual(duplicates.length, 1)
  assert.deepEqual(missing.length, 1)
})

test('the real file matches completely, with its states and without', { skip: absent }, () => {
  const areas = readFeatures(boundaryText())
  const withStates = matchAreas(areas, places)
  const without = matchAreas(
    areas.map((area) => ({ ...area, state: null })),
    places,
  )
  const pairs = ({ matches }: typeof withStates): string[] =>
    matches.map(({ area, lga }) => `${area.number} ${lga.code}`).sort()
  assert.equal(withStates.matches.length, 774)
  assert.ok(withStates.matches.every(({ by }) => by === 'name'))
  assert.deepEqual(pairs(without), pairs(withStates))
})
