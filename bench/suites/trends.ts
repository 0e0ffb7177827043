/**
 * Measures trends in process, with 100,000 and with 1,000,000 incidents over ten years: processor
 * time of the process for an answer computed from nothing, for the same answer after an event that
 * changes it, and after one that does not. Each event is an incident that happened within the last
 * day somewhere in the country.
 */

import { FollowedTrends } from '../../src/api/trends/followed-trends.ts'
import type { Archive } from '../../src/archive/archive.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { parseTrendQuestion } from '../../src/filter/trend-question.ts'
import { places } from '../../src/geo/places.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { anEvent } from '../../test/support/archive.ts'
import { archiveOf, MILLION, UNTIL } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile, whole } from '../harness/statistics.ts'

const COUNTS = [100_000, MILLION]
const ROUNDS = 5
const EVENTS = 100
const DAY = 86_400_000

const QUESTIONS = [
  { name: 'the country, 2 months', query: 'period=month', most: 100, mostAfterEvent: 5 },
  { name: 'all states, 2 months', query: 'group_by=state&period=month', most: 150, mostAfterEvent: 5 },
  { name: 'all LGAs, 2 months', query: 'group_by=lga&period=month', most: 400, mostAfterEvent: 20 },
  { name: 'all LGAs, 5 weeks', query: 'group_by=lga&period=week&periods=5', most: 1200, mostAfterEvent: 40 },
]

export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of COUNTS) {
    const archive = await archiveOf(count)
    for (const question of QUESTIONS) rows.push(...rowsFor(archive, question, count))
    rows.push(elsewhereRow(archive, count))
  }
  return rows
}

function rowsFor(
  archive: Archive,
  { name, query, most, mostAfterEvent }: (typeof QUESTIONS)[number],
  count: number,
): Row[] {
  const asked = parseTrendQuestion(new URLSearchParams(query), places, UNTIL)
  const subject = `${name}, ${whole(count)} incidents`
  const read = (followed: FollowedTrends) => followed.read(archive, archive.view, UNTIL)
  const first = Array.from({ length: ROUNDS }, () => cpuMilliseconds(() => runToEnd(read(new FollowedTrends(asked)))))
  const followed = new FollowedTrends(asked)
  runToEnd(read(followed))
  const later = Array.from({ length: EVENTS }, () => {
    publishOne(archive)
    return cpuMilliseconds(() => runToEnd(read(followed)))
  })
  return [
    timesRow(`trends: ${subject}, from nothing`, first, most, median(first)),
    timesRow(`trends: ${subject}, after an event`, later, mostAfterEvent, percentile(later, 0.99)),
  ]
}

/** A question for one state, after an event in another. */
function elsewhereRow(archive: Archive, count: number): Row {
  const asked = parseTrendQuestion(new URLSearchParams('period=week&periods=12&state=NG-BY'), places, UNTIL)
  const followed = new FollowedTrends(asked)
  const read = () => runToEnd(followed.read(archive, archive.view, UNTIL))
  let trends = read()
  const times: number[] = []
  while (times.length < EVENTS) {
    publishOne(archive)
    const ms = cpuMilliseconds(read)
    const next = read()
    if (next === trends) times.push(ms)
    trends = next
  }
  const name = `trends: one state, 12 weeks, ${whole(count)} incidents, after an event elsewhere`
  return timesRow(name, times, 1, percentile(times, 0.99))
}

function timesRow(name: string, times: readonly number[], most: number, held: number): Row {
  const value = `median ${median(times).toFixed(2)} ms of processor time (p99 ${percentile(times, 0.99).toFixed(2)})`
  return { name, value, limit: `≤ ${most} ms`, ok: held <= most }
}

const NEW = syntheticIncidents({ places, seed: 7, count: 10_000, from: UNTIL - DAY, until: UNTIL })

function publishOne(archive: Archive): void {
  const { value, done } = NEW.next()
  if (done) throw new Error('there are no more incidents to publish')
  archive.apply([anEvent(archive.head.seq + 1, value)])
}

function cpuMilliseconds(call: () => unknown): number {
  const before = process.cpuUsage()
  call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
