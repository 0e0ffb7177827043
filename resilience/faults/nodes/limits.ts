import { setTimeout as wait } from 'node:timers/promises'
import { openAccount } from '../../../src/accounts/keys.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Check } from '../../harness/check.ts'

/** The share by which the admitted requests may differ from the limit. */
const TOLERANCE = 0.1
const MINUTE_MS = 60_000
/** With more requests at once, opening sockets would be the bottleneck. */
const CONCURRENCY = 30
/** Sends this many times as many requests as the limit allows. */
const OVERLOAD = 3
/** Stops before the last window ends, because later requests would count for another window. */
const STOP_EARLY_MS = 5000
const OVERLOADED_LIMIT = 300

type NodeOf = (request: number) => number

/** Compares the number of admitted requests of a key with its rate limit. */
export async function checkRateLimits(
  urls: readonly string[],
  store: Store,
  { limits, overloadMinutes }: { readonly limits: readonly number[]; readonly overloadMinutes: number },
): Promise<Check[]> {
  const checks: Check[] = []
  for (const limit of limits) {
    checks.push(await burst(`a burst to all nodes with a limit of ${limit} per minute`, limit, (request) => request))
    checks.push(await burst(`a burst to one node with a limit of ${limit} per minute`, limit, () => 1))
  }
  if (overloadMinutes > 0) checks.push(await steadyOverload(OVERLOADED_LIMIT, overloadMinutes))
  return checks

  async function burst(name: string, limit: number, nodeOf: NodeOf): Promise<Check> {
    const key = await issueKey(limit)
    return checkAdmitted(name, limit, await countAdmitted(key, limit * OVERLOAD, nodeOf))
  }

  async function steadyOverload(limit: number, minutes: number): Promise<Check> {
    const key = await issueKey(limit)
    const deadline = performance.now() + minutes * MINUTE_MS - STOP_EARLY_MS
    let admitted = 0
    for (let round = 0; performance.now() < deadline; round++) {
      admitted += await countAdmitted(key, CONCURRENCY, (request) => round + request)
      await wait((MINUTE_MS * CONCURRENCY) / limit / OVERLOAD)
    }
    const name = `${minutes} minutes of overload with a limit of ${limit} per minute`
    return checkAdmitted(name, limit * minutes, admitted)
  }

  async function issueKey(ratePerMinute: number): Promise<string> {
    return (await openAccount(store, { email: null, name: 'A limit' }, { ratePerMinute }, Date.now())).text
  }

  async function countAdmitted(key: string, requests: number, nodeOf: NodeOf): Promise<number> {
    let next = 0
    let admitted = 0
    const work = async () => {
      while (next < requests) {
        const url = urls[nodeOf(next++) % urls.length]!
        const response = await fetch(`${url}/v1/taxonomy`, { headers: { authorization: `Bearer ${key}` } })
        await response.arrayBuffer()
        if (response.ok) admitted++
        else if (response.status !== 429) throw new Error(`a request got status ${response.status}, not 200 or 429`)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    return admitted
  }
}

function checkAdmitted(name: string, limit: number, admitted: number): Check {
  const passed = Math.abs(admitted - limit) <= limit * TOLERANCE
  return { name: `${name} is admitted to within 10 %`, passed, observed: `${admitted} of ${limit}` }
}
