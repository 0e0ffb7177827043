import { setTimeout as wait } from 'node:timers/promises'
import { Reader } from '../harness/clients/reader.ts'
import { Harness } from '../harness/harness.ts'
import { PostgresServer } from '../harness/postgres/server.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface PostgresKillOptions {
  readonly rounds: number
  /** How long the server runs, and how long it is away, at most and in milliseconds. */
  readonly maxRunMs: number
  readonly maxDownMs: number
  /** How often the unreliable endpoint may fail a message. */
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const LONG = { maxRunMs: 3000, maxDownMs: 5000, maxFailures: 1, mayHang: false, random: Math.random }

/** Kills the database again and again, while the service stays up. */
export async function killPostgres(options: PostgresKillOptions): Promise<ScenarioResult> {
  const { rounds, random } = options
  await using server = await PostgresServer.create()
  await using harness = await Harness.open({ ...options, databaseUrl: server.url, processes: 1 })
  await harness.nextConfirmation()
  const [service] = harness.services
  const reader = await Reader.start(harness.client.key, () => service!.url)
  for (let round = 0; round < rounds && harness.isWorking; round++) {
    await harness.nextConfirmation()
    await wait(random() * options.maxRunMs)
    await server.kill()
    await wait(random() * options.maxDownMs)
    await server.start()
    harness.check()
  }
  await reader[Symbol.asyncDispose]()
  const counts = await harness.counts()
  return { setup: 'PostgreSQL', times: rounds, counts, checks: [reader.promise, harness.responses.promise] }
}

export const postgresKill: Scenario = {
  description: 'kill -9 of PostgreSQL at random moments, and up to 5 s without it',
  rounds: 15,
  run: async (rounds) => [await killPostgres({ ...LONG, rounds })],
}
