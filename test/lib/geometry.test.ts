import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxAround, distanceKm, isInBox } from '../../src/lib/geometry.ts'
import fc from '../support/fast-check.ts'
import { tries } from '../support/tier.ts'

const lat = fc.double({ min: -90, max: 90, noNaN: true })
const lng = fc.double({ min: -180, max: 180, noNaN: true })

test('known distances are right', () => {
  assert.equal(distanceKm(0, 0, 1, 0).toFixed(2), '111.20')
  assert.equal(distanceKm(0, 0, 0, 90).toFixed(1), '10007.6')
  assert.ok(Math.abs(distanceKm(9.0579, 7.4951, 10.5264, 7.4388) - 163.4) < 0.5, 'Abuja to Kaduna')
  assert.equal(distanceKm(10, 7, 10, 7), 0)
})

test('the box around a circle contains the whole circle, also at the poles and the date line', () => {
  fc.assert(
    fc.property(
      lat,
      lng,
      fc.double({ min: 0.1, max: 500, noNaN: true }),
      lat,
      lng,
      (lat, lng, radius, otherLat, otherLng) => {
        const near = [lat + (otherLat / 90) * (radius / 100), lng + (otherLng / 180) * (radius / 100)] as const
        for (const [toLat, toLng] of [[otherLat, otherLng] as const, near]) {
          const there = [Math.max(-90, Math.min(90, toLat)), ((toLng + 540) % 360) - 180] as const
          if (distanceKm(lat, lng, ...there) <= radius) assert.ok(isInBox(boxAround(lat, lng, radius), ...there))
        }
      },
    ),
    { numRuns: tries(5000) },
  )
})
