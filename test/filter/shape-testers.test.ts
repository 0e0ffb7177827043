import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { combPolygon, scatteredPolygons, slantedComb, zigzagRoute } from '../../bench/hostile/shapes.ts'
import { inRegion, nearRoute, regionOf, regionTester, routeOf, routeTester } from '../../src/filter/shapes.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { isInRing, type Ring, ringTester } from '../../src/lib/rings.ts'

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
