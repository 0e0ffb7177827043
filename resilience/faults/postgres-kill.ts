import { setTimeout as wait } from 'node:timers/promises'
import { Reader } from '../harness/clients/reader.ts'
import { Harness } from '../harness/harness.ts'
import { PostgresServer } from '../harness/postgres/server.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface PostgresKillOptions {
  readonly rounds: number
  /** The maximum time that the server runs in each round. */
  readonly maxRunMs: number
  /** The maximum time until the server is started again. */
  readonly maxDownMs: number
  /** The maximum number of failures of the unreliable endpoint per message. */
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const FULL = { maxRunMs: 3000, maxDownMs: 5000, maxFailures: 1, mayHang: false, random: Math.random }

/** Kills the database server repeatedly while the service keeps running. */
export async function killPostgres(options: PostgresKillOptions): Promise<ScenarioResult> {
  const { rounds, random } = options
  await using server = await PostgresServer.create()
  await using harness = await Harness.open({ ...options, databaseUrl: server.url, processes: 1 })
  await harness.nextConfirmation()
  const [service] = harness.services
  const reader = await Reader.start(harness.client.key, () => service!.url)
  for (let round = 0; round < rounds && harness.isConfirming; round++) {
    await harness.nextConfirmation()
    await wait(random() * options.maxRunMs)
    await server.kill()
    await wait(random() * options.maxDownMs)
    await server.start()
    harness.check()
  }
  await reader[Symbol.asyncDispose]()
  const counts = await harness.finish()
  return { setup: 'PostgreSQL', times: rounds, counts, checks: [reader.check, harness.responses.check] }
}

export const postgresKill: Scenario = {
  description: 'kill -9 of PostgreSQL at random moments, and up to 5 s without it',
  rounds: 15,
  run: async (rounds) => [await killPostgres({ ...FULL, rounds })],
}
