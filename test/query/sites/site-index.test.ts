import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptPosition, packPositions } from '../../../src/domain/sites/positions.ts'
import { distanceKm } from '../../../src/lib/geometry/geometry.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { SiteIndex } from '../../../src/query/sites/site-index.ts'

test('an index finds exactly the sites within whose radius a point lies, nearest first', () => {
  const random = seededRandom(7)
  for (const [size, spread] of [
    [1, 0],
    [40, 10],
    [500, 10],
    [500, 0.2],
  ] as const) {
    const sites = Array.from({ length: size }, () =>
      keptPosition({
        latitude: 4 + random() * spread,
        longitude: 3 + random() * spread,
        radiusKm: random() < 0.1 ? random() * 100 : random() * 20,
      }),
    )
    const index = new SiteIndex('sit_1', 1, packPositions(sites))
    for (let count = 0; count < 400; count++) {
      const [lat, lng] = [3.5 + random() * (spread + 1), 2.5 + random() * (spread + 1)]
      const expected = sites
        .map(({ latitude, longitude, radiusKm }, number) => ({
          number,
          distanceKm: distanceKm(latitude, longitude, lat, lng),
          radiusKm,
        }))
        .filter((each) => each.distanceKm <= each.radiusKm)
        .sort((one, other) => one.distanceKm - other.distanceKm || one.number - other.number)
      assert.deepEqual(index.sitesNear(lat, lng), expected)
      assert.equal(index.has(lat, lng), expected.length > 0)
    }
  }
})
