import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startServer } from '../../test/support/databases/postgres-server.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import type { Counts } from '../harness/counts.ts'
import { onEmptyDatabase, STORE_NAMES, withDatabase } from '../harness/databases.ts'
import { Harness } from '../harness/harness.ts'
import { Rounds } from '../harness/rounds.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface KillOptions {
  readonly databaseUrl: string
  /** The number of processes that share the database; each round kills one of them. */
  readonly processes: number
  readonly rounds: number
  readonly maxMinutes?: number
  /** Each round ends at a random moment within this time, usually after a confirmation. */
  readonly maxRoundMs: number
  /** The maximum number of failures of the unreliable endpoint per message. */
  readonly maxFailures: number
  /** True if the unreliable endpoint may hang; the service gives up on an attempt after 15 s. */
  readonly mayHang: boolean
  readonly random: () => number
  readonly deliveryTimeoutMs?: number
}

const FULL = { maxRoundMs: 1500, maxFailures: 2, mayHang: true, random: Math.random }
const QUICK = { rounds: 6, maxRoundMs: 400, maxFailures: 0, mayHang: false, random: Math.random }
/**
 * The share of rounds that do not wait for a confirmation, so the service may be killed while it
 * starts.
 */
const KILLED_WHILE_STARTING = 0.25

/** Kills the service repeatedly while incidents are confirmed and delivered. */
export async function killAtRandom(options: KillOptions): Promise<{ times: number; counts: Counts }> {
  const { random } = options
  await using harness = await Harness.open(options)
  const rounds = new Rounds(options.rounds, options.maxMinutes)
  while (harness.isConfirming && rounds.next()) {
    harness.check()
    const service = harness.anyService()
    if (random() >= KILLED_WHILE_STARTING) await harness.nextConfirmation()
    await wait(random() * options.maxRoundMs)
    await service.killAndRestart()
  }
  return { times: rounds.done, counts: await harness.finish() }
}

export const kill: Scenario = {
  description: 'kill -9 of the service at random moments',
  rounds: 100,
  quick: () =>
    onEmptyDatabase('sqlite', async (databaseUrl) => {
      const result = await killAtRandom({ ...QUICK, databaseUrl, processes: 1, deliveryTimeoutMs: 30_000 })
      return [{ setup: 'SQLite', ...result, checks: [] }]
    }),
  async run(rounds, { store, maxMinutes }) {
    await using folder = await temporaryFolder()
    await using server = await startServer()
    const setups = [
      ['SQLite', `sqlite:${join(folder.path, 'feed.db')}`, 1, rounds],
      ['PostgreSQL', server.url, 1, Math.ceil(rounds / 2)],
      ['PostgreSQL, one of two processes', withDatabase(server.url, 'template1'), 2, Math.ceil(rounds / 2)],
    ] as const
    const results: ScenarioResult[] = []
    const limit = maxMinutes === undefined ? {} : { maxMinutes }
    for (const [setup, databaseUrl, processes, most] of setups) {
      if (store !== undefined && !setup.startsWith(STORE_NAMES[store])) continue
      const result = await killAtRandom({ ...FULL, ...limit, databaseUrl, processes, rounds: most })
      results.push({ setup, ...result, checks: [] })
    }
    return results
  },
}
