import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../test/support/app.ts'
import { startServer } from '../../test/support/databases/postgres-server.ts'
import { type SmallDisk, smallDisk } from '../../test/support/folder.ts'
import type { Check } from '../harness/check.ts'
import { Harness } from '../harness/harness.ts'
import { notRun, type Scenario, type ScenarioResult } from '../scenario.ts'

export interface FullDiskOptions {
  readonly databaseUrl: string
  readonly disk: SmallDisk
  readonly rounds: number
  /** The maximum time that the disk stays full. */
  readonly maxFullMs: number
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
  /** Restarts the database server if it has exited; returns true if it had. */
  readonly restartDatabase?: () => Promise<boolean>
}

/** The write-ahead log is checkpointed every 32 MB, so it never exceeds this size. */
const MAX_WAL_BYTES = 64 << 20

/** Fills the disk repeatedly while incidents are confirmed and delivered, and frees it again. */
export async function fillDisk(options: FullDiskOptions): Promise<Omit<ScenarioResult, 'setup'>> {
  const { disk, rounds } = options
  await using harness = await Harness.open({ ...options, processes: 1 })
  const { client } = harness
  const refusals = new Set<string>()
  let failedReads = 0
  let recoveries = 0
  let databaseRestarts = 0
  for (let round = 0; round < rounds && harness.isConfirming; round++) {
    harness.check()
    await harness.nextConfirmation()
    await disk.fill()
    await until(async () => {
      const response = await client.requestOnce('POST', '/v1/keys', { email: 'a@example.org' })
      if (response.status !== 503) return false
      refusals.add(`${response.status} ${response.body.code}, Retry-After ${response.retryAfter}`)
      return response.body.code === 'store_full'
    }, 'a 503 with code store_full')
    for (const path of ['/v1/incidents', '/v1/changes', '/v1/stats?group_by=state'])
      if ((await client.requestOnce('GET', path)).status !== 200) failedReads++
    await wait(options.random() * options.maxFullMs)
    await disk.free()
    if (await options.restartDatabase?.()) databaseRestarts++
    const before = harness.operators.confirmed.size
    await harness.nextConfirmation()
    if (harness.operators.confirmed.size > before) recoveries++
  }
  const counts = await harness.finish()
  const checks: Check[] = [
    { name: 'a write is refused with 503 store_full', passed: refusals.size > 0, observed: [...refusals].join('; ') },
    { name: 'reads continue', passed: failedReads === 0, observed: `${failedReads} failed` },
    {
      name: 'writes continue once there is space',
      passed: recoveries === rounds,
      observed: `${recoveries} of ${rounds} times; the database server had exited and was restarted ${databaseRestarts} times`,
    },
  ]
  return { times: rounds, counts, checks }
}

const FULL = { maxFullMs: 5000, maxFailures: 1, mayHang: false, random: Math.random }

export const fullDisk: Scenario = {
  description: 'a full disk while incidents are confirmed and delivered',
  rounds: 10,
  async run(rounds) {
    return [await onSqlite(rounds), await onPostgres(rounds)]
  },
}

async function onSqlite(rounds: number): Promise<ScenarioResult> {
  const disk = await smallDisk(24)
  if (typeof disk === 'string') return notRun('SQLite', disk)
  await using _ = disk
  const file = join(disk.path, 'feed.db')
  const result = await fillDisk({ ...FULL, databaseUrl: `sqlite:${file}`, disk, rounds })
  const { size } = statSync(`${file}-wal`)
  const bounded = {
    name: 'the write-ahead log stays below 64 MB',
    passed: size <= MAX_WAL_BYTES,
    observed: `${size} bytes`,
  }
  return { setup: 'SQLite', ...result, checks: [...result.checks, bounded] }
}

async function onPostgres(rounds: number): Promise<ScenarioResult> {
  const disk = await smallDisk(224)
  if (typeof disk === 'string') return notRun('PostgreSQL', disk)
  await using _ = disk
  await using server = await startServer({ parent: disk.path, settings: ['min_wal_size=32MB', 'max_wal_size=32MB'] })
  const result = await fillDisk({
    ...FULL,
    databaseUrl: server.url,
    disk,
    rounds,
    restartDatabase: () => server.restartIfExited(),
  })
  return { setup: 'PostgreSQL', ...result }
}
