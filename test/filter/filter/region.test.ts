import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inRegion, positionsOf, type Region, regionGeometry, regionOf } from '../../../src/filter/filter/region.ts'
import type { Ring } from '../../../src/lib/rings.ts'
import fc from '../../support/fast-check.ts'
import { between, region } from '../../support/incidents/arbitrary.ts'

const lat = between(3, 15)
const lng = between(2, 16)

/** Winding number of the ring around the point, by the angles of its sides. */
function turns(ring: Ring, lat: number, lng: number): number {
  const angles = positionsOf(ring).map(([x, y]) => Math.atan2(y - lat, x - lng))
  const turned = angles.slice(1).map((angle, at) => {
    const difference = angle - angles[at]!
    return difference - 2 * Math.PI * Math.round(difference / (2 * Math.PI))
  })
  return Math.round(turned.reduce((sum, angle) => sum + angle, 0) / (2 * Math.PI))
}

function naively({ polygons }: Region, lat: number, lng: number): boolean {
  return polygons.some(([outer, ...holes]) => {
    return turns(outer!, lat, lng) !== 0 && holes.every((hole) => turns(hole, lat, lng) === 0)
  })
}

test('a point lies in a region if a polygon surrounds it and none of its holes does', () => {
  let inside = 0
  fc.assert(
    fc.property(region, lat, lng, (region, lat, lng) => {
      const expected = naively(region, lat, lng)
      if (expected) inside++
      assert.equal(inRegion(region, lat, lng), expected)
    }),
    { numRuns: 5000 },
  )
  assert.ok(inside > 200, `only ${inside} points lay inside`)
})

test('the same area with other corners, directions and orders is the same region', () => {
  const seen = (region: Region) => JSON.stringify(regionGeometry(region))
  fc.assert(
    fc.property(region, fc.nat(), fc.boolean(), (region, turn, backwards) => {
      const otherwise = region.polygons.map((rings) =>
        rings.map((ring) => {
          const corners = positionsOf(ring).slice(1)
          const start = turn % corners.length
          const turned = [...corners.slice(start), ...corners.slice(0, start)]
          if (backwards) turned.reverse()
          // Repeats the first corner: it also closes the ring.
          return Float64Array.from([turned[0]!, ...turned, turned[0]!].flat())
        }),
      )
      assert.equal(seen(regionOf(otherwise.toReversed())), seen(region))
    }),
    { numRuns: 1000 },
  )
})

test('a point in two overlapping polygons lies in the region', () => {
  const square = (west: number, south: number) =>
    Float64Array.of(west, south, west + 2, south, west + 2, south + 2, west, south + 2, west, south)
  const region = regionOf([[square(7, 9)], [square(8, 10)]])
  assert.deepEqual(
    [
      [9.5, 7.5],
      [10.5, 8.5],
      [11.5, 9.5],
      [11.5, 7.5],
    ].map(([lat, lng]) => inRegion(region, lat!, lng!)),
    [true, true, true, false],
  )
})

test('of two areas that share a side, a point on it lies in exactly one', () => {
  const square = (west: number, south: number) =>
    regionOf([[Float64Array.of(west, south, west + 1, south, west + 1, south + 1, west, south + 1, west, south)]])
  const four = [square(7, 9), square(8, 9), square(7, 10), square(8, 10)]
  const points = [
    [9.5, 8],
    [10, 7.5],
    [10, 8],
    [10.5, 8],
    [10, 8.5],
  ]
  assert.deepEqual(
    points.map((point) => four.filter((region) => inRegion(region, point[0]!, point[1]!)).length),
    points.map(() => 1),
  )
})
