import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TileRenderer } from '../../../../src/api/tiles.ts'
import type { Archive } from '../../../../src/archive/archive.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../../../src/archive/columns/columns.ts'
import type { Incident } from '../../../../src/domain/incident.ts'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import { EVERYTHING, type Filter, indexedFieldsOf } from '../../../../src/filter/filter.ts'
import { matches } from '../../../../src/filter/matches.ts'
import type { Tile } from '../../../../src/filter/tile.ts'
import { places } from '../../../../src/geo/places.ts'
import { isInBox } from '../../../../src/lib/geometry.ts'
import { runToEnd } from '../../../../src/lib/steps.ts'
import { DAY, EPOCH, filter, incidentFrom, incidentParts } from '../../../support/arbitrary.ts'
import { anEvent, emptyArchive } from '../../../support/archive.ts'
import fc from '../../../support/fast-check.ts'
import { anIncident } from '../../../support/incident.ts'
import { countIn, type Feature, featuresOf } from '../../../support/readers.ts'
import { tries } from '../../../support/tier.ts'

const NOW = EPOCH + 13 * DAY
const renderer = new TileRenderer(places)
const few = fc.array(incidentParts, { maxLength: 60 })
const many = fc.array(incidentParts, { minLength: 101, maxLength: 260, size: 'max' })
const zoom = fc.integer({ min: 0, max: 16 })

async function archiveOf(all: readonly Incident[]): Promise<Archive> {
  const archive = await emptyArchive()
  archive.apply(all.map((incident, index) => anEvent(index + 1, incident)))
  return archive
}

function tileAt(z: number, { lat, lng }: { lat: number; lng: number }): Tile {
  return { z, x: mercatorX(lng) >> (MERCATOR_BITS - z), y: mercatorY(lat) >> (MERCATOR_BITS - z) }
}

const features = (archive: Archive, tile: Tile, givenFilter: Filter = EVERYTHING) =>
  featuresOf(runToEnd(renderer.renderTile(archive.view, tile, givenFilter, NOW)).body)

/** Compares what one tile shows with the incidents inside it. */
function check(shown: readonly Feature[], expected: readonly Incident[]): void {
  const ids = new Map(expected.map((incident) => [incident.id, incident]))
  const clustered: Record<string, number> = { low: 0, medium: 0, high: 0, critical: 0 }
  for (const { x, y, properties } of shown) {
    assert.ok(x >= 0 && x < 4096 && y >= 0 && y < 4096)
    if (properties.count === undefined) {
      const incident = ids.get(String(properties.id))
      assert.ok(incident, `${properties.id} is there, once`)
      ids.delete(incident.id)
      continue
    }
    const { west, south, east, north } = properties as Record<string, number>
    const box = { west: west!, south: south!, east: east!, north: north! }
    const inside = expected.filter(({ lat, lng }) => isInBox(box, lat, lng))
    assert.ok(inside.length >= Number(properties.count))
    const inCluster = SEVERITIES.filter((severity) => Number(properties[severity]) > 0)
    assert.equal(properties.severity, inCluster.at(-1))
    for (const severity of SEVERITIES) clustered[severity]! += Number(properties[severity])
  }
  const rest = [...ids.values()]
  for (const severity of SEVERITIES)
    assert.equal(clustered[severity], rest.filter((incident) => incident.severity === severity).length)
  assert.equal(countIn(shown), expected.length)
  const newest = shown.map(({ properties }) => Number(properties.newest ?? properties.published_at))
  assert.equal(Math.max(...newest), Math.max(...expected.map((incident) => Date.parse(incident.published_at!) / 1000)))
}

for (const [name, parts, numRuns] of [
  ['few', few, 400],
  ['many', many, 60],
] as const) {
  test(`each incident that matches is in one tile of a zoom, once, with ${name} incidents`, async () => {
    await fc.assert(
      fc.asyncProperty(parts, filter, zoom, async (all, givenFilter, z) => {
        const incidents = all.map(incidentFrom)
        const archive = await archiveOf(incidents)
        const byTile = Map.groupBy(incidents, (incident) => JSON.stringify(tileAt(z, incident)))
        for (const [tile, inTile] of byTile) {
          const expected = inTile.filter((incident) => matches(givenFilter, indexedFieldsOf(incident), NOW))
          check(features(archive, JSON.parse(tile) as Tile, givenFilter), expected)
        }
      }),
      { numRuns: tries(numRuns) },
    )
  })
}

