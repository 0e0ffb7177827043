import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../../src/lib/random.ts'
import { onEmptyDatabase, STORE_NAMES, writeHistory } from '../harness/databases.ts'
import { Harness } from '../harness/harness.ts'
import { INSPECTED, readUsage } from '../harness/process-usage.ts'
import { listen, respondAtOnce } from '../harness/webhooks/endpoints.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'
import { Asking } from './checked-client.ts'
import { verdictOn } from './drift.ts'
import { HeldStreams } from './held-streams.ts'
import { startLoad } from './load.ts'
import { headingOf, lineOf, type Minute, minuteOf } from './minute-stats.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

/** A second. Besides, three operators confirm about two incidents a second, each owed to up to six watches. */
const RATES = {
  list: 20,
  conditional: 20,
  one: 10,
  statistics: 5,
  tile: 20,
  changes: 5,
  feed: 1,
  months: 1,
  place: 5,
  stream: 1,
  correction: 1,
  retraction: 0.2,
  report: 1,
  watch: 0.5,
  key: 0.5,
}
const KINDS = Object.keys(RATES)
const HISTORY = 20_000
const PAUSE = 3000
const MINUTE = 60_000
/** Two thirds must be left to compare. */
const LEAST_MINUTES = 3

export const soak: Scenario = {
  description: 'mixed load at a steady rate for so many minutes',
  rounds: 30,
  onlyByName: true,
  async run(minutes, { store = 'sqlite', seed = Math.floor(Math.random() * 2 ** 31) }) {
    if (minutes < LEAST_MINUTES) throw new Error(`a soak takes at least ${LEAST_MINUTES} minutes, not ${minutes}`)
    return [await onEmptyDatabase(store, (url) => soakOne(STORE_NAMES[store], url, minutes, seed))]
  },
}

/** Each minute is printed as it ends. */
async function soakOne(setup: string, databaseUrl: string, count: number, seed: number): Promise<ScenarioResult> {
  const random = seededRandom(seed)
  await writeHistory(databaseUrl, HISTORY, seed)
  await using endpoint = await listen(respondAtOnce)
  await using harness = await Harness.open({
    databaseUrl,
    processes: 1,
    maxFailures: 2,
    mayHang: true,
    random,
    maxPauseMs: PAUSE,
    environment: { ...INSPECTED, SIGNUPS_PER_HOUR: '1000000', STREAMS_PER_KEY: '1000' },
  })
  await harness.nextConfirmation()
  const service = harness.anyService()
  const asking = new Asking(service.url!, harness.client.key)
  const streams = new HeldStreams(asking, random)
  const history = await incidentsOf(asking)
  const works = {
    ...reads(asking, history, random),
    ...writes(asking, history, endpoint.url, random),
    stream: (signal: AbortSignal) => streams.open(signal),
  }
  const stop = new AbortController()
  const load = startLoad(works, RATES, random, stop.signal)
  const minutes: Minute[] = []
  console.log(headingOf(KINDS))
  let before = await readUsage(service.output)
  for (let number = 1; number <= count; number++) {
    await wait(MINUTE)
    harness.check()
    const durations = load.take()
    const after = await readUsage(service.output)
    minutes.push(minuteOf(before, after, durations))
    before = after
    console.log(lineOf(number, minutes.at(-1)!, KINDS))
  }
  stop.abort()
  await load.ended
  const counts = await harness.finish()
  const { opened, events, outOfOrder } = streams
  const checks = [
    {
      name: 'every answer is the one expected',
      passed: load.failures.length === 0,
      observed: `${load.failures.length} others${load.failures.length > 0 ? `, the first: ${load.failures[0]}` : ''}`,
    },
    {
      name: 'streams give events in order',
      passed: outOfOrder === 0 && events > 0,
      observed: `${events} events on ${opened} streams, ${outOfOrder} out of sequence`,
    },
    ...verdictOn(minutes),
  ]
  return { setup, times: count, counts, checks }
}

/** The oldest, which the harness has nothing to do with. */
async function incidentsOf(asking: Asking): Promise<string[]> {
  const { body } = await asking.ask('/v1/incidents?order=oldest&limit=1000', [200])
  return (JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id)
}
