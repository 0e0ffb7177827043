import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../test/support/app.ts'
import { startServer } from '../../test/support/postgres-server.ts'
import { type SmallDisk, smallDisk } from '../../test/support/small-disk.ts'
import type { Check } from '../harness/check.ts'
import { Harness } from '../harness/harness.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface FullDiskOptions {
  readonly databaseUrl: string
  readonly disk: SmallDisk
  readonly rounds: number
  /** How long the disk may stay full, in milliseconds. */
  readonly maxFullMs: number
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
  /** Brings the database back where it does not survive a full disk by itself. */
  readonly revive?: () => Promise<boolean>
}

/** A sound log is at most this large; it is moved into the file every 32 MB. */
const MOST_LOG_BYTES = 64 << 20

/** Fills the disk under a service that confirms and delivers, and makes room again, so often; then waits, and counts. */
export async function fillDisk(options: FullDiskOptions): Promise<Omit<ScenarioResult, 'setup'>> {
  const { disk, rounds } = options
  await using harness = await Harness.open({ ...options, processes: 1 })
  const { client } = harness
  const refusals = new Set<string>()
  let readsRefused = 0
  let wentOn = 0
  let revived = 0
  for (let round = 0; round < rounds && harness.isWorking; round++) {
    harness.check()
    await harness.nextConfirmation()
    await disk.fill()
    await until(async () => {
      const reply = await client.requestOnce('POST', '/v1/keys', { email: 'a@example.org' })
      if (reply.status !== 503) return false
      refusals.add(`${reply.status} ${reply.body.code}, Retry-After ${reply.retryAfter}`)
      return reply.body.code === 'store_full'
    }, 'a refusal that says that the disk is full')
    for (const path of ['/v1/incidents', '/v1/changes', '/v1/stats?group_by=state'])
      if ((await client.requestOnce('GET', path)).status !== 200) readsRefused++
    await wait(options.random() * options.maxFullMs)
    await disk.makeRoom()
    if (await options.revive?.()) revived++
    const before = harness.operators.confirmed.size
    await harness.nextConfirmation()
    if (harness.operators.confirmed.size > before) wentOn++
  }
  const counts = await harness.counts()
  const checks: Check[] = [
    { name: 'a write is refused with a reason', passed: refusals.size > 0, observed: [...refusals].join('; ') },
    { name: 'reading goes on', passed: readsRefused === 0, observed: `${readsRefused} reads refused` },
    {
      name: 'it goes on when there is room',
      passed: wentOn === rounds,
      observed: `${wentOn} of ${rounds} times; the database had ended, and was started again, ${revived} times`,
    },
  ]
  return { times: rounds, counts, checks }
}

const LONG = { maxFullMs: 5000, maxFailures: 1, mayHang: false, random: Math.random }

export const fullDisk: Scenario = {
  description: 'the disk fills up while incidents are confirmed and delivered, and there is room again',
  rounds: 10,
  async run(rounds) {
    return [await onSqlite(rounds), await onPostgres(rounds)]
  },
}

async function onSqlite(rounds: number): Promise<ScenarioResult> {
  const disk = await smallDisk(24)
  if (typeof disk === 'string') return notTried('SQLite', disk)
  await using _ = disk
  const file = join(disk.path, 'feed.db')
  const result = await fillDisk({ ...LONG, databaseUrl: `sqlite:${file}`, disk, rounds })
  const { size } = statSync(`${file}-wal`)
  const bounded = { name: 'its log stays small', passed: size <= MOST_LOG_BYTES, observed: `${size} bytes` }
  return { setup: 'SQLite', ...result, checks: [...result.checks, bounded] }
}

async function onPostgres(rounds: number): Promise<ScenarioResult> {
  const disk = await smallDisk(224)
  if (typeof disk === 'string') return notTried('PostgreSQL', disk)
  await using _ = disk
  await using server = await startServer({ parent: disk.path, settings: ['min_wal_size=32MB', 'max_wal_size=32MB'] })
  const result = await fillDisk({ ...LONG, databaseUrl: server.url, disk, rounds, revive: () => server.revive() })
  return { setup: 'PostgreSQL', ...result }
}

/** Said aloud: what was not tried is not proven. */
function notTried(setup: string, why: string): ScenarioResult {
  return { setup, times: 0, counts: null, checks: [{ name: 'tried at all', passed: false, observed: why }] }
}
