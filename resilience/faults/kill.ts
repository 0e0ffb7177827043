import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '../../test/support/folder.ts'
import { startServer } from '../../test/support/postgres-server.ts'
import { Newsroom, type Tally } from '../harness/newsroom.ts'
import { databaseOf } from '../harness/places.ts'
import type { Finding, Proof } from '../proof.ts'

export interface KillOptions {
  readonly databaseUrl: string
  /** How many share the database; each round kills one of them. */
  readonly processes: number
  readonly rounds: number
  /** A round ends at a random moment within so many milliseconds, most often after it has confirmed something. */
  readonly longestRound: number
  /** How often the unreliable endpoint may fail a message. */
  readonly mostFailures: number
  /** Whether it may leave one unanswered, for which an attempt is given 15 s. */
  readonly mayHang: boolean
  readonly random: () => number
}

const LONG = { longestRound: 3000, mostFailures: 2, mayHang: true, random: Math.random }
/** The share of rounds that may end while the service starts. */
const KILLED_STARTING = 0.25

/** Kills the service again and again while incidents are confirmed and delivered; then waits, and counts. */
export async function killAtRandom(options: KillOptions): Promise<Tally> {
  const { random, rounds } = options
  await using newsroom = await Newsroom.open(options)
  for (let round = 0; round < rounds && newsroom.isWorking; round++) {
    newsroom.check()
    const victim = newsroom.anyService()
    if (random() >= KILLED_STARTING) await newsroom.oneMore()
    await wait(random() * options.longestRound)
    await victim.killAndRestart()
  }
  return await newsroom.tally()
}

export const kill: Proof = {
  what: 'kill -9 of the service at random moments',
  rounds: 50,
  async run(rounds) {
    await using folder = await temporaryFolder()
    await using server = await startServer()
    const settings = [
      ['SQLite', `sqlite:${join(folder.path, 'feed.db')}`, 1],
      ['PostgreSQL', server.url, 1],
      ['PostgreSQL, one of two processes', databaseOf(server.url, 'template1'), 2],
    ] as const
    const findings: Finding[] = []
    for (const [where, databaseUrl, processes] of settings) {
      const tally = await killAtRandom({ ...LONG, databaseUrl, processes, rounds })
      findings.push({ where, times: rounds, tally, promises: [] })
    }
    return findings
  },
}
