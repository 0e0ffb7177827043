import { setTimeout as wait } from 'node:timers/promises'
import { Newsroom } from '../harness/newsroom.ts'
import { PostgresServer } from '../harness/postgres.ts'
import { Reader } from '../harness/reader.ts'
import type { Finding, Proof } from '../proof.ts'

export interface PostgresKillOptions {
  readonly rounds: number
  /** How long the server runs, and how long it is away, at most and in milliseconds. */
  readonly longestRun: number
  readonly longestAway: number
  /** How often the unreliable endpoint may fail a message. */
  readonly mostFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const LONG = { longestRun: 3000, longestAway: 5000, mostFailures: 1, mayHang: false, random: Math.random }

/** Kills the database again and again, while the service stays up. */
export async function killPostgres(options: PostgresKillOptions): Promise<Finding> {
  const { rounds, random } = options
  await using server = await PostgresServer.create()
  await using newsroom = await Newsroom.open({ ...options, databaseUrl: server.url, processes: 1 })
  await newsroom.oneMore()
  const [service] = newsroom.services
  const reader = await Reader.start(newsroom.client.key, () => service!.url)
  for (let round = 0; round < rounds && newsroom.isWorking; round++) {
    await newsroom.oneMore()
    await wait(random() * options.longestRun)
    await server.kill()
    await wait(random() * options.longestAway)
    await server.start()
    newsroom.check()
  }
  await reader[Symbol.asyncDispose]()
  const tally = await newsroom.tally()
  return { where: 'PostgreSQL', times: rounds, tally, promises: [reader.promise, newsroom.replies.promise] }
}

export const postgresKill: Proof = {
  what: 'kill -9 of PostgreSQL at random moments, and up to 5 s without it',
  rounds: 15,
  run: async (rounds) => [await killPostgres({ ...LONG, rounds })],
}
