/**
 * Measures how well near-duplicates are found, on pairs made of the UCDP events in ../shared/data
 * (`near-duplicates/`), the same in every run. Recall: the share of pairs of one event that are
 * candidates. Precision: the share of pairs of one event among the candidates, where each kind of
 * pair is equally frequent. The queue: each event's second report against the first reports of
 * all events; how often its own is among the five candidates, and how many others are.
 */
import { Compared, duplicateScore, MIN_DUPLICATE_SCORE, possibleDuplicates } from '../../src/domain/near-duplicates.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import type { Row } from '../harness/row.ts'
import { median } from '../harness/statistics.ts'
import { absent, type Event, readEvents } from '../near-duplicates/events.ts'
import { type Pair, pairsOf } from '../near-duplicates/pairs.ts'
import { firstReport, secondReport } from '../near-duplicates/retelling.ts'

const SEED = 20_261_116
const PAIRS = 2000
const COMPARED = 2500
const LEAST_RECALL = 0.85
const LEAST_PRECISION = 0.9
const MOST_MICROSECONDS = 20

export async function run(): Promise<Row[]> {
  if (absent) return [{ name: 'near-duplicates: all', value: `skipped: ${absent}`, limit: '–', ok: true }]
  // The weights were chosen on the events with an even id.
  const events = (await readEvents()).filter(({ id }) => id % 2 === 1)
  const pairs = pairsOf(events, PAIRS, seededRandom(SEED))
  return [
    ...quality('same day and place', pairs.sameDayAndPlace, [pairs.random, pairs.nearby]),
    ...quality('two newspapers', pairs.retold, [pairs.random, pairs.nearbyRetold]),
    ...queue(events),
    speed(events),
  ]
}

function quality(name: string, same: readonly Pair[], others: readonly (readonly Pair[])[]): Row[] {
  const recall = candidateShare(same)
  const wrong = others.map(candidateShare)
  const precision = recall / (recall + wrong.reduce((sum, share) => sum + share, 0) || 1)
  const rates = wrong.map((share) => percent(share)).join(' of random, ')
  return [
    {
      name: `near-duplicates: recall, ${name}`,
      value: `${percent(recall)} (of ${same.length} pairs)`,
      limit: `≥ ${percent(LEAST_RECALL)}`,
      ok: recall >= LEAST_RECALL,
    },
    {
      name: `near-duplicates: precision, ${name}`,
      value: `${percent(precision)} (wrong: ${rates} of nearby pairs)`,
      limit: `≥ ${percent(LEAST_PRECISION)}`,
      ok: precision >= LEAST_PRECISION,
    },
  ]
}

function candidateShare(pairs: readonly Pair[]): number {
  const found = pairs.filter(([one, other]) => (duplicateScore(one, other) ?? 0) >= MIN_DUPLICATE_SCORE)
  return found.length / pairs.length
}

function queue(events: readonly Event[]): Row[] {
  const told = events.filter(({ headlines }) => headlines.length > 1)
  const firsts = told.map(firstReport)
  const random = seededRandom(SEED)
  let found = 0
  let others = 0
  const compared = firsts.map((incident) => new Compared(incident))
  for (const [at, event] of told.entries()) {
    const candidates = runToEnd(possibleDuplicates(new Compared(secondReport(event, random)), compared))
    if (candidates.some(({ incident }) => incident === firsts[at])) found++
    others += candidates.filter(({ incident }) => incident !== firsts[at]).length
  }
  return [
    {
      name: 'near-duplicates: its own first report is among the five candidates',
      value: `${percent(found / told.length)} (of ${told.length} reports)`,
      limit: `≥ ${percent(LEAST_RECALL)}`,
      ok: found / told.length >= LEAST_RECALL,
    },
    {
      name: 'near-duplicates: other reports among the candidates',
      value: `${(others / told.length).toFixed(2)} for each report`,
      limit: '–',
      ok: true,
    },
  ]
}

/**
 * One report against as many others as the desk compares it with, all within reach; the median of
 * 20.
 */
function speed(events: readonly Event[]): Row {
  const told = events.find(({ headlines }) => headlines.length > 1)!
  const random = seededRandom(SEED)
  const others = Array.from({ length: COMPARED }, () => new Compared(secondReport(told, random)))
  const rounds = Array.from({ length: 20 }, () => {
    const start = performance.now()
    runToEnd(possibleDuplicates(new Compared(told.incident), others))
    return ((performance.now() - start) * 1000) / COMPARED
  })
  const value = median(rounds)
  return {
    name: 'near-duplicates: comparing two',
    value: `${value.toFixed(2)} µs (with ${COMPARED.toLocaleString('en')} others)`,
    limit: `< ${MOST_MICROSECONDS} µs`,
    ok: value < MOST_MICROSECONDS,
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
