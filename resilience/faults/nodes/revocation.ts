import { setTimeout as wait } from 'node:timers/promises'
import { openAccount } from '../../../src/accounts/keys/issue.ts'
import type { Store } from '../../../src/store/store.ts'
import { readStream } from '../../../test/support/stream.ts'
import type { Check } from '../../harness/check.ts'

const LOOK_EVERY = 20

/** Revokes keys on one node after the other, and measures how long any node still lets them in or streams to them. */
export async function revocationReaches(
  urls: readonly string[],
  store: Store,
  times: number,
  within: number,
): Promise<Check[]> {
  const refused: number[] = []
  const ended: number[] = []
  for (let round = 0; round < times; round++) {
    const { text, key } = await openAccount(store, { email: null, name: 'To be revoked' }, {}, Date.now())
    const headers = { authorization: `Bearer ${text}` }
    await using scope = new AsyncDisposableStack()
    const readers = await Promise.all(urls.map((url) => readStream(`${url}/v1/stream`, text)))
    for (const reader of readers) scope.use(reader)
    await revoke(`${urls[round % urls.length]}/v1/keys/${key.id}`, headers)
    const began = performance.now()
    const since = () => performance.now() - began
    const refusals = Promise.all(urls.map((url) => untilRefused(url, headers).then(since)))
    ended.push(...(await Promise.all(readers.map((reader) => reader.ended.then(since)))))
    refused.push(...(await refusals))
  }
  return [
    observed('a revoked key is refused on every node', refused, within),
    observed('the streams of a revoked key end', ended, within),
  ]
}

async function revoke(url: string, headers: Record<string, string>): Promise<void> {
  const { status } = await fetch(url, { method: 'DELETE', headers })
  if (status !== 200) throw new Error(`revoking was answered ${status}`)
}

async function untilRefused(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/v1/taxonomy`, { headers })
    await response.arrayBuffer()
    if (response.status === 401) return
    await wait(LOOK_EVERY)
  }
}

function observed(name: string, times: readonly number[], within: number): Check {
  const longest = Math.max(...times)
  return {
    name: `${name} within ${within} ms`,
    passed: longest <= within,
    observed: `${Math.round(longest)} ms at most, ${times.length} times`,
  }
}
