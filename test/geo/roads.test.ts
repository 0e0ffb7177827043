import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRoads, roadsOf } from '../../src/geo/roads.ts'

const road = (properties: object, ...coordinates: number[][]) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates },
})
const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
const EXPRESSWAY = [
  [7.491234567, 9.06],
  [7.44, 10.52],
]

test('roads keep their class, number and name; other properties and digits are left out', () => {
  const { geoJson, notes } = roadsOf(
    collection(road({ highway: 'trunk_link', ref: 'A2', name: 'Abuja–Kaduna', lanes: 4 }, ...EXPRESSWAY)),
  )
  assert.deepEqual(notes, [])
  assert.deepEqual(JSON.parse(String(geoJson)), {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { class: 'trunk', ref: 'A2', name: 'Abuja–Kaduna' },
        geometry: {
          type: 'MultiLineString',
          coordinates: [
            [
              [7.4912, 9.06],
              [7.44, 10.52],
            ],
          ],
        },
      },
    ],
  })
})

test('the words of OpenStreetMap, Natural Earth and gROADS are classes', () => {
  const classes = [{ fclass: 'primary' }, { type: 'Major Highway' }, { FCLASS: 3 }, { class: 'tertiary' }, {}].map(
    (properties) => {
      const { geoJson } = roadsOf(collection(road(properties, ...EXPRESSWAY)))
      return (JSON.parse(String(geoJson)) as { features: [{ properties: { class: string } }] }).features[0].properties
        .class
    },
  )
  assert.deepEqual(classes, ['primary', 'trunk', 'secondary', 'tertiary', 'other'])
})

test('roads of other countries are left out, and a feature that is no line is named', () => {
  const point = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [7, 9] } }
  const { geoJson, notes } = roadsOf(collection(road({}, [1, 48], [2, 49]), point, road({}, ...EXPRESSWAY)))
  assert.equal((JSON.parse(String(geoJson)) as { features: unknown[] }).features.length, 1)
  assert.deepEqual(notes, ['feature 2 is left out: its geometry is neither a LineString nor a MultiLineString'])
})

for (const [what, text, message] of [
  ['text that is not JSON', 'roads', /the file is not JSON/],
  ['a single feature', JSON.stringify(road({}, ...EXPRESSWAY)), /not a GeoJSON FeatureCollection/],
  ['an empty collection', collection(), /no line in Nigeria/],
  ['coordinates in metres', collection(road({}, [833_000, 1_000_000], [840_000, 1_100_000])), /no line in Nigeria/],
  [
    'broken lines only',
    collection(road({}, [7, 9])),
    /no line in Nigeria; feature 1 is left out: a line is not a list/,
  ],
] as const) {
  test(`${what} is refused with its reason`, () => assert.throws(() => roadsOf(text), message))
}

test('the error for an unreadable file names the setting, the file and the reason', () => {
  assert.throws(() => readRoads('/nowhere/roads.geojson'), /MAP_ROADS: \/nowhere\/roads\.geojson: .*no such file/)
})
