import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '../../test/support/folder.ts'
import { startServer } from '../../test/support/postgres-server.ts'
import { withDatabase } from '../harness/databases.ts'
import { type Counts, Harness } from '../harness/harness.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface KillOptions {
  readonly databaseUrl: string
  /** How many share the database; each round kills one of them. */
  readonly processes: number
  readonly rounds: number
  /** A round ends at a random moment within so many milliseconds, most often after it has confirmed something. */
  readonly maxRoundMs: number
  /** How often the unreliable endpoint may fail a message. */
  readonly maxFailures: number
  /** Whether it may leave one unanswered, for which an attempt is given 15 s. */
  readonly mayHang: boolean
  readonly random: () => number
}

const LONG = { maxRoundMs: 3000, maxFailures: 2, mayHang: true, random: Math.random }
/** The share of rounds that may end while the service starts. */
const KILLED_STARTING = 0.25

/** Kills the service again and again while incidents are confirmed and delivered; then waits, and counts. */
export async function killAtRandom(options: KillOptions): Promise<Counts> {
  const { random, rounds } = options
  await using harness = await Harness.open(options)
  for (let round = 0; round < rounds && harness.isWorking; round++) {
    harness.check()
    const victim = harness.anyService()
    if (random() >= KILLED_STARTING) await harness.nextConfirmation()
    await wait(random() * options.maxRoundMs)
    await victim.killAndRestart()
  }
  return await harness.counts()
}

export const kill: Scenario = {
  description: 'kill -9 of the service at random moments',
  rounds: 50,
  async run(rounds) {
    await using folder = await temporaryFolder()
    await using server = await startServer()
    const settings = [
      ['SQLite', `sqlite:${join(folder.path, 'feed.db')}`, 1],
      ['PostgreSQL', server.url, 1],
      ['PostgreSQL, one of two processes', withDatabase(server.url, 'template1'), 2],
    ] as const
    const results: ScenarioResult[] = []
    for (const [setup, databaseUrl, processes] of settings) {
      const counts = await killAtRandom({ ...LONG, databaseUrl, processes, rounds })
      results.push({ setup, times: rounds, counts, checks: [] })
    }
    return results
  },
}
