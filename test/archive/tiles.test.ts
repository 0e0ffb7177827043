import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Archive } from '../../src/archive/archive.ts'
import {
  boxAroundTile,
  latAt,
  lngAt,
  MERCATOR_BITS,
  mercatorBoxAround,
  mercatorX,
  mercatorY,
} from '../../src/archive/columns/columns.ts'
import { SEGMENT_CAPACITY } from '../../src/archive/segments/segment-indexes.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { SEVERITIES } from '../../src/domain/taxonomy.ts'
import { EVERYTHING, type Filter } from '../../src/filter/filter.ts'
import { GRID_BITS } from '../../src/filter/tile.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { aSnapshot } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

const START = Date.UTC(2020, 0, 1)
const HOUR = 3_600_000

/**
 * Two segments and a half; places, severities, confidences and delays repeat in different rhythms.
 */
const INCIDENTS = Array.from({ length: 2.5 * SEGMENT_CAPACITY }, (_, number) => {
  const published = START + number * HOUR
  return anIncident(number, {
    published_at: new Date(published).toISOString(),
    occurred_at: new Date(published - ((number * 37) % 500) * HOUR).toISOString(),
    lat: 5 + ((number * 7919) % 80_000) / 10_000,
    lng: 3 + ((number * 104_729) % 110_000) / 10_000,
    severity: SEVERITIES[(number * 3) % SEVERITIES.length]!,
    confidence: ((number * 13) % 101) / 100,
  })
})
const COUNTRY = { z: 4, x: mercatorX(8) >> (MERCATOR_BITS - 4), y: mercatorY(9) >> (MERCATOR_BITS - 4) }
const TILES = [{ z: 0, x: 0, y: 0 }, COUNTRY, { z: 5, x: COUNTRY.x * 2, y: COUNTRY.y * 2 }]
const FILTERS: Record<string, Filter> = {
  everything: EVERYTHING,
  'a confidence': { ...EVERYTHING, minConfidence: 0.57 },
  'a window of publication': { ...EVERYTHING, publishedFrom: START + 5000 * HOUR, publishedTo: START + 12_000 * HOUR },
  'a window of occurrence': { ...EVERYTHING, occurredFrom: START + 5000 * HOUR, occurredTo: START + 12_000 * HOUR },
}

/** The same, written as plainly as possible. */
function matches(incident: Incident, filter: Filter): boolean {
  const [published, occurred] = [Date.parse(incident.published_at!), Date.parse(incident.occurred_at)]
  return (
    incident.confidence >= (filter.minConfidence ?? 0) &&
    published >= (filter.publishedFrom ?? 0) &&
    published < (filter.publishedTo ?? Number.POSITIVE_INFINITY) &&
    occurred >= (filter.occurredFrom ?? 0) &&
    occurred < (filter.occurredTo ?? Number.POSITIVE_INFINITY)
  )
}

/** Count, newest publication and latest occurrence of each grid cell. */
function countPlainly(filter: Filter, { z, x, y }: (typeof TILES)[number]): string[] {
  const cells = new Map<string, { count: number; newest: number; occurred: number }>()
  for (const incident of INCIDENTS) {
    const [across, down] = [mercatorX(incident.lng), mercatorY(incident.lat)]
    if (across >> (MERCATOR_BITS - z) !== x || down >> (MERCATOR_BITS - z) !== y || !matches(incident, filter)) continue
    const shift = MERCATOR_BITS - z - GRID_BITS
    const key = `${across >> shift} ${down >> shift}`
    const cell = cells.get(key) ?? { count: 0, newest: 0, occurred: Number.NEGATIVE_INFINITY }
    cells.set(key, {
      count: cell.count + 1,
      newest: Math.max(cell.newest, Date.parse(incident.published_at!)),
      occurred: Math.max(cell.occurred, Date.parse(incident.occurred_at)),
    })
  }
  return [...cells.values()].map(({ count, newest, occurred }) => `${count} ${newest} ${occurred}`).sort()
}

const archive = await Archive.load(aSnapshot(INCIDENTS, INCIDENTS.length))

for (const [name, filter] of Object.entries(FILTERS))
  for (const tile of TILES)
    test(`marks of tile ${tile.z}/${tile.x}/${tile.y} with ${name} are those of a plain count`, () => {
      const { clusters, singles, oldest } = runToEnd(archive.view.tileContent({ tile, filter, now: START }))
      assert.ok(clusters.length > 0)
      assert.equal(singles.length, 0, 'the plain count has no cell with a single incident')
      const drawn = clusters.map(({ count, newest, newestOccurredAt }) => `${count} ${newest} ${newestOccurredAt}`)
      assert.deepEqual(drawn.sort(), countPlainly(filter, tile))
      const shift = MERCATOR_BITS - tile.z
      const first = INCIDENTS.find(
        (incident) =>
          mercatorX(incident.lng) >> shift === tile.x &&
          mercatorY(incident.lat) >> shift === tile.y &&
          matches(incident, filter),
      )!
      assert.equal(oldest, Date.parse(first.published_at!))
    })

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
