import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaBox, areaFeatures } from '../../../web/console/area/area-features.ts'
import { type SavedArea, shapeMember, shapeOf, shapeText } from '../../../web/console/areas/saved-area.ts'
import { filterOf, formOf } from '../../../web/console/filter/filter-form.ts'
import { filterText } from '../../../web/console/filter/filter-text.ts'

const RING = [
  [7, 10],
  [8, 10],
  [8, 11],
  [7, 10],
]
const saved = (shape: Partial<SavedArea>): SavedArea => ({
  id: 'are_1',
  name: 'Depot',
  kind: 'polygon',
  watches: 0,
  updated_at: '2026-11-16T00:00:00Z',
  ...shape,
})
const SHAPES: readonly Partial<SavedArea>[] = [
  { polygon: { type: 'Polygon', coordinates: [RING] } },
  { polygon: { type: 'MultiPolygon', coordinates: [[RING]] } },
  { route: { line: RING.slice(0, 2), buffer_km: 3 } },
  { circle: { lat: 10, lng: 7, radius_km: 25 } },
]

test('an area read into the form and written again is the same', () => {
  for (const shape of SHAPES) assert.deepEqual(shapeMember(shapeOf(saved(shape))), shape)
})

test('every shape is on the map, those that cannot be drawn too', () => {
  for (const shape of SHAPES) {
    const area = shapeOf(saved(shape))
    assert.equal(areaFeatures(area).features.length, 1)
    const [west, south, east, north] = areaBox(area)!
    assert.ok(west <= 7 && south <= 10 && east >= 7 && north >= 10, JSON.stringify(shape))
  }
  assert.equal(shapeMember(shapeOf(saved({}))), null)
})

test('a shape is said in words', () => {
  const words = SHAPES.map((shape) => shapeText(shapeOf(saved(shape))))
  assert.deepEqual(words, [
    'An area with 3 corners',
    'An area with holes or several parts',
    '3 km on both sides of a road of 2 points',
    '25 km around a point',
  ])
})

test('a watch in a saved area keeps it', () => {
  const form = formOf({ area: 'are_1', state: ['Kaduna'] })
  assert.deepEqual(form.area, { kind: 'saved', id: 'are_1' })
  assert.deepEqual(filterOf(form), { area: 'are_1', state: ['Kaduna'] })
  assert.equal(filterText(form), 'Kaduna · in a saved area')
})
