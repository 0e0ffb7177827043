import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boxOf, latAt, lngAt, stepsAround, WORLD_BITS, worldX, worldY } from '../../../src/archive/columns/world.ts'

const lat = fc.double({ min: -90, max: 90, noNaN: true })
const lng = fc.double({ min: -180, max: 180, noNaN: true })

/** Zoom, column and row as map libraries number them. */
const KNOWN = [
  { place: 'Abuja', lat: 9.0765, lng: 7.3986, z: 10, x: 533, y: 486 },
  { place: 'Lagos', lat: 6.4541, lng: 3.3947, z: 16, x: 33385, y: 31590 },
  { place: 'where the equator meets Greenwich', lat: 0, lng: 0, z: 1, x: 1, y: 1 },
  { place: 'the north-west corner', lat: 85.1, lng: -180, z: 3, x: 0, y: 0 },
  { place: 'the south pole, beyond the map', lat: -90, lng: 180, z: 3, x: 7, y: 7 },
]

for (const { place, z, x, y, ...point } of KNOWN) {
  test(`${place} is in tile ${z}/${x}/${y}`, () => {
    const shift = WORLD_BITS - z
    assert.deepEqual([worldX(point.lng) >> shift, worldY(point.lat) >> shift], [x, y])
  })
}

test('steps never fall to the east, nor rise to the north, and lead back to within a hand’s breadth', () => {
  fc.assert(
    fc.property(lat, lat, lng, lng, (one, other, left, right) => {
      assert.ok(one > other || worldY(one) >= worldY(other))
      assert.ok(left > right || worldX(left) <= worldX(right))
      assert.ok(Math.abs(lngAt(worldX(left)) - left) < 1e-6)
      if (Math.abs(one) < 85) assert.ok(Math.abs(latAt(worldY(one)) - one) < 1e-6)
    }),
  )
})

test('the box of a tile holds every place of the tile', () => {
  fc.assert(
    fc.property(lat, lng, fc.integer({ min: 0, max: 16 }), (one, other, z) => {
      const shift = WORLD_BITS - z
      const box = boxOf({ z, x: worldX(other) >> shift, y: worldY(one) >> shift })
      const steps = stepsAround(box)
      assert.ok(worldX(other) >= steps.west && worldX(other) <= steps.east)
      assert.ok(worldY(one) >= steps.north && worldY(one) <= steps.south)
      assert.ok(
        box.west - 1e-9 <= other && other <= box.east + 1e-9 && box.south - 1e-9 <= one && one <= box.north + 1e-9,
      )
    }),
  )
})
