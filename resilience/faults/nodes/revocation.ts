import { setTimeout as wait } from 'node:timers/promises'
import { openAccount } from '../../../src/accounts/keys.ts'
import type { Store } from '../../../src/store/store.ts'
import { readStream } from '../../../test/support/readers.ts'
import type { Check } from '../../harness/check.ts'

const POLL_INTERVAL_MS = 20

/**
 * Revokes keys on each node in turn, and measures how long other nodes still accept them or stream
 * to them.
 */
export async function checkRevocation(
  urls: readonly string[],
  store: Store,
  rounds: number,
  maxMs: number,
): Promise<Check[]> {
  const refusedAfter: number[] = []
  const endedAfter: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { text, key } = await openAccount(store, { email: null, name: 'To be revoked' }, {}, Date.now())
    const headers = { authorization: `Bearer ${text}` }
    await using scope = new AsyncDisposableStack()
    const streams = await Promise.all(urls.map((url) => readStream(`${url}/v1/stream`, text)))
    for (const stream of streams) scope.use(stream)
    await revoke(`${urls[round % urls.length]}/v1/keys/${key.id}?confirm=last`, headers)
    const revokedAt = performance.now()
    const elapsed = () => performance.now() - revokedAt
    const refusals = Promise.all(urls.map((url) => waitUntilRefused(url, headers).then(elapsed)))
    endedAfter.push(...(await Promise.all(streams.map((stream) => stream.ended.then(elapsed)))))
    refusedAfter.push(...(await refusals))
  }
  return [
    checkTimes('a revoked key is refused on every node', refusedAfter, maxMs),
    checkTimes('the streams of a revoked key end', endedAfter, maxMs),
  ]
}

async function revoke(url: string, headers: Record<string, string>): Promise<void> {
  const { status } = await fetch(url, { method: 'DELETE', headers })
  if (status !== 200) throw new Error(`revoking a key got status ${status}`)
}

async function waitUntilRefused(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/v1/taxonomy`, { headers })
    await response.arrayBuffer()
    if (response.status === 401) return
    await wait(POLL_INTERVAL_MS)
  }
}

function checkTimes(name: string, times: readonly number[], maxMs: number): Check {
  const longest = Math.max(...times)
  return {
    name: `${name} within ${maxMs} ms`,
    passed: longest <= maxMs,
    observed: `${Math.round(longest)} ms at most, ${times.length} times`,
  }
}
