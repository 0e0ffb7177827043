import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../harness/client.ts'
import { onEachStore } from '../harness/empty-database.ts'
import { HangingEndpoints } from '../harness/hanging.ts'
import { Newsroom } from '../harness/newsroom.ts'
import { Reader } from '../harness/reader.ts'
import { INSPECTED, usageOf } from '../harness/usage.ts'
import type { Finding, Promised, Proof } from '../proof.ts'

export interface HangingOptions {
  readonly endpoints: number
  /** How long incidents are confirmed for, in milliseconds. */
  readonly duration: number
  /** Of each operator, between two incidents. */
  readonly longestPause: number
}

/** An attempt is given 15 s; then as long again, so that many a second one has been made. */
const LONG = { duration: 30_000, longestPause: 2000 }
/** Who had to wait for one of them would wait longer. */
const DELIVERED_WITHIN = 15_000
/** In MB, with the garbage collected: a socket for each, and what waits for them. */
const MOST_GROWTH = 80
const LOOKED_AT = 50

/** Endpoints that never answer, beside those that do. */
export async function hangAll(where: string, databaseUrl: string, options: HangingOptions): Promise<Finding> {
  const environment = { ...INSPECTED, WATCHES_PER_ACCOUNT: String(options.endpoints + 100) }
  const manners = { processes: 1, mostFailures: 0, mayHang: false, random: Math.random }
  await using newsroom = await Newsroom.open({ ...options, ...manners, databaseUrl, environment })
  const service = newsroom.services[0]!
  const usedMemory = async () => (await usageOf(service.output)).used / 1_000_000
  await newsroom.oneMore()
  const before = await usedMemory()
  await using hanging = await HangingEndpoints.open(newsroom.client, options.endpoints)
  const reader = await Reader.start(newsroom.client.key, () => service.url)
  await wait(options.duration)
  const growth = (await usedMemory()) - before
  const began = performance.now()
  const tally = await newsroom.tally()
  const took = performance.now() - began
  await reader[Symbol.asyncDispose]()
  newsroom.check()
  const promises: Promised[] = [
    {
      what: 'all of them hang',
      kept: hanging.called === options.endpoints,
      seen: `${hanging.called} of ${options.endpoints} have been called`,
    },
    {
      what: `the others are told of the last incident within ${DELIVERED_WITHIN / 1000} s`,
      kept: took <= DELIVERED_WITHIN,
      seen: `${(took / 1000).toFixed(1)} s`,
    },
    await stillOwed(newsroom.client, hanging.watchIds.slice(0, LOOKED_AT)),
    reader.promise,
    newsroom.replies.promise,
    {
      what: `memory grows by no more than ${MOST_GROWTH} MB`,
      kept: growth <= MOST_GROWTH,
      seen: `from ${Math.round(before)} MB by ${Math.round(growth)} MB`,
    },
  ]
  return { where, times: options.endpoints, tally, promises }
}

/** Everything that they were owed is still on its way, and it is written down that it was tried. */
async function stillOwed(client: Client, watchIds: readonly string[]): Promise<Promised> {
  let pending = 0
  let ended = 0
  let untried = 0
  for (const id of watchIds) {
    const { body } = await client.insist('GET', `/v1/watches/${id}/deliveries?limit=100`)
    const deliveries = body.data as { status: string; attempts: number }[]
    const open = deliveries.filter(({ status }) => status === 'pending')
    pending += open.length
    ended += deliveries.length - open.length
    if (!open.some(({ attempts }) => attempts > 0)) untried++
  }
  return {
    what: 'those that hang are still owed everything, and their attempts are written down',
    kept: ended === 0 && untried === 0,
    seen: `at ${watchIds.length} of them ${pending} pending, ${ended} not; ${untried} without an attempt`,
  }
}

export const hanging: Proof = {
  what: 'endpoints that accept and never answer',
  rounds: 1000,
  run: (endpoints) => onEachStore((where, databaseUrl) => hangAll(where, databaseUrl, { ...LONG, endpoints })),
}
