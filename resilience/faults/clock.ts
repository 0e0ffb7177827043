import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../test/support/app.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import type { Check } from '../harness/check.ts'
import { Reader } from '../harness/clients/reader.ts'
import { StreamReader } from '../harness/clients/stream-reader.ts'
import { onEachStore } from '../harness/databases.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { type Change, Harness } from '../harness/harness.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface ClockOptions {
  readonly rounds: number
  /** A round ends at a random moment within so many milliseconds. */
  readonly maxRoundMs: number
  readonly random: () => number
}

const LONG = { maxRoundMs: 4000, random: Math.random }
/** From a clock that was set to the next incident at an endpoint. */
const DELIVERED_WITHIN = 10_000
const HOURS = 1

/** Sets the service's clock back and forward by an hour, in turn, while it runs; lastly back. */
export async function setClock(
  setup: string,
  databaseUrl: string,
  clock: FakeClock,
  options: ClockOptions,
): Promise<ScenarioResult> {
  const { rounds, random } = options
  const base = { processes: 1, maxFailures: 1, mayHang: false, environment: clock.environment }
  await using harness = await Harness.open({ ...options, ...base, databaseUrl })
  await harness.nextConfirmation()
  const url = () => harness.services[0]!.url
  const reader = await Reader.start(harness.client.key, url)
  await using stream = new StreamReader(harness.client.key, url, 0)
  const cursor = await nextCursor(harness)
  let longest = 0
  let refused = 0
  for (let round = 0; round < rounds && harness.isWorking; round++) {
    await harness.nextConfirmation()
    await wait(random() * options.maxRoundMs)
    await clock.move((rounds - round) % 2 === 1 ? -HOURS : HOURS)
    const set = performance.now()
    await harness.nextConfirmation()
    await nextArrival(harness)
    longest = Math.max(longest, performance.now() - set)
    const page = await harness.client.requestUntilAnswered('GET', `/v1/incidents?limit=1&cursor=${cursor}`)
    if (page.status !== 200) refused++
    harness.check()
  }
  await reader[Symbol.asyncDispose]()
  const counts = await harness.counts()
  const changes = await harness.changes()
  const checks: Check[] = [
    {
      name: `the next incident is delivered within ${DELIVERED_WITHIN / 1000} s`,
      passed: longest <= DELIVERED_WITHIN,
      observed: `${(longest / 1000).toFixed(1)} s at most`,
    },
    inOrder(changes),
    await streamed(stream, changes),
    { name: 'a cursor from before leads on', passed: refused === 0, observed: `refused ${refused} of ${rounds} times` },
    reader.promise,
    harness.responses.promise,
  ]
  return { setup, times: rounds, counts, checks }
}

async function nextCursor({ client }: Harness): Promise<string> {
  let cursor: unknown = null
  await until(async () => {
    cursor = (await client.requestUntilAnswered('GET', '/v1/incidents?limit=1')).body.next_cursor
    return cursor !== null
  }, 'a second page')
  return encodeURIComponent(String(cursor))
}

/** Something that is in the log only now has come to an endpoint. */
async function nextArrival(harness: Harness): Promise<void> {
  const { body } = await harness.client.requestUntilAnswered('GET', '/v1/incidents?limit=1')
  const { seq: head } = body.meta as { seq: number }
  await until(() => harness.arrivals.some(({ seq, answered }) => answered && seq >= head), 'the next delivery')
}

function inOrder(changes: readonly Change[]): Check {
  const back = changes.filter(({ at }, index) => index > 0 && at < changes[index - 1]!.at).length
  const gaps = changes.filter(({ seq }, index) => seq !== index + 1).length
  return {
    name: "the log's numbers have no gap and its times never go back",
    passed: back === 0 && gaps === 0,
    observed: `${changes.length} changes, ${gaps} gaps, ${back} times back`,
  }
}

async function streamed(stream: StreamReader, changes: readonly Change[]): Promise<Check> {
  const seqs = changes.map(({ seq }) => seq)
  // What has not come by then is told by what was observed.
  await until(() => stream.seqs.length >= seqs.length, 'the end of the stream').catch(() => {})
  const passed = stream.seqs.join() === seqs.join()
  return {
    name: 'a stream tells of every change once, in order',
    passed,
    observed: `${stream.seqs.length} of ${seqs.length}`,
  }
}

/** A proof that was not made is no proof. */
const NOT_DONE: ScenarioResult = {
  setup: 'nowhere',
  times: 0,
  counts: null,
  checks: [
    { name: 'the clock is set', passed: false, observed: 'libfaketime is not installed (apt-get install faketime)' },
  ],
}

export const clock: Scenario = {
  description: 'the clock set back and forward by an hour',
  rounds: 5,
  async run(rounds) {
    await using folder = await temporaryFolder()
    const set = await FakeClock.in(folder.path)
    if (set === null) return [NOT_DONE]
    return await onEachStore((setup, databaseUrl) => setClock(setup, databaseUrl, set, { ...LONG, rounds }))
  },
}
