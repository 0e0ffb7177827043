import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptPosition, packPositions } from '../../src/domain/sites.ts'
import { SiteIndex } from '../../src/filter/site-index.ts'
import { distanceKm } from '../../src/lib/geometry.ts'
import { seededRandom } from '../../src/lib/random.ts'

test('an index finds exactly the sites within whose radius a point lies, nearest first', () => {
  const random = seededRandom(7)
  for (const [size, spread] of [
    [1, 0],
    [40, 10],
    [500, 10],
    [500, 0.2],
    [1000, 12],
  ] as const) {
    const sites = Array.from({ length: size }, () =>
      keptPosition({
        latitude: 3 + random() * spread,
        longitude: 3 + random() * spread,
        radiusKm: random() < 0.1 ? random() * 100 : random() * 20,
      }),
    )
    const index = new SiteIndex('sit_1', 1, packPositions(sites))
    for (let count = 0; count < 400; count++) {
      const [lat, lng] = [2.5 + random() * (spread + 1), 2.5 + random() * (spread + 1)]
      const expected = sites
        .map(({ latitude, longitude, radiusKm }, number) => ({
          number,
          distanceKm: distanceKm(latitude, longitude, lat, lng),
          radiusKm,
        }))
        .filter((each) => each.distanceKm <= each.radiusKm)
        .sort((one, other) => one.distanceKm - other.distanceKm || one.number - other.number)
      const { nearest, count } = index.sitesNear(lat, lng, 20)
      assert.deepEqual(nearest, expected.slice(0, 20))
      assert.equal(count, expected.length)
      assert.equal(index.has(lat, lng), expected.length > 0)
    }
  }
})

test('a point is compared exactly at the radius: what the distance says, not a plane', () => {
  const random = seededRandom(11)
  for (let count = 0; count < 3000; count++) {
    const [lat, lng] = [2 + random() * 13, 1.5 + random() * 14.5]
    const [turn, away] = [random() * 2 * Math.PI, (1 + random() * 95) / 111.195]
    const there = { latitude: lat + Math.sin(turn) * away, longitude: lng + Math.cos(turn) * away }
    const distance = distanceKm(there.latitude, there.longitude, lat, lng)
    for (const metres of [-1, 1, 20, -20]) {
      const site = keptPosition({ ...there, radiusKm: distance + metres / 1000 })
      const index = new SiteIndex('sit_1', 1, packPositions([site]))
      const isNear = distanceKm(site.latitude, site.longitude, lat, lng) <= site.radiusKm
      assert.equal(index.has(lat, lng), isNear)
      assert.equal(index.sitesNear(lat, lng, 1).count, isNear ? 1 : 0)
    }
  }
})
