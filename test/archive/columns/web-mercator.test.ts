import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  boxAroundTile,
  latAt,
  lngAt,
  MERCATOR_BITS,
  mercatorBoxAround,
  mercatorX,
  mercatorY,
} from '../../../src/archive/columns/web-mercator.ts'
import fc from '../../support/fast-check.ts'

const lat = fc.double({ min: -90, max: 90, noNaN: true })
const lng = fc.double({ min: -180, max: 180, noNaN: true })

/** Zoom, column and row as map libraries number them. */
const PLACES = [
  { place: 'Abuja', lat: 9.0765, lng: 7.3986, z: 10, x: 533, y: 486 },
  { place: 'Lagos', lat: 6.4541, lng: 3.3947, z: 16, x: 33385, y: 31590 },
  { place: 'where the equator meets Greenwich', lat: 0, lng: 0, z: 1, x: 1, y: 1 },
  { place: 'the north-west corner', lat: 85.1, lng: -180, z: 3, x: 0, y: 0 },
  { place: 'the south pole, beyond the map', lat: -90, lng: 180, z: 3, x: 7, y: 7 },
]

for (const { place, z, x, y, ...point } of PLACES) {
  test(`${place} is in tile ${z}/${x}/${y}`, () => {
    const shift = MERCATOR_BITS - z
    assert.deepEqual([mercatorX(point.lng) >> shift, mercatorY(point.lat) >> shift], [x, y])
  })
}

test('coordinates are monotonic and convert back to within 0.000001 degrees', () => {
  fc.assert(
    fc.property(lat, lat, lng, lng, (one, other, left, right) => {
      assert.ok(one > other || mercatorY(one) >= mercatorY(other))
      assert.ok(left > right || mercatorX(left) <= mercatorX(right))
      assert.ok(Math.abs(lngAt(mercatorX(left)) - left) < 1e-6)
      if (Math.abs(one) < 85) assert.ok(Math.abs(latAt(mercatorY(one)) - one) < 1e-6)
    }),
  )
})

test('the box of a tile contains every point of the tile', () => {
  fc.assert(
    fc.property(lat, lng, fc.integer({ min: 0, max: 16 }), (one, other, z) => {
      const shift = MERCATOR_BITS - z
      const box = boxAroundTile({ z, x: mercatorX(other) >> shift, y: mercatorY(one) >> shift })
      const steps = mercatorBoxAround(box)
      assert.ok(mercatorX(other) >= steps.west && mercatorX(other) <= steps.east)
      assert.ok(mercatorY(one) >= steps.north && mercatorY(one) <= steps.south)
      assert.ok(box.west <= other && other <= box.east && box.south <= one && one <= box.north)
    }),
  )
})
