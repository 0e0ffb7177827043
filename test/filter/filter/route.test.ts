import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionsOf } from '../../../src/filter/filter/region.ts'
import { distanceToLineKm, nearRoute, routeOf } from '../../../src/filter/filter/route.ts'
import { distanceKm, KM_PER_DEGREE } from '../../../src/lib/geometry.ts'
import fc from '../../support/fast-check.ts'
import { between, route } from '../../support/incidents/arbitrary.ts'

const lat = between(3, 15)
const lng = between(2, 16)

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
    { numRuns: 1500, endOnFailure: true },
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
    { numRuns: 1500, endOnFailure: true },
  )
  assert.ok(tally.near > 100 && tally.far > 100, JSON.stringify(tally))
})

test('a reversed route and one with repeated points are the same route', () => {
  const there = routeOf(Float64Array.of(7.49, 9.06, 7.49, 9.06, 7.44, 10.52), 5)
  const back = routeOf(Float64Array.of(7.44, 10.52, 7.49, 9.06), 5)
  assert.deepEqual(there, back)
})
