import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../test/support/app.ts'
import { startServer } from '../../test/support/postgres-server.ts'
import { type SmallDisk, smallDisk } from '../../test/support/small-disk.ts'
import { Newsroom } from '../harness/newsroom.ts'
import type { Finding, Promised, Proof } from '../proof.ts'

export interface FullDiskOptions {
  readonly databaseUrl: string
  readonly disk: SmallDisk
  readonly rounds: number
  /** How long the disk may stay full, in milliseconds. */
  readonly longestFull: number
  readonly mostFailures: number
  readonly mayHang: boolean
  readonly random: () => number
  /** Brings the database back where it does not survive a full disk by itself. */
  readonly revive?: () => Promise<boolean>
}

/** A sound log is at most this large; it is moved into the file every 32 MB. */
const MOST_LOG_BYTES = 64 << 20

/** Fills the disk under a service that confirms and delivers, and makes room again, so often; then waits, and counts. */
export async function fillDisk(options: FullDiskOptions): Promise<Omit<Finding, 'where'>> {
  const { disk, rounds } = options
  await using newsroom = await Newsroom.open({ ...options, processes: 1 })
  const { client } = newsroom
  const refusals = new Set<string>()
  let readsRefused = 0
  let wentOn = 0
  let revived = 0
  for (let round = 0; round < rounds && newsroom.isWorking; round++) {
    newsroom.check()
    await newsroom.oneMore()
    await disk.fill()
    await until(async () => {
      const reply = await client.raw('POST', '/v1/keys', { email: 'a@example.org' })
      if (reply.status !== 503) return false
      refusals.add(`${reply.status} ${reply.body.code}, Retry-After ${reply.retryAfter}`)
      return reply.body.code === 'store_full'
    }, 'a refusal that says that the disk is full')
    for (const path of ['/v1/incidents', '/v1/changes', '/v1/stats?group_by=state'])
      if ((await client.raw('GET', path)).status !== 200) readsRefused++
    await wait(options.random() * options.longestFull)
    await disk.makeRoom()
    if (await options.revive?.()) revived++
    const before = newsroom.desk.confirmed.size
    await newsroom.oneMore()
    if (newsroom.desk.confirmed.size > before) wentOn++
  }
  const tally = await newsroom.tally()
  const promises: Promised[] = [
    { what: 'a write is refused with a reason', kept: refusals.size > 0, seen: [...refusals].join('; ') },
    { what: 'reading goes on', kept: readsRefused === 0, seen: `${readsRefused} reads refused` },
    {
      what: 'it goes on when there is room',
      kept: wentOn === rounds,
      seen: `${wentOn} of ${rounds} times; the database had ended, and was started again, ${revived} times`,
    },
  ]
  return { times: rounds, tally, promises }
}

const LONG = { longestFull: 5000, mostFailures: 1, mayHang: false, random: Math.random }

export const fullDisk: Proof = {
  what: 'the disk fills up while incidents are confirmed and delivered, and there is room again',
  rounds: 10,
  async run(rounds) {
    return [await onSqlite(rounds), await onPostgres(rounds)]
  },
}

async function onSqlite(rounds: number): Promise<Finding> {
  const disk = await smallDisk(24)
  if (typeof disk === 'string') return notTried('SQLite', disk)
  await using _ = disk
  const file = join(disk.path, 'feed.db')
  const finding = await fillDisk({ ...LONG, databaseUrl: `sqlite:${file}`, disk, rounds })
  const { size } = statSync(`${file}-wal`)
  const bounded = { what: 'its log stays small', kept: size <= MOST_LOG_BYTES, seen: `${size} bytes` }
  return { where: 'SQLite', ...finding, promises: [...finding.promises, bounded] }
}

async function onPostgres(rounds: number): Promise<Finding> {
  const disk = await smallDisk(224)
  if (typeof disk === 'string') return notTried('PostgreSQL', disk)
  await using _ = disk
  await using server = await startServer({ parent: disk.path, settings: ['min_wal_size=32MB', 'max_wal_size=32MB'] })
  const finding = await fillDisk({ ...LONG, databaseUrl: server.url, disk, rounds, revive: () => server.revive() })
  return { where: 'PostgreSQL', ...finding }
}

/** Said aloud: what was not tried is not proven. */
function notTried(where: string, why: string): Finding {
  return { where, times: 0, tally: null, promises: [{ what: 'tried at all', kept: false, seen: why }] }
}
