import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../harness/check.ts'
import { Reader } from '../harness/clients/reader.ts'
import { Harness } from '../harness/harness.ts'
import { PostgresServer } from '../harness/postgres/server.ts'
import { promote, setSynchronous, standbyOf } from '../harness/postgres/standby.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface PromotionOptions {
  readonly rounds: number
  readonly processes: number
  /** A round ends at a random moment within so many milliseconds. */
  readonly maxRoundMs: number
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const LONG = { processes: 2, maxRoundMs: 3000, maxFailures: 1, mayHang: false, random: Math.random }
/** From the promotion to the next incident that is confirmed. */
const GOES_ON_WITHIN = 10_000
/** Long enough for any process that holds the old primary for the true one to have written there. */
const HEARTBEATS = 4000

/** Kills the primary and promotes its standby, again and again; the old one comes back each time as if nothing had happened. */
export async function promoteAtRandom(options: PromotionOptions): Promise<ScenarioResult> {
  const { rounds, random } = options
  await using scope = new AsyncDisposableStack()
  let primary = scope.use(await PostgresServer.create())
  let standby = scope.use(await standbyOf(primary))
  const databaseUrl = primary.url.replace(/(:\d+)\//, `$1,127.0.0.1:${standby.port}/`)
  await using harness = await Harness.open({ ...options, databaseUrl })
  await harness.nextConfirmation()
  const reader = await Reader.start(harness.client.key, () => harness.anyService().url)
  let longest = 0
  let astray = 0
  for (let round = 0; round < rounds && harness.isWorking; round++) {
    await harness.nextConfirmation()
    await wait(random() * options.maxRoundMs)
    const old = primary
    await old.kill()
    await promote(standby)
    primary = standby
    const promoted = performance.now()
    await harness.nextConfirmation()
    longest = Math.max(longest, performance.now() - promoted)
    astray += await writtenAstray(old, primary, harness)
    await old[Symbol.asyncDispose]()
    standby = scope.use(await standbyOf(primary, old.port))
    harness.check()
  }
  await reader[Symbol.asyncDispose]()
  const counts = await harness.counts()
  const goesOn: Check = {
    name: `the next incident is confirmed within ${GOES_ON_WITHIN / 1000} s of the promotion`,
    passed: longest <= GOES_ON_WITHIN,
    observed: `${(longest / 1000).toFixed(1)} s at most`,
  }
  const faithful: Check = {
    name: 'nothing is written to an old primary that has come back',
    passed: astray === 0,
    observed: `${astray} times`,
  }
  const checks = [reader.promise, harness.responses.promise, goesOn, faithful]
  return { setup: `PostgreSQL with a standby, ${options.processes} processes`, times: rounds, counts, checks }
}

/** The old primary comes back, and the new one goes away for a moment: whoever then takes the old one for the true one writes there. */
async function writtenAstray(old: PostgresServer, primary: PostgresServer, harness: Harness): Promise<number> {
  await old.start()
  await setSynchronous(old, '')
  const before = await marksOf(old)
  await primary.kill()
  await wait(HEARTBEATS)
  await primary.start()
  await harness.nextConfirmation()
  const after = await marksOf(old)
  await old.kill()
  return after - before
}

/** Grows with every event and every heartbeat. */
async function marksOf(server: PostgresServer): Promise<number> {
  const [row] = await server.query(
    'SELECT (SELECT seq FROM log_head) + (SELECT coalesce(sum(beats), 0) FROM owners) AS marks',
  )
  return Number(row!.marks)
}

export const promotion: Scenario = {
  description: 'kill -9 of PostgreSQL, and its standby promoted',
  rounds: 3,
  run: async (rounds) => [await promoteAtRandom({ ...LONG, rounds })],
}
