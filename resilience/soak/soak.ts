import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../../src/lib/random.ts'
import { onEmptyDatabase, STORE_NAMES, writeHistory } from '../harness/databases.ts'
import { Harness } from '../harness/harness.ts'
import { INSPECTED, readUsage } from '../harness/process-usage.ts'
import { listen, respondAtOnce } from '../harness/webhooks/endpoints.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'
import { CheckedClient } from './checked-client.ts'
import { checkDrift } from './drift.ts'
import { HeldStreams } from './held-streams.ts'
import { startLoad } from './load.ts'
import { formatHeading, formatLine, type MinuteStats, minuteStats } from './minute-stats.ts'
import { readTasks } from './reads.ts'
import { writeTasks } from './writes.ts'

/**
 * Rates per second. Three operators also confirm about two incidents per second for six watches.
 */
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
const TASKS = Object.keys(RATES)
const HISTORY_INCIDENTS = 20_000
const MAX_PAUSE_MS = 3000
const MINUTE_MS = 60_000
/** The second and the last third are compared, so each needs at least one minute. */
const MIN_MINUTES = 3

export const soak: Scenario = {
  description: 'mixed load at a steady rate',
  rounds: 30,
  onlyByName: true,
  async run(minutes, { store = 'sqlite', seed = Math.floor(Math.random() * 2 ** 31) }) {
    if (minutes < MIN_MINUTES) throw new Error(`soak runs for at least ${MIN_MINUTES} minutes, not ${minutes}`)
    return [await onEmptyDatabase(store, (url) => soakStore(STORE_NAMES[store], url, minutes, seed))]
  },
}

/** Prints the measurements of each minute when it ends. */
async function soakStore(setup: string, databaseUrl: string, count: number, seed: number): Promise<ScenarioResult> {
  const random = seededRandom(seed)
  await writeHistory(databaseUrl, HISTORY_INCIDENTS, seed)
  await using endpoint = await listen(respondAtOnce)
  await using harness = await Harness.open({
    databaseUrl,
    processes: 1,
    maxFailures: 2,
    mayHang: true,
    random,
    maxPauseMs: MAX_PAUSE_MS,
    environment: { ...INSPECTED, SIGNUPS_PER_HOUR: '1000000', STREAMS_PER_ACCOUNT: '1000' },
  })
  await harness.nextConfirmation()
  const service = harness.anyService()
  const client = new CheckedClient(service.url!, harness.client.key)
  const streams = new HeldStreams(client, random)
  const history = await readHistoryIds(client)
  const tasks = {
    ...readTasks(client, history, random),
    ...writeTasks(client, history, endpoint.url, random, harness.versions),
    stream: (signal: AbortSignal) => streams.open(signal),
  }
  const stop = new AbortController()
  const load = startLoad(tasks, RATES, random, stop.signal)
  const minutes: MinuteStats[] = []
  console.log(formatHeading(TASKS))
  let before = await readUsage(service.output)
  for (let number = 1; number <= count; number++) {
    await wait(MINUTE_MS)
    harness.check()
    const durations = load.takeDurations()
    const after = await readUsage(service.output)
    minutes.push(minuteStats(before, after, durations))
    before = after
    console.log(formatLine(number, minutes.at(-1)!, TASKS))
  }
  stop.abort()
  await load.ended
  const counts = await harness.finish()
  const { opened, events, outOfOrder } = streams
  const checks = [
    {
      name: 'every response has an expected status',
      passed: load.failures.length === 0,
      observed: `${load.failures.length} failures${load.failures.length > 0 ? `, the first: ${load.failures[0]}` : ''}`,
    },
    {
      name: 'streams deliver events in order',
      passed: outOfOrder === 0 && events > 0,
      observed: `${events} events on ${opened} streams, ${outOfOrder} out of order`,
    },
    ...checkDrift(minutes),
  ]
  return { setup, times: count, counts, checks }
}

/** Returns the oldest incidents, which the harness did not create. */
async function readHistoryIds(client: CheckedClient): Promise<string[]> {
  const { body } = await client.request('/v1/incidents?order=oldest&limit=1000', [200])
  return (JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id)
}
