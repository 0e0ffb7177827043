import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../../harness/check.ts'
import type { FakeClock } from '../../harness/fake-clock.ts'
import { findSignatureProblem } from '../../harness/webhooks/check-messages.ts'
import type { WatchUnderTest } from './watch-under-test.ts'

/** Messages that must not come are waited for this long; the dispatcher looks every second. */
const QUIET_MS = 2500
const RETRY_MS = 7000

/** A delivery that has failed for good is sent by `recover`, and again by `redeliver`. */
export async function checkRecoverAndRedeliver(watch: WatchUnderTest): Promise<Check[]> {
  const { endpoint } = watch
  endpoint.response = { status: 204 }
  const before = endpoint.received.length
  const failed = await watch.waitForDelivery(({ status }) => status === 'failed', 'a failed delivery')
  await watch.request('POST', '/recover', { since: '7d' })
  const recovered = await endpoint.waitFor(before + 1, 'the recovered message')
  const delivered = await watch.waitForDelivery(({ status }) => status === 'delivered', 'the recovery')
  await watch.redeliver(delivered)
  const redelivered = await endpoint.waitFor(before + 2, 'the redelivered message')
  const isSame = (message: typeof recovered) => message.headers.id === failed.id && message.seq === failed.seq
  const isSigned = (message: typeof recovered) => findSignatureProblem(message, [watch.secret]) === null
  return [
    {
      name: '`recover` sends what has failed, under the same webhook-id',
      passed: isSame(recovered) && isSigned(recovered),
      observed: `${recovered.headers.id} of ${failed.id}`,
    },
    {
      name: '`redeliver` sends a delivery again, under the same webhook-id',
      passed: isSame(redelivered) && isSigned(redelivered),
      observed: `${redelivered.headers.id} of ${failed.id}`,
    },
  ]
}

/** Pausing loses nothing: what happened meanwhile is sent after resuming and `recover`. */
export async function checkPause(watch: WatchUnderTest): Promise<Check> {
  const { endpoint } = watch
  endpoint.response = { status: 204 }
  const before = endpoint.received.length
  await watch.request('PATCH', '', { status: 'paused' })
  const incident = await watch.publish()
  await wait(QUIET_MS)
  const whilePaused = endpoint.received.length - before
  await watch.request('PATCH', '', { status: 'active' })
  await watch.request('POST', '/recover', { since: '1d' })
  const { body } = await endpoint.waitFor(before + 1, 'the message of the pause')
  return {
    name: 'a paused watch gets nothing, and what it missed after `recover`',
    passed: whilePaused === 0 && body.incident.id === incident,
    observed: `${whilePaused} while paused, then ${body.incident.id === incident ? 'the missed incident' : 'another'}`,
  }
}

/** Pending deliveries stay pending while a watch is paused, and are sent once it is resumed. */
export async function checkPendingPause(watch: WatchUnderTest): Promise<Check> {
  const { endpoint } = watch
  endpoint.response = { status: 500 }
  await watch.publish()
  await watch.waitForDelivery(({ attempts }) => attempts === 1, 'the first attempt')
  await watch.request('PATCH', '', { status: 'paused' })
  endpoint.response = { status: 204 }
  const before = endpoint.received.length
  // Longer than the first retry delay.
  await wait(RETRY_MS)
  const whilePaused = endpoint.received.length - before
  const { status } = await watch.waitForDelivery(() => true, 'the delivery')
  await watch.request('PATCH', '', { status: 'active' })
  await endpoint.waitFor(before + 1, 'the message after resuming')
  return {
    name: 'what is pending when a watch is paused stays pending and is sent when it is resumed',
    passed: whilePaused === 0 && status === 'pending',
    observed: `${whilePaused} messages while paused, ${status}; then delivered`,
  }
}

/** `test` sends a sample that is signed like a real message. */
export async function checkTest(watch: WatchUnderTest): Promise<Check> {
  const { endpoint } = watch
  endpoint.response = { status: 204 }
  const before = endpoint.received.length
  const answer = await watch.request('POST', '/test')
  const received = endpoint.received[before]
  const problem = received ? findSignatureProblem(received, [watch.secret]) : 'nothing was received'
  return {
    name: '`test` sends a signed sample and says what the endpoint answered',
    passed: problem === null && answer.delivered === true && received?.body.watch_id === watch.id,
    observed: problem ?? `delivered ${answer.delivered}, status ${answer.status_code}`,
  }
}

/** Both secrets sign for a day; after it the old one no longer does. */
export async function checkRotation(watch: WatchUnderTest, clock: FakeClock): Promise<Check> {
  const { endpoint } = watch
  endpoint.response = { status: 204 }
  const { secret } = (await watch.request('POST', '/rotate-secret')) as { secret: string }
  const isSignedBy = (text: string, message: (typeof endpoint.received)[number]) =>
    findSignatureProblem(message, [text]) === null
  const signers = async () => {
    const before = endpoint.received.length
    await watch.publish()
    const message = await endpoint.waitFor(before + 1, 'a message after the rotation')
    return `${isSignedBy(watch.secret, message) ? 'old' : '–'} ${isSignedBy(secret, message) ? 'new' : '–'}`
  }
  const first = await signers()
  await clock.moveBy(25)
  const later = await signers()
  return {
    name: 'after `rotate-secret` both secrets sign for 24 hours, then the new one alone',
    passed: first === 'old new' && later === '– new',
    observed: `${first}; after 25 hours ${later}`,
  }
}

/** An incident that was retracted before an endpoint accepted it is not published by anything. */
export async function checkRetracted(watch: WatchUnderTest, retract: (id: string) => Promise<void>): Promise<Check> {
  const { endpoint } = watch
  endpoint.response = { status: 500 }
  const incident = await watch.publish()
  const delivery = await watch.waitForDelivery(({ attempts }) => attempts >= 1, 'the first attempt')
  await retract(incident)
  endpoint.response = { status: 204 }
  const before = endpoint.received.length
  await watch.redeliver(delivery).catch(() => 'a refusal is as good as a cancelled delivery')
  await watch.request('POST', '/recover', { since: '1d' })
  const { status } = await watch.waitForDelivery(({ status: now }) => now !== 'pending', 'the cancellation')
  await wait(QUIET_MS)
  const sent = endpoint.received.slice(before).filter(({ body }) => body.incident.id === incident)
  return {
    name: 'nothing sends an incident that was retracted: no retry, no `recover`, no `redeliver`',
    passed: sent.length === 0 && status === 'cancelled',
    observed: `${sent.length} messages, the delivery is ${status}`,
  }
}
