import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { combPolygon, scatteredPolygons, slantedComb, zigzagRoute } from '../../bench/hostile/shapes.ts'
import {
  distanceToLineKm,
  inRegion,
  nearRoute,
  positionsOf,
  type Region,
  regionGeometry,
  regionOf,
  regionTester,
  routeOf,
  routeTester,
} from '../../src/filter/shapes.ts'
import { distanceKm, KM_PER_DEGREE } from '../../src/lib/geometry.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { isInRing, type Ring, ringTester } from '../../src/lib/rings.ts'
import { between, region, route } from '../support/arbitrary.ts'
import fc from '../support/fast-check.ts'
import { tries } from '../support/tier.ts'

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
    { numRuns: tries(1000) },
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

/** Tries points along the line, then again in smaller steps around the nearest one. */
function walkedKm(line: Float64Array, lat: number, lng: number): number {
  const points = positionsOf(line)
  const parts = points.slice(1).map((to, at) => [points[at]!, to] as const)
  return Math.min(
    ...parts.map(([from, to]) => {
      const at = (share: number) => {
        const within = Math.min(1, Math.max(0, share))
        return distanceKm(lat, lng, from[1] + within * (to[1] - from[1]), from[0] + within * (to[0] - from[0]))
      }
      let best = 0
      for (let step = 1; step > 1e-9; step /= 20) {
        const around = best
        for (let count = -20; count <= 20; count++) {
          const share = around + count * step
          if (at(share) < at(best)) best = Math.min(1, Math.max(0, share))
        }
      }
      return at(best)
    }),
  )
}

test('the distance to a route equals that of the nearest sampled point', () => {
  fc.assert(
    fc.property(route, lat, lng, ({ line }, lat, lng) => {
      const walked = walkedKm(line, lat, lng)
      // Only distances up to the largest buffer matter: within 100 km the plane is exact enough.
      fc.pre(walked < 150)
      const found = distanceToLineKm(line, lat, lng)
      assert.ok(Math.abs(found - walked) <= 1e-5 + walked * 2e-5, `${found} km, walked ${walked}`)
    }),
    { numRuns: tries(1500), endOnFailure: true },
  )
})

test('whatever is within the buffer is near the route, and nothing else', () => {
  const tally = { near: 0, far: 0 }
  fc.assert(
    fc.property(route, between(0, 3), fc.nat(), between(0, 6), (route, reach, pick, spin) => {
      const points = positionsOf(route.line)
      const [fromLng, fromLat] = points[pick % points.length]!
      const degrees = (reach * route.bufferKm) / KM_PER_DEGREE
      const [lat, lng] = [fromLat + degrees * Math.sin(spin), fromLng + degrees * Math.cos(spin)]
      const walked = walkedKm(route.line, lat, lng)
      fc.pre(Math.abs(walked - route.bufferKm) > route.bufferKm * 1e-3)
      tally[walked < route.bufferKm ? 'near' : 'far']++
      assert.equal(nearRoute(route, lat, lng), walked < route.bufferKm)
    }),
    { numRuns: tries(1500), endOnFailure: true },
  )
  assert.ok(tally.near > 100 && tally.far > 100, JSON.stringify(tally))
})

test('a reversed route and one with repeated points are the same route', () => {
  const there = routeOf(Float64Array.of(7.49, 9.06, 7.49, 9.06, 7.44, 10.52), 5)
  const back = routeOf(Float64Array.of(7.44, 10.52, 7.49, 9.06), 5)
  assert.deepEqual(there, back)
})

describe('shape testers', () => {
  const random = seededRandom(11)
  const POINTS = 400

  /**
   * With few different coordinates, so that points lie on sides, on corners and on their parallels.
   */
  function randomRing(positions: number, steps: number): Ring {
    const coordinate = () => 3 + Math.floor(random() * steps) * (10 / steps)
    const ring = Float64Array.from({ length: 2 * positions }, coordinate)
    ring[2 * positions - 2] = ring[0]!
    ring[2 * positions - 1] = ring[1]!
    return ring
  }

  /** Anywhere, or beside a position of the shape. */
  function somePoint(positions: Float64Array): [lat: number, lng: number] {
    const at = 2 * Math.floor(random() * (positions.length / 2))
    const nudge = () => (random() < 0.4 ? 0 : (random() - 0.5) * 10 ** -Math.floor(random() * 12))
    const lat = random() < 0.5 ? positions[at + 1]! + nudge() : 3 + random() * 11
    const lng = random() < 0.5 ? positions[at]! + nudge() : 2 + random() * 13
    return [lat, lng]
  }

  const ringsOf = (coordinates: unknown) =>
    (coordinates as number[][][]).map((ring) => Float64Array.from(ring.flat()) as Ring)

  describe('testing many points against one shape', () => {
    it('finds the same points in a ring as a look at each of its sides, crossing sides included', () => {
      let inside = 0
      for (let round = 0; round < 120; round++) {
        const ring = randomRing(24 + Math.floor(random() * 80), round % 2 === 0 ? 12 : 1e6)
        const test = ringTester(ring)
        for (let point = 0; point < POINTS; point++) {
          const [lat, lng] = somePoint(ring)
          const expected = isInRing(ring, lat, lng)
          assert.equal(test(lat, lng), expected, `${lat} ${lng} in ${ring}`)
          inside += Number(expected)
        }
      }
      assert.ok(inside > 1000, `${inside}`)
    })

    const REGIONS = {
      'a comb': [ringsOf(combPolygon(1000).coordinates)],
      'a slanted comb': [ringsOf(slantedComb(1000).coordinates)],
      '200 squares': scatteredPolygons(1000).coordinates.map(ringsOf),
      'a polygon with a hole': [[...ringsOf(combPolygon(60).coordinates), randomRing(40, 1e6)]],
    }
    for (const [name, polygons] of Object.entries(REGIONS))
      it(`finds the same points in ${name}`, () => {
        const region = regionOf(polygons)
        const test = regionTester(region)
        for (let point = 0; point < 4 * POINTS; point++) {
          const [lat, lng] = somePoint(region.polygons[0]![0]!)
          assert.equal(test(lat, lng), inRegion(region, lat, lng), `${lat} ${lng}`)
        }
      })

    for (const bufferKm of [0.1, 5, 100])
      it(`finds the same points within ${bufferKm} km of a route`, () => {
        const zigzag = Float64Array.from(zigzagRoute(300).line.flat())
        for (const line of [zigzag, randomRing(30, 1e6), randomRing(3, 4), Float64Array.of(7, 9)]) {
          const route = routeOf(line, bufferKm)
          const test = routeTester(route)
          for (let point = 0; point < 2 * POINTS; point++) {
            const [lat, lng] = somePoint(line)
            assert.equal(test(lat, lng), nearRoute(route, lat, lng), `${lat} ${lng}`)
          }
        }
      })

    it('leaves a route near a pole to the exact distance', () => {
      const route = routeOf(Float64Array.of(7, 75, 9, 76), 20)
      const test = routeTester(route)
      for (let point = 0; point < POINTS; point++) {
        const [lat, lng] = [74.5 + random() * 2, 6 + random() * 4]
        assert.equal(test(lat, lng), nearRoute(route, lat, lng))
      }
    })
  })
})
