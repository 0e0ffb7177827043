import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaMembers, areaOf } from '../../../web/console/area/area.ts'
import { areaOfFeature } from '../../../web/console/area/drawn-feature.ts'
import { pointsText, readPoints } from '../../../web/console/area/points-text.ts'
import { filterOf, formOf } from '../../../web/console/filter/filter-form.ts'
import { filterText } from '../../../web/console/filter/filter-text.ts'
import { circleAround } from '../../../web/shared/ground/circle.ts'

const SQUARE = [
  [7, 10],
  [8, 10],
  [8, 11],
  [7, 11],
]

test('a filter read into the form and written again is the same', () => {
  const closed = { type: 'Polygon', coordinates: [[...SQUARE, SQUARE[0]]] }
  for (const filter of [
    {},
    { state: ['Kaduna'], min_severity: 'high', polygon: closed },
    { near: '10.5,7.4', radius_km: '25', type: ['kidnapping'] },
    {
      route: {
        line: [
          [7, 10],
          [8, 11],
        ],
        buffer_km: 3,
      },
      min_confidence: '0.35',
    },
    // What the form cannot draw, or has no field for, stays.
    { polygon: { type: 'MultiPolygon', coordinates: [[[...SQUARE, SQUARE[0]]]] } },
    { bbox: '7,10,8,11', severity: ['low'], max_confidence: 0.5 },
  ])
    assert.deepEqual(filterOf(formOf(filter)), filter)
})

test('a single value of a list is taken too', () => {
  assert.deepEqual(filterOf(formOf({ state: 'Kaduna,FCT' })), { state: ['Kaduna', 'FCT'] })
})

test('a drawn circle becomes its middle and its radius', () => {
  const area = areaOfFeature('circle', circleAround(10.5, 7.4, 40))
  assert.deepEqual(area, { kind: 'circle', centre: [7.4, 10.5], radiusKm: 40 })
  assert.deepEqual(areaMembers(area), { near: '10.5,7.4', radius_km: '40' })
  const country = areaOfFeature('circle', circleAround(9, 8, 900))
  assert.equal(country.kind === 'circle' && country.radiusKm, 500)
})

test('a drawn area keeps its corners, to the metre, without the closing one', () => {
  const feature = {
    type: 'Feature',
    properties: {},
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [7.123456789, 10],
          [8, 10],
          [8, 11],
          [7.123456789, 10],
        ],
      ],
    },
  } as const
  assert.deepEqual(areaOfFeature('polygon', structuredClone(feature) as never), {
    kind: 'polygon',
    points: [
      [7.12346, 10],
      [8, 10],
      [8, 11],
    ],
  })
})

test('points are read as latitude and longitude, and a wrong line is named', () => {
  assert.deepEqual(readPoints(pointsText(SQUARE)), { points: SQUARE })
  assert.deepEqual(readPoints('10.5 7.4\n\n 11;8 '), {
    points: [
      [7.4, 10.5],
      [8, 11],
    ],
  })
  for (const line of ['Kaduna', '10.5', '91, 7', '10, 181', '10, 7, 3', '10,'])
    assert.match((readPoints(`10, 7\n${line}`) as { problem: string }).problem, /^Line 2 /, line)
})

test('a filter is said in words', () => {
  assert.equal(filterText(formOf({})), 'Every incident')
  const text = filterText(
    formOf({ category: ['abduction'], min_severity: 'high', state: ['Kaduna'], near: '1,2', radius_km: 5 }),
  )
  assert.equal(text, 'Abduction · high or worse · Kaduna · within 5 km of a point')
  assert.deepEqual(areaOf({}), { kind: 'anywhere' })
})
