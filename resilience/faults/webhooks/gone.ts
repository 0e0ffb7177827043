import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../../harness/check.ts'
import type { WatchUnderTest } from './watch-under-test.ts'

/** Time for the watch to be disabled after an attempt. */
const QUIET_MS = 2500

/** 410 disables the watch. */
export async function checkGone(watch: WatchUnderTest): Promise<Check> {
  watch.endpoint.response = { status: 410 }
  await watch.publish()
  await watch.endpoint.waitFor(watch.endpoint.received.length + 1, 'a message')
  await wait(QUIET_MS)
  const status = await watch.status()
  return { name: 'an endpoint that answers 410 disables its watch', passed: status === 'disabled', observed: status }
}

/** A 410 of the address from before a change says nothing about the new one. */
export async function checkLateGone(watch: WatchUnderTest): Promise<Check> {
  const { promise: after, resolve: respond } = Promise.withResolvers<void>()
  watch.endpoint.response = { status: 410, after }
  const before = watch.endpoint.received.length
  await watch.publish()
  await watch.endpoint.waitFor(before + 1, 'a message at the old address')
  await watch.request('PATCH', '', { url: `${watch.endpoint.url}/new` })
  respond()
  await watch.waitForDelivery(({ attempts }) => attempts === 1, 'the late answer')
  await wait(QUIET_MS)
  const status = await watch.status()
  return {
    name: 'a 410 that comes late, from an address that was replaced, does not disable the watch',
    passed: status === 'active',
    observed: status,
  }
}
