/**
 * Compares the matcher with PostgreSQL: 100,000 watches with as many filters (see
 * `random-filters.ts`, without routes, which SQL cannot measure without PostGIS), in our matcher
 * and in a table of keys (`peer/match.sql`, with the same keys). First checks that both find the
 * same watches. A call goes from an incident to the ids in this process, one after the other; 200
 * incidents in alternating rounds after one warm-up round; a figure is the median of all its calls.
 */
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { canonicalQuery, type IndexedFields, indexedFieldsOf, type LiveFilter } from '../../src/filter/filter.ts'
import { places } from '../../src/geo/places.ts'
import { Matcher } from '../../src/matching/matcher.ts'
import { startServer } from '../../test/support/databases/postgres-server.ts'
import { FROM, UNTIL } from '../harness/data.ts'
import { standingFilters } from '../harness/random-filters.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile } from '../harness/statistics.ts'
import { SETTINGS } from '../peer/database.ts'
import { openWatchesDatabase } from '../peer/watches-database.ts'

const WATCHES = 100_000
const INCIDENTS = 200
const ROUNDS = 3

export async function run(): Promise<Row[]> {
  const incidents = [...syntheticIncidents({ places, seed: 5, count: INCIDENTS, from: FROM, until: UNTIL })]
  const facts = incidents.map(indexedFieldsOf)
  const filters = differentFilters(standingFilters(incidents))
  const matcher = new Matcher<number>()
  for (const [id, filter] of filters.entries()) matcher.set(id, canonicalQuery(filter), () => filter)
  await using server = await startServer({ settings: SETTINGS })
  await using database = await openWatchesDatabase(server.url, filters)

  const ours = (each: IndexedFields) => {
    const ids: number[] = []
    for (const { subscribers } of matcher.matchesFor(each)) for (const id of subscribers) ids.push(id)
    return ids
  }
  const theirs = (each: IndexedFields) => database.matchesFor(each)
  const counts: number[] = []
  for (const each of facts) counts.push(assertEqual(ours(each), await theirs(each)))

  const own: number[] = []
  const other: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const [one, two] = [await times(facts, ours), await times(facts, theirs)]
    if (round === 0) continue
    own.push(...one)
    other.push(...two)
  }
  const ratio = median(other) / median(own)
  const matching = `${median(counts)} watches match, most ${Math.max(...counts)}`
  return [
    {
      name: 'peer-matching: an incident against 100,000 watches',
      value: `${told(own)}, ${ratio.toFixed(0)} times as quick (${matching})`,
      limit: '–',
      peer: `a table of keys in PostgreSQL: ${told(other)}`,
      ok: true,
    },
  ]
}

function told(times: readonly number[]): string {
  return `p50 ${median(times).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`
}

function differentFilters(drawn: Generator<LiveFilter>): LiveFilter[] {
  const different = new Map<string, LiveFilter>()
  for (const filter of drawn) {
    if (filter.route === null) different.set(canonicalQuery(filter), filter)
    if (different.size === WATCHES) break
  }
  return [...different.values()]
}

/** Throws if the two differ, which would make the comparison meaningless; returns the count. */
function assertEqual(ours: readonly number[], theirs: readonly number[]): number {
  const [one, other] = [ours, theirs].map((ids) => ids.toSorted((a, b) => a - b).join())
  if (one !== other) throw new Error(`the peer finds ${theirs.length} watches, ours ${ours.length}`)
  return ours.length
}

/** Returns the time of each call in milliseconds. */
async function times(facts: readonly IndexedFields[], work: (each: IndexedFields) => unknown): Promise<number[]> {
  const times: number[] = []
  for (const each of facts) {
    const started = performance.now()
    await work(each)
    times.push(performance.now() - started)
  }
  return times
}
