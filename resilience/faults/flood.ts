import { onEachStore } from '../harness/empty-database.ts'
import { Newsroom } from '../harness/newsroom.ts'
import { Reader } from '../harness/reader.ts'
import { knockAt, type Refusals } from '../harness/strangers.ts'
import { INSPECTED, usageOf } from '../harness/usage.ts'
import type { Finding, Promised, Proof } from '../proof.ts'

const AT_A_TIME = 50
/** Before the memory is first looked at: the first requests fill what is kept for all. */
const WARM_UP = 0.2
/** In MB, once the garbage is collected; the incidents confirmed meanwhile are in it. */
const MOST_GROWTH = 20

/** Strangers try wrong keys as fast as they are answered, while everybody else goes on. */
export async function floodWithWrongKeys(where: string, databaseUrl: string, requests: number): Promise<Finding> {
  const random = Math.random
  const options = { processes: 1, mostFailures: 0, mayHang: false, random, environment: INSPECTED }
  await using newsroom = await Newsroom.open({ ...options, databaseUrl })
  await newsroom.oneMore()
  const service = newsroom.services[0]!
  const url = service.url!
  const usedMemory = async () => (await usageOf(service.output)).used / 1_000_000
  const reader = await Reader.start(newsroom.client.key, () => url)
  await knockAt(url, requests * WARM_UP, AT_A_TIME)
  const before = await usedMemory()
  const began = performance.now()
  const refusals = await knockAt(url, requests, AT_A_TIME)
  const seconds = (performance.now() - began) / 1000
  const growth = (await usedMemory()) - before
  await reader[Symbol.asyncDispose]()
  newsroom.check()
  const flat: Promised = {
    what: `memory grows by no more than ${MOST_GROWTH} MB`,
    kept: growth <= MOST_GROWTH,
    seen: `from ${Math.round(before)} MB by ${Math.round(growth)} MB`,
  }
  const tally = await newsroom.tally()
  const promises = [refused(refusals, seconds), reader.promise, newsroom.replies.promise, flat]
  return { where, times: requests, tally, promises }
}

function refused({ counts, unclear }: Refusals, seconds: number): Promised {
  const seen = [...counts].map(([status, count]) => `${status}: ${count}`).join(', ')
  return {
    what: 'every wrong key is answered 401, or 429 with Retry-After',
    kept: unclear === 0 && counts.has(401),
    seen: `${seen} in ${seconds.toFixed(1)} s`,
  }
}

export const flood: Proof = {
  what: 'a flood of wrong keys',
  rounds: 10_000,
  run: (requests) => onEachStore((where, databaseUrl) => floodWithWrongKeys(where, databaseUrl, requests)),
}
