/**
 * Measures the matcher in process: 1,000,000 watches with 100,000 different filters (see
 * `random-filters.ts`; a few filters have thousands of watches, most have one or two). After 1,000
 * warm-up incidents, 5,000 other synthetic incidents are matched in three passes; each call is
 * timed separately, and p99 covers all of them. "Quiet" is the p99 of each incident's best pass.
 * Memory is the growth of the heap and its buffers, with the filters; subscribers are plain
 * numbers.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { canonicalQuery, indexedFieldsOf, type LiveFilter } from '../../src/filter/filter.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Matcher } from '../../src/matching/matcher.ts'
import { FROM, UNTIL } from '../harness/data.ts'
import { standingFilters } from '../harness/random-filters.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile, timed } from '../harness/statistics.ts'

const WATCHES = 1_000_000
const FILTERS = 100_000
const INCIDENTS = 5000
const WARM_UP = 1000
const PASSES = 3
const MOST_MILLISECONDS = 0.7
const MOST_BYTES_A_WATCH = 400

export async function run(): Promise<Row[]> {
  const incidents = [...syntheticIncidents({ places, seed: 5, count: WARM_UP + INCIDENTS, from: FROM, until: UNTIL })]
  const facts = incidents.map(indexedFieldsOf)
  const before = usedBytes()
  const started = performance.now()
  const matcher = fill(standingFilters(incidents))
  const filled = performance.now() - started
  const bytes = (usedBytes() - before) / WATCHES

  for (const each of facts.slice(0, WARM_UP)) matcher.matchesFor(each)
  const asked = facts.slice(WARM_UP)
  const counts = asked.map((each) => matcher.matchesFor(each).length)
  const passes = Array.from({ length: PASSES }, () => asked.map((each) => timed(() => matcher.matchesFor(each))))
  const changes = asked.slice(1).map((each, at) => timed(() => matcher.matchesFor(each, [asked[at]!])))
  const best = passes[0]!.map((_, at) => Math.min(...passes.map((pass) => pass[at]!)))
  return [
    timeRow('an incident', passes.flat(), `, quiet ${percentile(best, 0.99).toFixed(3)}`),
    { ...timeRow('an incident and the version before it', changes, ''), limit: '–', ok: true },
    informing('filters that match an incident', `median ${median(counts)}, most ${Math.max(...counts)}`),
    {
      name: 'matching: memory for a watch',
      value: `${bytes.toFixed(0)} bytes (${((bytes * WATCHES) / 1e6).toFixed(0)} MB in all)`,
      limit: `< ${MOST_BYTES_A_WATCH} bytes`,
      ok: bytes < MOST_BYTES_A_WATCH,
    },
    informing('adding a watch', `${((filled * 1000) / WATCHES).toFixed(1)} µs, drawing its filter included`),
  ]
}

function fill(filters: Generator<LiveFilter>): Matcher<number> {
  const matcher = new Matcher<number>()
  const different: { text: string; filter: LiveFilter }[] = []
  const add = ({ text, filter }: (typeof different)[number]) =>
    matcher.set(matcher.size.subscribers, text, () => filter)
  for (const filter of filters) {
    different.push({ text: canonicalQuery(filter), filter })
    add(different.at(-1)!)
    if (matcher.size.filters === FILTERS) break
  }
  const random = seededRandom(12)
  while (matcher.size.subscribers < WATCHES) add(different[Math.floor(different.length * random() ** 4)]!)
  return matcher
}

function timeRow(name: string, times: readonly number[], more: string): Row {
  const p99 = percentile(times, 0.99)
  return {
    name: `matching: ${name}`,
    value: `p99 ${p99.toFixed(3)} ms (p50 ${median(times).toFixed(3)}${more}, most ${Math.max(...times).toFixed(1)})`,
    limit: `p99 ≤ ${MOST_MILLISECONDS} ms`,
    ok: p99 <= MOST_MILLISECONDS,
  }
}

function informing(name: string, value: string): Row {
  return { name: `matching: ${name}`, value, limit: '–', ok: true }
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
