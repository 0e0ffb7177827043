import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../harness/check.ts'
import { Harness } from '../harness/harness.ts'
import { PostgresServer } from '../harness/postgres/server.ts'
import { ForgetfulDisk } from '../harness/power-loss/forgetful-disk.ts'
import { notRun, type Scenario, type ScenarioResult } from '../scenario.ts'

export interface PowerLossOptions {
  readonly rounds: number
  /** Each round ends at a random moment within this time after a confirmation. */
  readonly maxRoundMs: number
  readonly random: () => number
  /** Settings of PostgreSQL, such as `fsync=off`. */
  readonly settings?: readonly string[]
}

const FULL = { maxRoundMs: 1500, random: Math.random }
const QUICK = { rounds: 3, maxRoundMs: 400, random: Math.random }
const HARNESS = { processes: 1, maxFailures: 0, mayHang: false, deliveryTimeoutMs: 60_000 }

/** Takes the power away from the service and its SQLite file. */
export async function losePowerOnSqlite(options: PowerLossOptions): Promise<ScenarioResult> {
  const disk = await ForgetfulDisk.mount()
  if (typeof disk === 'string') return notRun('SQLite', disk)
  await using _ = disk
  const databaseUrl = `sqlite:${join(disk.path, 'feed.db')}`
  return await losePower('SQLite', databaseUrl, disk, options)
}

/** Takes the power away from the service, from PostgreSQL and from its data directory. */
export async function losePowerOnPostgres(options: PowerLossOptions): Promise<ScenarioResult> {
  const disk = await ForgetfulDisk.mount()
  if (typeof disk === 'string') return notRun('PostgreSQL', disk)
  await using _ = disk
  const { settings = [] } = options
  await using server = await PostgresServer.create({ parent: disk.path, settings })
  return await losePower('PostgreSQL', server.url, disk, options, server)
}

async function losePower(
  setup: string,
  databaseUrl: string,
  disk: ForgetfulDisk,
  options: PowerLossOptions,
  server?: PostgresServer,
): Promise<ScenarioResult> {
  const { rounds, random } = options
  await using harness = await Harness.open({ ...HARNESS, random, databaseUrl })
  const service = harness.services[0]!
  for (let round = 0; round < rounds && harness.isConfirming; round++) {
    await harness.nextConfirmation()
    await wait(random() * options.maxRoundMs)
    harness.check()
    await service.kill()
    await server?.kill()
    await disk.losePower(round % 2 === 0 ? 'none' : 'half')
    await server?.start()
    service.restart()
  }
  const counts = await harness.finish()
  harness.check()
  const { pages, names } = disk.forgotten
  const forgot: Check = {
    name: 'the disk forgot something each time on average, so that syncing mattered',
    passed: pages >= rounds,
    observed: `${pages} pages and ${names} names in ${rounds} power losses`,
  }
  // The disk can only be unmounted once nothing uses it.
  await service.kill()
  return { setup, times: rounds, counts, checks: [forgot] }
}

export const powerLoss: Scenario = {
  description: 'power loss under SQLite: only what was fsynced survives',
  rounds: 20,
  quick: async () => [await losePowerOnSqlite(QUICK)],
  run: async (rounds) => [await losePowerOnSqlite({ ...FULL, rounds })],
}

export const postgresPowerLoss: Scenario = {
  description: 'power loss under PostgreSQL: only what was fsynced survives',
  rounds: 20,
  quick: async () => [await losePowerOnPostgres(QUICK)],
  run: async (rounds) => [await losePowerOnPostgres({ ...FULL, rounds })],
}
