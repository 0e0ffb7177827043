import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../test/support/app.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import type { Check } from '../harness/check.ts'
import { Reader } from '../harness/clients/reader.ts'
import { onEachStore } from '../harness/databases.ts'
import type { LoggedEvent } from '../harness/event-log.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { Harness } from '../harness/harness.ts'
import { notRun, type Scenario, type ScenarioResult } from '../scenario.ts'

export interface ClockOptions {
  readonly rounds: number
  /** Each round ends at a random moment within this time. */
  readonly maxRoundMs: number
  readonly random: () => number
}

const FULL = { maxRoundMs: 4000, random: Math.random }
/** The time from a change of the clock to the delivery of the next incident. */
const MAX_DELIVERY_MS = 10_000
const HOURS = 1

/**
 * Moves the service's clock back and forward by an hour in turn while it runs; the last move is
 * back.
 */
export async function moveClock(
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
  const cursor = await readNextCursor(harness)
  let slowestMs = 0
  let refusedCursors = 0
  for (let round = 0; round < rounds && harness.isConfirming; round++) {
    await harness.nextConfirmation()
    await wait(random() * options.maxRoundMs)
    await clock.moveBy((rounds - round) % 2 === 1 ? -HOURS : HOURS)
    const movedAt = performance.now()
    await harness.nextConfirmation()
    await waitForNextDelivery(harness)
    slowestMs = Math.max(slowestMs, performance.now() - movedAt)
    const page = await harness.client.requestUntilAnswered('GET', `/v1/incidents?limit=1&cursor=${cursor}`)
    if (page.status !== 200) refusedCursors++
    harness.check()
  }
  await reader[Symbol.asyncDispose]()
  const counts = await harness.finish()
  const events = await harness.readLog()
  const checks: Check[] = [
    {
      name: `the next incident is delivered within ${MAX_DELIVERY_MS / 1000} s`,
      passed: slowestMs <= MAX_DELIVERY_MS,
      observed: `${(slowestMs / 1000).toFixed(1)} s at most`,
    },
    checkOrder(events),
    {
      name: 'a cursor from before the change stays valid',
      passed: refusedCursors === 0,
      observed: `refused ${refusedCursors} of ${rounds} times`,
    },
    reader.check,
    harness.responses.check,
  ]
  return { setup, times: rounds, counts, checks }
}

async function readNextCursor({ client }: Harness): Promise<string> {
  let cursor: unknown = null
  await until(async () => {
    cursor = (await client.requestUntilAnswered('GET', '/v1/incidents?limit=1')).body.next_cursor
    return cursor !== null
  }, 'a second page')
  return encodeURIComponent(String(cursor))
}

/** Waits until an endpoint has accepted the newest event in the log, or a later one. */
async function waitForNextDelivery(harness: Harness): Promise<void> {
  const { body } = await harness.client.requestUntilAnswered('GET', '/v1/incidents?limit=1')
  const { seq: newest } = body.meta as { seq: number }
  await until(() => harness.received.some(({ seq, accepted }) => accepted && seq >= newest), 'the next delivery')
}

function checkOrder(events: readonly LoggedEvent[]): Check {
  const backwards = events.filter(({ at }, index) => index > 0 && at < events[index - 1]!.at).length
  const gaps = events.filter(({ seq }, index) => seq !== index + 1).length
  return {
    name: 'the sequence numbers of the log have no gap, and its times never decrease',
    passed: backwards === 0 && gaps === 0,
    observed: `${events.length} events, ${gaps} gaps, ${backwards} decreases`,
  }
}

export const clock: Scenario = {
  description: 'the clock moved back and forward by an hour',
  rounds: 5,
  async run(rounds) {
    await using folder = await temporaryFolder()
    const fakeClock = await FakeClock.create(folder.path)
    if (fakeClock === null) return [notRun('none', 'libfaketime is not installed (apt-get install faketime)')]
    return await onEachStore((setup, databaseUrl) => moveClock(setup, databaseUrl, fakeClock, { ...FULL, rounds }))
  },
}
