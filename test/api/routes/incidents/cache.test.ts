import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentListSource, ListCache } from '../../../../src/api/incidents/incidents.ts'
import { StatisticsCache } from '../../../../src/api/statistics.ts'
import { TileCache, TileRenderer } from '../../../../src/api/tiles.ts'
import { SlicedQueries } from '../../../../src/archive/sliced-queries.ts'
import { parseGrouping } from '../../../../src/filter/grouping.ts'
import { parseListing } from '../../../../src/filter/listing.ts'
import { places } from '../../../../src/geo/places.ts'
import { EPOCH } from '../../../support/arbitrary.ts'
import { anAsker, anEvent, emptyArchive } from '../../../support/archive.ts'
import { anIncident } from '../../../support/incident.ts'

const MOST = 200_000
const queries = new SlicedQueries()
/** A query of 4 KB whose answer is small; each number gives another one. */
const longQuery = (number: number) =>
  `lga=${places.lgas.slice(0, 100).map(({ code }) => code)}&min_confidence=${(number / 1e6).toFixed(6)}`

async function anArchive() {
  const archive = await emptyArchive()
  archive.apply([anEvent(1, anIncident(1))])
  return archive
}

test('lists with long keys stay within the bytes of the cache', async () => {
  const archive = await anArchive()
  const cache = new ListCache(incidentListSource(places), queries, MOST)
  for (let number = 0; number < 300; number++) {
    cache.getList(archive, longQuery(number), 'json', EPOCH, anAsker)
    assert.ok(cache.size <= MOST, `${cache.size} bytes`)
  }
  assert.ok(cache.size > 0)
})

test('the same list under many spellings stays within the bytes of the cache', async () => {
  const archive = await anArchive()
  const cache = new ListCache(incidentListSource(places), queries, MOST)
  const first = cache.getList(archive, 'state=Kaduna', 'json', EPOCH, anAsker)
  for (let number = 0; number < 300; number++) {
    const spelling = `state=${'%20'.repeat(1 + number)}Kaduna`
    assert.equal(cache.getList(archive, spelling, 'json', EPOCH, anAsker), first)
    assert.ok(cache.size <= MOST, `${cache.size} bytes`)
  }
})

test('a list larger than the cache is sent but not kept', async () => {
  const archive = await anArchive()
  const cache = new ListCache(incidentListSource(places), queries, 1000)
  const list = cache.getList(archive, 'limit=1', 'json', EPOCH, anAsker)
  assert.ok(!(list instanceof Promise) && list.body.length > 1000)
  assert.equal(cache.size, 0)
})

test('statistics with long keys stay within the bytes of the cache', async () => {
  const archive = await anArchive()
  const cache = new StatisticsCache(places, queries, MOST)
  for (let number = 0; number < 300; number++) {
    const grouping = parseGrouping(new URLSearchParams(`group_by=state&${longQuery(number)}`), places)
    await cache.getStatistics(archive, grouping, EPOCH, anAsker)
    assert.ok(cache.size <= MOST, `${cache.size} bytes`)
  }
  assert.ok(cache.size > MOST / 2)
})

test('empty tiles with long keys count too', async () => {
  const archive = await anArchive()
  const cache = new TileCache(new TileRenderer(places), queries, MOST)
  for (let number = 0; number < 300; number++) {
    const { filter } = parseListing(new URLSearchParams(longQuery(number)), places)
    await cache.getTile(archive, { z: 12, x: number, y: 1 }, filter, EPOCH, anAsker)
    assert.ok(cache.size <= MOST, `${cache.size} bytes`)
  }
  assert.ok(cache.size > MOST / 2)
})
