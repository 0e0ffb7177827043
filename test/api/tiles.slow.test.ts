import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TileCache, TileRenderer } from '../../src/api/tiles.ts'
import type { Archive } from '../../src/archive/archive.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../src/archive/columns/columns.ts'
import { SlicedQueries } from '../../src/archive/sliced-queries.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { SEVERITIES } from '../../src/domain/taxonomy.ts'
import { EVERYTHING, type Filter, indexedFieldsOf } from '../../src/filter/filter.ts'
import { matches } from '../../src/filter/matches.ts'
import { DISC_RADIUS_PIXELS, EXTENT_BITS, TILE_PIXELS, type Tile } from '../../src/filter/tile.ts'
import { places } from '../../src/geo/places.ts'
import { isInBox } from '../../src/lib/geometry.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { DAY, EPOCH, filter, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import { anAsker, anEvent, emptyArchive } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { countIn, type Feature, featuresOf } from '../support/readers.ts'
import { tries } from '../support/tier.ts'

describe('grid', () => {
  const NOW = EPOCH + 13 * DAY
  const ZOOMS = [4, 5, 6, 7, 8, 9, 10, 11, 12] as const
  const CELLS_PER_TILE = 8
  const UNITS_PER_PIXEL = 2 ** EXTENT_BITS / TILE_PIXELS
  const renderer = new TileRenderer(places)

  /** A mark with its position in pixels of the whole world at its zoom. */
  interface Mark {
    readonly x: number
    readonly y: number
    readonly properties: Readonly<Record<string, unknown>>
  }

  interface Position {
    readonly lat: number
    readonly lng: number
  }

  const cellAt = (z: number, { lat, lng }: Position) => {
    const shift = MERCATOR_BITS - z - Math.log2(CELLS_PER_TILE)
    return `${mercatorX(lng) >> shift}/${mercatorY(lat) >> shift}`
  }
  const tileAt = (z: number, { lat, lng }: Position) => ({
    z,
    x: mercatorX(lng) >> (MERCATOR_BITS - z),
    y: mercatorY(lat) >> (MERCATOR_BITS - z),
  })

  /** Reads the marks of all tiles with incidents and of those around them. */
  function marksAt(z: number, archive: Archive, incidents: readonly Position[], given: Filter = EVERYTHING) {
    const tiles = new Map<string, { z: number; x: number; y: number }>()
    for (const incident of incidents) {
      const { x, y } = tileAt(z, incident)
      for (const [dx, dy] of [-1, 0, 1].flatMap((across) => [-1, 0, 1].map((down) => [across, down] as const))) {
        if (x + dx < 0 || y + dy < 0 || x + dx >= 2 ** z || y + dy >= 2 ** z) continue
        tiles.set(`${x + dx}/${y + dy}`, { z, x: x + dx, y: y + dy })
      }
    }
    return [...tiles.values()].flatMap((tile): Mark[] => {
      const { body } = runToEnd(renderer.renderTile(archive.view, tile, given, NOW))
      return featuresOf(body).map(({ x, y, properties }) => ({
        x: tile.x * TILE_PIXELS + x / UNITS_PER_PIXEL,
        y: tile.y * TILE_PIXELS + y / UNITS_PER_PIXEL,
        properties,
      }))
    })
  }

  const cellOfMark = ({ x, y }: Mark) =>
    `${Math.floor(x / (TILE_PIXELS / CELLS_PER_TILE))}/${Math.floor(y / (TILE_PIXELS / CELLS_PER_TILE))}`

  /**
   * Some incidents lie close together, or at one point, around the corner where four tiles meet.
   */
  const nearCorner = fc.record({ dx: fc.double({ min: -1, max: 1, noNaN: true }), same: fc.boolean() })
  const scattered = fc
    .tuple(incidentParts, fc.option(nearCorner))
    .map(([parts, near]) =>
      near === null ? parts : { ...parts, lat: near.same ? 10.5 : near.dx / 30, lng: 11.25 + near.dx ** 3 / 10 },
    )
  const incidents = fc.array(scattered, { minLength: 1, maxLength: 150, size: 'max' })

  async function archiveOf(all: readonly Incident[]): Promise<Archive> {
    const archive = await emptyArchive()
    archive.apply(all.map((incident, index) => anEvent(index + 1, incident)))
    return archive
  }

  test('at every zoom from 4 to 12 each incident is in the mark of its own cell, and in no other tile', async () => {
    await fc.assert(
      fc.asyncProperty(incidents, filter, async (parts, given) => {
        const all = parts.map(incidentFrom)
        const archive = await archiveOf(all)
        const matching = all.filter((incident) => matches(given, indexedFieldsOf(incident), NOW))
        for (const z of ZOOMS) {
          const marks = marksAt(z, archive, all, given)
          assert.equal(countIn(marks as never), matching.length, `zoom ${z}`)
          const byCell = Map.groupBy(matching, (incident) => cellAt(z, incident))
          assert.equal(marks.length, byCell.size, `one mark in each cell at zoom ${z}`)
          for (const mark of marks) {
            const inCell = byCell.get(cellOfMark(mark)) ?? []
            const { id, count, imprecise } = mark.properties
            assert.equal(count ?? 1, inCell.length, `zoom ${z}`)
            if (count === undefined) assert.equal(id, inCell[0]!.id)
            else
              assert.equal(imprecise, inCell.filter(({ location }) => /^(lga|state)$/.test(location.precision)).length)
          }
        }
      }),
      { numRuns: tries(30) },
    )
  })

  test('at every zoom from 4 to 12 no two discs touch, across tiles too', async () => {
    await fc.assert(
      fc.asyncProperty(incidents, async (parts) => {
        const all = parts.map(incidentFrom)
        const archive = await archiveOf(all)
        for (const z of ZOOMS) {
          const discs = marksAt(z, archive, all).filter(({ properties }) => 'count' in properties)
          for (const [index, one] of discs.entries()) {
            for (const other of discs.slice(index + 1)) {
              const distance = Math.hypot(one.x - other.x, one.y - other.y)
              assert.ok(distance > 2 * DISC_RADIUS_PIXELS, `${distance} pixels apart at zoom ${z}`)
            }
          }
        }
      }),
      { numRuns: tries(30) },
    )
  })

  test('one more incident changes the mark of its own cell and no other', async () => {
    await fc.assert(
      fc.asyncProperty(incidents, scattered, async (parts, added) => {
        const all = parts.map(incidentFrom)
        const archive = await archiveOf(all)
        const incident = incidentFrom(added, all.length)
        const where = [...all, incident]
        const before = ZOOMS.map((z) => marksAt(z, archive, where))
        archive.apply([anEvent(all.length + 1, incident)])
        for (const [index, z] of ZOOMS.entries()) {
          const own = cellAt(z, incident)
          const others = (marks: readonly Mark[]) => marks.filter((mark) => cellOfMark(mark) !== own)
          const after = marksAt(z, archive, where)
          assert.deepEqual(others(after), others(before[index]!), `zoom ${z}`)
          assert.equal(countIn(after as never), all.length + 1)
        }
      }),
      { numRuns: tries(30) },
    )
  })
})

