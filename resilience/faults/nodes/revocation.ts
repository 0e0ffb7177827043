import { setTimeout as wait } from 'node:timers/promises'
import { openAccount } from '../../../src/accounts/keys/issue.ts'
import type { Store } from '../../../src/store/store.ts'
import { readStream } from '../../../test/support/stream.ts'
import type { Promised } from '../../proof.ts'

const LOOK_EVERY = 20

/** Revokes keys on one node after the other, and measures how long any node still lets them in or streams to them. */
export async function revocationReaches(
  urls: readonly string[],
  store: Store,
  times: number,
  within: number,
): Promise<Promised[]> {
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
    seen('a revoked key is refused on every node', refused, within),
    seen('the streams of a revoked key end', ended, within),
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

function seen(what: string, times: readonly number[], within: number): Promised {
  const longest = Math.max(...times)
  return {
    what: `${what} within ${within} ms`,
    kept: longest <= within,
    seen: `${Math.round(longest)} ms at most, ${times.length} times`,
  }
}
