import { setTimeout as wait } from 'node:timers/promises'
import { Newsroom } from '../harness/newsroom.ts'
import { PostgresServer } from '../harness/postgres.ts'
import { Reader } from '../harness/reader.ts'
import { promote, setSynchronous, standbyOf } from '../harness/standby.ts'
import type { Finding, Promised, Proof } from '../proof.ts'

export interface PromotionOptions {
  readonly rounds: number
  readonly processes: number
  /** A round ends at a random moment within so many milliseconds. */
  readonly longestRound: number
  readonly mostFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const LONG = { processes: 2, longestRound: 3000, mostFailures: 1, mayHang: false, random: Math.random }
/** From the promotion to the next incident that is confirmed. */
const GOES_ON_WITHIN = 10_000
/** Long enough for any process that holds the old primary for the true one to have written there. */
const HEARTBEATS = 4000

/** Kills the primary and promotes its standby, again and again; the old one comes back each time as if nothing had happened. */
export async function promoteAtRandom(options: PromotionOptions): Promise<Finding> {
  const { rounds, random } = options
  await using scope = new AsyncDisposableStack()
  let primary = scope.use(await PostgresServer.create())
  let standby = scope.use(await standbyOf(primary))
  const databaseUrl = primary.url.replace(/(:\d+)\//, `$1,127.0.0.1:${standby.port}/`)
  await using newsroom = await Newsroom.open({ ...options, databaseUrl })
  await newsroom.oneMore()
  const reader = await Reader.start(newsroom.client.key, () => newsroom.anyService().url)
  let longest = 0
  let astray = 0
  for (let round = 0; round < rounds && newsroom.isWorking; round++) {
    await newsroom.oneMore()
    await wait(random() * options.longestRound)
    const old = primary
    await old.kill()
    await promote(standby)
    primary = standby
    const promoted = performance.now()
    await newsroom.oneMore()
    longest = Math.max(longest, performance.now() - promoted)
    astray += await writtenAstray(old, primary, newsroom)
    await old[Symbol.asyncDispose]()
    standby = scope.use(await standbyOf(primary, old.port))
    newsroom.check()
  }
  await reader[Symbol.asyncDispose]()
  const tally = await newsroom.tally()
  const goesOn: Promised = {
    what: `the next incident is confirmed within ${GOES_ON_WITHIN / 1000} s of the promotion`,
    kept: longest <= GOES_ON_WITHIN,
    seen: `${(longest / 1000).toFixed(1)} s at most`,
  }
  const faithful: Promised = {
    what: 'nothing is written to an old primary that has come back',
    kept: astray === 0,
    seen: `${astray} times`,
  }
  const promises = [reader.promise, newsroom.replies.promise, goesOn, faithful]
  return { where: `PostgreSQL with a standby, ${options.processes} processes`, times: rounds, tally, promises }
}

/** The old primary comes back, and the new one goes away for a moment: whoever then takes the old one for the true one writes there. */
async function writtenAstray(old: PostgresServer, primary: PostgresServer, newsroom: Newsroom): Promise<number> {
  await old.start()
  await setSynchronous(old, '')
  const before = await marksOf(old)
  await primary.kill()
  await wait(HEARTBEATS)
  await primary.start()
  await newsroom.oneMore()
  const after = await marksOf(old)
  await old.kill()
  return after - before
}

/** Grows with every event and every heartbeat. */
async function marksOf(server: PostgresServer): Promise<number> {
  const [row] = await server.query(
    'SELECT (SELECT seq FROM log_head) + (SELECT coalesce(sum(beats), 0) FROM owners) AS marks',
  )
  return Number(row!.marks)
}

export const promotion: Proof = {
  what: 'kill -9 of PostgreSQL, and its standby promoted',
  rounds: 3,
  run: async (rounds) => [await promoteAtRandom({ ...LONG, rounds })],
}
