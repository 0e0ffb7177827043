import { setTimeout as wait } from 'node:timers/promises'
import { openAccount } from '../../../src/accounts/keys/issue.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Check } from '../../harness/check.ts'

const WITHIN = 0.1
const MINUTE = 60_000
/** Requests under way at a time: more would measure how sockets are opened. */
const AT_ONCE = 30
/** So many times as many requests as are allowed. */
const OVERLOAD = 3
/** Before the last window ends: what came later would begin another. */
const STOP_BEFORE = 5000

type NodeOf = (request: number) => number

/** How often a key of its own is let in, held against its limit. */
export async function limitsHold(
  urls: readonly string[],
  store: Store,
  { limits, windows }: { readonly limits: readonly number[]; readonly windows: number },
): Promise<Check[]> {
  const checks: Check[] = []
  for (const limit of limits) {
    checks.push(await burst(`a burst on all of ${limit} a minute`, limit, (request) => request))
    checks.push(await burst(`a burst on one of ${limit} a minute`, limit, () => 1))
  }
  if (windows > 0) checks.push(await steady(300, windows))
  return checks

  async function burst(name: string, limit: number, nodeOf: NodeOf): Promise<Check> {
    const key = await keyWith(limit)
    return held(name, limit, await letIn(key, limit * OVERLOAD, nodeOf))
  }

  async function steady(limit: number, times: number): Promise<Check> {
    const key = await keyWith(limit)
    const until = performance.now() + times * MINUTE - STOP_BEFORE
    let allowed = 0
    for (let round = 0; performance.now() < until; round++) {
      allowed += await letIn(key, AT_ONCE, (request) => round + request)
      await wait((MINUTE * AT_ONCE) / limit / OVERLOAD)
    }
    return held(`${times} windows of steady overload of ${limit} a minute`, limit * times, allowed)
  }

  async function keyWith(ratePerMinute: number): Promise<string> {
    return (await openAccount(store, { email: null, name: 'A limit' }, { ratePerMinute }, Date.now())).text
  }

  async function letIn(key: string, requests: number, nodeOf: NodeOf): Promise<number> {
    let next = 0
    let allowed = 0
    const ask = async () => {
      while (next < requests) {
        const url = urls[nodeOf(next++) % urls.length]!
        const response = await fetch(`${url}/v1/taxonomy`, { headers: { authorization: `Bearer ${key}` } })
        await response.arrayBuffer()
        if (response.ok) allowed++
        else if (response.status !== 429) throw new Error(`a request was answered ${response.status}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, ask))
    return allowed
  }
}

function held(name: string, limit: number, allowed: number): Check {
  const passed = Math.abs(allowed - limit) <= limit * WITHIN
  return { name: `${name} is let in within a tenth`, passed, observed: `${allowed} of ${limit}` }
}
