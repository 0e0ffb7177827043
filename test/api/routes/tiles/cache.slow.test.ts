import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TileCache, TileRenderer } from '../../../../src/api/tiles.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../../../src/archive/columns/columns.ts'
import { SlicedQueries } from '../../../../src/archive/sliced-queries.ts'
import { EVERYTHING, type Filter } from '../../../../src/filter/filter.ts'
import { places } from '../../../../src/geo/places.ts'
import { runToEnd } from '../../../../src/lib/steps.ts'
import { DAY, EPOCH, filter, incidentFrom, incidentParts } from '../../../support/arbitrary.ts'
import { anAsker, anEvent, emptyArchive } from '../../../support/archive.ts'
import fc from '../../../support/fast-check.ts'
import { anIncident } from '../../../support/incident.ts'
import { tries } from '../../../support/tier.ts'

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