test('an incident has the properties that a map needs; unknown ones are left out', async () => {
  const nowhere = {
    ...anIncident().location,
    place: '"precision":"exact"',
    precision: 'state',
    radius_km: null,
  } as const
  const archive = await archiveOf([
    anIncident(1),
    anIncident(2, { lat: 10, lga: null, location: { ...nowhere, lga_code: null, lga_basis: null } }),
  ])
  const [first] = features(archive, tileAt(10, anIncident()))
  assert.deepEqual(first!.properties, {
    id: anIncident(1).id,
    type: 'kidnapping',
    category: 'abduction',
    severity: 'high',
    confidence: 0.82,
    precision: 'settlement',
    radius_km: 3,
    published_at: Date.parse(anIncident(1).published_at!) / 1000,
    occurred_at: Date.parse(anIncident(1).occurred_at) / 1000,
    state: 'Kaduna',
    state_code: 'NG-KD',
    lga: 'Chikun',
    lga_code: 'NG-KD-CHIKUN',
  })
  const [second] = features(archive, tileAt(10, { ...anIncident(), lat: 10 }))
  assert.equal(second!.properties.precision, 'state')
  for (const unknown of ['radius_km', 'lga', 'lga_code']) assert.ok(!(unknown in second!.properties), unknown)
})

test('a long place name is parsed, and a radius may have decimals', async () => {
  const location = { ...anIncident().location, place: 'é'.repeat(2000), precision: 'exact', radius_km: 0.25 } as const
  const [feature] = features(await archiveOf([anIncident(1, { location })]), { z: 0, x: 0, y: 0 })
  assert.deepEqual([feature!.properties.precision, feature!.properties.radius_km], ['exact', 0.25])
})

test('384 incidents at one point are one mark with their count at every zoom', async () => {
  const archive = await archiveOf(Array.from({ length: 384 }, (_, number) => anIncident(number)))
  for (let z = 0; z <= 16; z++) {
    const shown = features(archive, tileAt(z, anIncident()))
    assert.deepEqual(
      shown.map(({ properties: { count, same_point, state_code, lga } }) => [count, same_point, state_code, lga]),
      [[384, true, 'NG-KD', 'Chikun']],
      `zoom ${z}`,
    )
  }
})

test('a cluster is near the centre of its incidents, with its bounding box and its newest times', async () => {
  const imprecise = { ...anIncident().location, precision: 'lga' } as const
  const all = Array.from({ length: 101 }, (_, number) =>
    anIncident(number, {
      lat: 10,
      lng: number === 0 ? 7.3 : 7.4,
      severity: number === 0 ? 'critical' : 'low',
      ...(number < 7 ? { location: imprecise } : {}),
      ...(number === 5 ? { occurred_at: '2026-02-01T00:00:00.500Z' } : { occurred_at: '2025-02-01T00:00:00.000Z' }),
    }),
  )
  const z = 6
  const tile = tileAt(z, all[0]!)
  const [cluster, ...others] = features(await archiveOf(all), tile)
  assert.deepEqual(others, [])
  const { west, south, east, north, ...properties } = cluster!.properties as Record<string, number | string>
  assert.deepEqual(properties, {
    count: 101,
    severity: 'critical',
    low: 100,
    medium: 0,
    high: 0,
    critical: 1,
    imprecise: 7,
    newest: Date.parse(anIncident(100).published_at!) / 1000,
    newest_occurred_at: Date.UTC(2026, 1, 1) / 1000,
    state: 'Kaduna',
    state_code: 'NG-KD',
    lga: 'Chikun',
    lga_code: 'NG-KD-CHIKUN',
  })
  for (const [actual, expected] of [
    [west, 7.3],
    [south, 10],
    [east, 7.4],
    [north, 10],
  ])
    assert.ok(Math.abs(Number(actual) - Number(expected)) < 3e-6)
  const meanX = Math.floor(((7.399_009_900_990_1 / 360 + 0.5) * 2 ** z - tile.x) * 4096)
  // The mean lies nearer than 20 pixels to an edge of its cell in y, not in x.
  assert.equal(cluster!.x, meanX)
  const [meanY, cellY] = [(mercatorY(10) >> (MERCATOR_BITS - z - 12)) & 4095, 512]
  assert.ok(meanY % cellY < 160 || meanY % cellY > 351, `${meanY % cellY}`)
  assert.equal(cluster!.y, meanY - (meanY % cellY) + (meanY % cellY < 160 ? 160 : 351))
})

test('a cluster names the state or LGA that its incidents share, and no other', async () => {
  const at = (state_code: string, lga_code: string | null) => ({
    location: { ...anIncident().location, state_code, lga_code },
  })
  const namesOf = async (...locations: { location: Incident['location'] }[]) => {
    const archive = await archiveOf(locations.map((location, number) => anIncident(number, location)))
    const [{ properties }] = features(archive, { z: 0, x: 0, y: 0 }) as [Feature]
    return [properties.state ?? null, properties.lga ?? null]
  }
  const chikun = at('NG-KD', 'NG-KD-CHIKUN')
  assert.deepEqual(await namesOf(chikun, chikun), ['Kaduna', 'Chikun'])
  assert.deepEqual(await namesOf(chikun, at('NG-KD', 'NG-KD-ZARIA')), ['Kaduna', null])
  assert.deepEqual(await namesOf(at('NG-KD', null), chikun), ['Kaduna', null])
  assert.deepEqual(await namesOf(at('NG-KD', null), at('NG-KD', null)), ['Kaduna', null])
  assert.deepEqual(await namesOf(chikun, at('NG-LA', 'NG-LA-IKEJA'), chikun), [null, null])
})