describe('cache', () => {
  const renderer = new TileRenderer(places)
  const queries = new SlicedQueries()
  /** Tiles that contain nearly all, half or little of Nigeria. */
  const TILES = [
    { z: 0, x: 0, y: 0 },
    { z: 5, x: 16, y: 15 },
    { z: 6, x: 33, y: 30 },
  ]
  const LATELY: Filter = { ...EVERYTHING, since: { count: 36, unit: 'h' } }
  const change = fc.record({ number: fc.nat(12), parts: fc.option(incidentParts, { freq: 4 }), hours: fc.nat(30) })

  test('a cached tile always equals a newly rendered one, after any events and at any time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 40 }),
        fc.array(filter, { minLength: 1, maxLength: 3 }),
        async (changes, filters) => {
          const archive = await emptyArchive()
          const cache = new TileCache(renderer, queries)
          let now = EPOCH
          for (const [index, { number, parts, hours }] of changes.entries()) {
            const incident = parts ? incidentFrom(parts, number) : anIncident(number, { status: 'retracted' })
            archive.apply([anEvent(index + 1, incident, parts ? 'incident.updated' : 'incident.retracted')])
            now += hours * (DAY / 24)
            for (const tile of TILES) {
              for (const givenFilter of [EVERYTHING, LATELY, ...filters]) {
                const { body } = runToEnd(renderer.renderTile(archive.view, tile, givenFilter, now))
                const cached = await cache.getTile(archive, tile, givenFilter, now, anAsker)
                assert.deepEqual(cached?.body ?? null, body)
              }
            }
          }
        },
      ),
      { numRuns: tries(150) },
    )
  })

  test('an event keeps the cached tiles of other places and other filters', async () => {
    const archive = await emptyArchive()
    const cache = new TileCache(renderer, queries)
    archive.apply([anEvent(1, anIncident(1)), anEvent(2, anIncident(2, { lat: 6.5, lng: 3.4 }))])
    const find = (z: number, x: number, y: number, givenFilter = EVERYTHING) =>
      cache.getTile(archive, { z, x, y }, givenFilter, EPOCH, anAsker)
    const ask = async () => ({
      here: await find(6, 33, 30),
      there: await find(6, 32, 30),
      protests: await find(6, 33, 30, { ...EVERYTHING, severities: ['low'] }),
      high: await find(6, 33, 30, { ...EVERYTHING, severities: ['high'] }),
    })
    const before = await ask()
    assert.deepEqual(Object.values(before).map(Boolean), [true, true, false, true])
    archive.apply([anEvent(3, anIncident(3))])
    const after = await ask()
    assert.deepEqual(
      [after.here === before.here, after.there === before.there, after.high === before.high],
      [false, true, false],
    )
    const other = await emptyArchive()
    assert.equal(await cache.getTile(other, { z: 6, x: 32, y: 30 }, EVERYTHING, EPOCH, anAsker), null)
  })

  test('after more events than the archive remembers, no outdated tile is sent', async () => {
    const archive = await emptyArchive()
    const cache = new TileCache(renderer, queries)
    const world = () => cache.getTile(archive, TILES[0]!, EVERYTHING, EPOCH, anAsker)
    assert.equal(await world(), null)
    archive.apply(Array.from({ length: 5000 }, (_, index) => anEvent(index + 1, anIncident(index))))
    assert.equal(archive.changesSince(0), null)
    assert.notEqual(await world(), null)
  })

  test('the cache stays within its size and keeps the most recently used tile', async () => {
    const archive = await emptyArchive()
    archive.apply(Array.from({ length: 90 }, (_, index) => anEvent(index + 1, anIncident(index))))
    const most = 80_000
    const [x, y] = [mercatorX(anIncident().lng), mercatorY(anIncident().lat)]
    const cache = new TileCache(renderer, queries, most)
    for (let z = 1; z <= 16; z++) {
      for (let least = 1; least <= 9; least++) {
        const world = await cache.getTile(archive, TILES[0]!, EVERYTHING, EPOCH, anAsker)
        await cache.getTile(
          archive,
          { z, x: x >> (MERCATOR_BITS - z), y: y >> (MERCATOR_BITS - z) },
          { ...EVERYTHING, minConfidence: least / 10 },
          EPOCH,
          anAsker,
        )
        assert.equal(await cache.getTile(archive, TILES[0]!, EVERYTHING, EPOCH, anAsker), world)
        assert.ok(cache.size <= most)
      }
    }
    assert.ok(cache.size > most / 2)
  })
})

describe('response', () => {
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
    assert.equal(
      Math.max(...newest),
      Math.max(...expected.map((incident) => Date.parse(incident.published_at!) / 1000)),
    )
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
})
