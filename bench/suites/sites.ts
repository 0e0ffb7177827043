/**
 * Measures watches of sites in process: one watch with 10,000 sites over Nigeria, and 1,000 watches
 * of as many accounts with 10,000 sites each. Radii are from 1 to 25 km. After 1,000 warm-up
 * incidents, 5,000 other synthetic ones are matched, each call timed by itself. The hostile list
 * has circles that all end just before the incident: each must be compared exactly.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { MAX_NAMED_SITES, MAX_SITES, packPositions } from '../../src/domain/sites.ts'
import { EVERYTHING, type IndexedFields, indexedFieldsOf, NOT_LIVE } from '../../src/filter/filter.ts'
import { SiteIndex } from '../../src/filter/site-index.ts'
import { places } from '../../src/geo/places.ts'
import { distanceKm, KM_PER_DEGREE } from '../../src/lib/geometry.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Matcher } from '../../src/matching/matcher.ts'
import { FROM, UNTIL } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile, timed } from '../harness/statistics.ts'

const ACCOUNTS = 1000
const INCIDENTS = 5000
const WARM_UP = 1000
const MOST_MILLISECONDS = 0.3

export async function run(): Promise<Row[]> {
  const incidents = syntheticIncidents({ places, seed: 5, count: WARM_UP + INCIDENTS, from: FROM, until: UNTIL })
  const facts = [...incidents].map(indexedFieldsOf)
  const random = seededRandom(20)
  const single = new SiteIndex('sit_1', 1, packPositions(sitesOverNigeria(random)))
  const one = timesOf(matcherOf([single]), facts)
  const hostile = timesOfOnePoint(facts[0]!, random)
  const named = facts.slice(WARM_UP).map(({ lat, lng }) => timed(() => single.sitesNear(lat, lng, MAX_NAMED_SITES)))
  const before = usedBytes()
  const packed = Array.from({ length: ACCOUNTS }, () => packPositions(sitesOverNigeria(random)))
  const started = process.cpuUsage()
  const lists = packed.map((each, number) => new SiteIndex(`sit_${number}`, 1, each))
  const indexed = process.cpuUsage(started).user / 1000 / ACCOUNTS
  packed.length = 0
  const matcher = matcherOf(lists)
  const bytes = usedBytes() - before
  const all = timesOf(matcher, facts.slice(0, WARM_UP + INCIDENTS / 10))
  return [
    {
      name: 'sites: an incident, one watch of 10,000 sites',
      value: `p50 ${median(one).toFixed(4)}, p99 ${percentile(one, 0.99).toFixed(4)} ms`,
      limit: `p99 < ${MOST_MILLISECONDS} ms`,
      ok: percentile(one, 0.99) < MOST_MILLISECONDS,
    },
    informing(
      'an incident, 1,000 watches of 10,000 sites each',
      `p50 ${median(all).toFixed(2)}, p99 ${percentile(all, 0.99).toFixed(2)} ms`,
    ),
    informing(
      'memory of 1,000 lists of 10,000 sites',
      `${(bytes / 1e6).toFixed(0)} MB, ${(bytes / ACCOUNTS / 1000).toFixed(0)} KB each`,
    ),
    informing('indexing a list of 10,000 sites', `${indexed.toFixed(1)} ms of a processor`),
    informing(
      'an incident, one watch of a hostile list',
      `p50 ${median(hostile).toFixed(4)}, p99 ${percentile(hostile, 0.99).toFixed(4)} ms`,
    ),
    informing(
      'which of 10,000 are near, for a message',
      `p50 ${median(named).toFixed(4)}, p99 ${percentile(named, 0.99).toFixed(4)} ms`,
    ),
  ]
}

function sitesOverNigeria(random: () => number) {
  return Array.from({ length: MAX_SITES }, () => ({
    latitude: 4.3 + random() * 9.5,
    longitude: 2.7 + random() * 11.9,
    radiusKm: 1 + random() * 24,
  }))
}

function timesOfOnePoint(facts: IndexedFields, random: () => number): number[] {
  const sites = Array.from({ length: MAX_SITES }, () => {
    const [turn, away] = [random() * 2 * Math.PI, (5 + random() * 90) / KM_PER_DEGREE]
    const latitude = facts.lat + Math.sin(turn) * away
    const longitude = facts.lng + Math.cos(turn) * away
    return { latitude, longitude, radiusKm: distanceKm(latitude, longitude, facts.lat, facts.lng) - 0.002 }
  })
  const matcher = matcherOf([new SiteIndex('sit_1', 1, packPositions(sites))])
  return timesOf(matcher, Array<IndexedFields>(WARM_UP + INCIDENTS / 10).fill(facts))
}

function matcherOf(lists: readonly SiteIndex[]): Matcher<number> {
  const matcher = new Matcher<number>()
  for (const [number, sites] of lists.entries())
    matcher.set(number, sites.text, () => ({ ...EVERYTHING, ...NOT_LIVE, sites }))
  return matcher
}

function timesOf(matcher: Matcher<number>, facts: readonly IndexedFields[]): number[] {
  for (const each of facts.slice(0, WARM_UP)) matcher.matchesFor(each)
  return facts.slice(WARM_UP).map((each) => timed(() => matcher.matchesFor(each)))
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function informing(name: string, value: string): Row {
  return { name: `sites: ${name}`, value, limit: '–', ok: true }
}
