import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFeatures } from '../../../src/geo/boundaries/geojson.ts'
import { matchAreas } from '../../../src/geo/boundaries/match.ts'
import type { LgaRecord } from '../../../src/geo/data.ts'
import { places } from '../../../src/geo/places.ts'
import { absent, boundaryText } from '../truth.ts'
import { boxFeatures, collection } from './fixture.ts'

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
