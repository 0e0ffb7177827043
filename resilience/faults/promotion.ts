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
  /** Each round ends at a random moment within this time. */
  readonly maxRoundMs: number
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const FULL = { processes: 2, maxRoundMs: 3000, maxFailures: 1, mayHang: false, random: Math.random }
/** The time from the promotion to the next confirmation. */
const MAX_RECOVERY_MS = 10_000
/**
 * Several heartbeats: a process that took the old primary for the current one would have written to
 * it.
 */
const OLD_PRIMARY_ALONE_MS = 4000

/**
 * Kills the primary and promotes its standby repeatedly; the old primary is started again each
 * time.
 */
export async function promoteAtRandom(options: PromotionOptions): Promise<ScenarioResult> {
  const { rounds, random } = options
  await using scope = new AsyncDisposableStack()
  let primary = scope.use(await PostgresServer.create())
  let standby = scope.use(await standbyOf(primary))
  const databaseUrl = primary.url.replace(/(:\d+)\//, `$1,127.0.0.1:${standby.port}/`)
  await using harness = await Harness.open({ ...options, databaseUrl })
  await harness.nextConfirmation()
  const reader = await Reader.start(harness.client.key, () => harness.anyService().url)
  let slowestMs = 0
  let misdirectedWrites = 0
  for (let round = 0; round < rounds && harness.isConfirming; round++) {
    await harness.nextConfirmation()
    await wait(random() * options.maxRoundMs)
    const oldPrimary = primary
    await oldPrimary.kill()
    await promote(standby)
    primary = standby
    const promotedAt = performance.now()
    await harness.nextConfirmation()
    slowestMs = Math.max(slowestMs, performance.now() - promotedAt)
    misdirectedWrites += await countMisdirectedWrites(oldPrimary, primary, harness)
    await oldPrimary[Symbol.asyncDispose]()
    standby = scope.use(await standbyOf(primary, { port: oldPrimary.port }))
    harness.check()
  }
  await reader[Symbol.asyncDispose]()
  const counts = await harness.finish()
  const recovery: Check = {
    name: `the next incident is confirmed within ${MAX_RECOVERY_MS / 1000} s of the promotion`,
    passed: slowestMs <= MAX_RECOVERY_MS,
    observed: `${(slowestMs / 1000).toFixed(1)} s at most`,
  }
  const fencing: Check = {
    name: 'nothing is written to an old primary that is started again',
    passed: misdirectedWrites === 0,
    observed: `${misdirectedWrites} times`,
  }
  const checks = [reader.check, harness.responses.check, recovery, fencing]
  return { setup: `PostgreSQL with a standby, ${options.processes} processes`, times: rounds, counts, checks }
}

/** Starts the old primary, stops the new one for a moment, and counts the writes to the old one. */
async function countMisdirectedWrites(
  oldPrimary: PostgresServer,
  primary: PostgresServer,
  harness: Harness,
): Promise<number> {
  await oldPrimary.start()
  await setSynchronous(oldPrimary, '')
  const before = await countWrites(oldPrimary)
  await primary.kill()
  await wait(OLD_PRIMARY_ALONE_MS)
  await primary.start()
  await harness.nextConfirmation()
  const after = await countWrites(oldPrimary)
  await oldPrimary.kill()
  return after - before
}

/** Returns a number that grows with every event and every heartbeat. */
async function countWrites(server: PostgresServer): Promise<number> {
  const [row] = await server.query(
    'SELECT (SELECT seq FROM log_head) + (SELECT coalesce(sum(beats), 0) FROM owners) AS writes',
  )
  return Number(row!.writes)
}

export const promotion: Scenario = {
  description: 'kill -9 of PostgreSQL and promotion of its standby',
  rounds: 20,
  run: async (rounds) => [await promoteAtRandom({ ...FULL, rounds })],
}
