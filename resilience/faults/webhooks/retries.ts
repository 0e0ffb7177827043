import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../../harness/check.ts'
import type { FakeClock } from '../../harness/fake-clock.ts'
import { findSignatureProblem } from '../../harness/webhooks/check-messages.ts'
import type { DeliveryState, WatchUnderTest } from './watch-under-test.ts'

/** As the specification has them, written a second time: seconds after each failed attempt. */
const DELAYS = [5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
const JITTER = 0.2
/** Times are rounded to seconds, and the clock is read at slightly different moments. */
const TOLERANCE_SECONDS = 3
const HOUR_SECONDS = 3600
const QUIET_MS = 1500

/** Lets every attempt fail and moves the clock to each retry: there are 12 attempts, then none. */
export async function checkSchedule(watch: WatchUnderTest, clock: FakeClock): Promise<Check> {
  const { endpoint } = watch
  endpoint.response = { status: 500 }
  await watch.publish()
  const wrong: string[] = []
  for (const [index, delay] of DELAYS.entries()) {
    const delivery = await watch.waitForDelivery(
      ({ attempts, next_attempt_at }) => attempts === index + 1 && next_attempt_at !== null,
      `attempt ${index + 1}`,
    )
    const seconds = secondsUntilRetry(delivery)
    const isAllowed = Math.abs(seconds - delay) <= delay * JITTER + TOLERANCE_SECONDS
    if (!isAllowed) wrong.push(`attempt ${index + 2} after ${seconds} s, not ${delay} s`)
    await moveTo(clock, delivery)
  }
  const last = await watch.waitForDelivery(({ status }) => status !== 'pending', 'the end of the retries')
  await clock.moveBy(48)
  await wait(QUIET_MS)
  const ids = new Set(endpoint.received.map(({ headers }) => headers.id))
  const forged = endpoint.received.filter((message) => findSignatureProblem(message, [watch.secret]) !== null)
  const count = endpoint.received.length
  return {
    name: 'an endpoint that always fails gets 12 attempts at the documented times, and then none',
    passed: count === 12 && ids.size === 1 && forged.length === 0 && last.status === 'failed' && wrong.length === 0,
    observed: `${count} attempts, ${ids.size} webhook-id, ${forged.length} not signed, then ${last.status}; ${wrong.join(', ') || 'all in time'}`,
  }
}

/** The endpoint asks for an hour; the retry comes then and not before. */
export async function checkRetryAfter(watch: WatchUnderTest, clock: FakeClock): Promise<Check> {
  watch.endpoint.response = { status: 503, headers: { 'retry-after': String(HOUR_SECONDS) } }
  await watch.publish()
  const delivery = await watch.waitForDelivery(({ attempts }) => attempts === 1, 'the first attempt')
  const seconds = secondsUntilRetry(delivery)
  watch.endpoint.response = { status: 204 }
  await moveTo(clock, delivery)
  const { status } = await watch.waitForDelivery(({ attempts }) => attempts === 2, 'the retry')
  return {
    name: 'Retry-After is honoured',
    passed: Math.abs(seconds - HOUR_SECONDS) <= TOLERANCE_SECONDS && status === 'delivered',
    observed: `the retry of an endpoint that asked for ${HOUR_SECONDS} s was due after ${seconds} s, then ${status}`,
  }
}

/**
 * A retry planned by a clock that is then set back must not wait until the clock is there again.
 */
export async function checkClockRollback(watch: WatchUnderTest, clock: FakeClock): Promise<Check> {
  watch.endpoint.response = { status: 500 }
  await watch.publish()
  await watch.waitForDelivery(({ attempts }) => attempts === 1, 'the first attempt')
  watch.endpoint.response = { status: 204 }
  const count = watch.endpoint.received.length
  await clock.moveBy(-2)
  const startedAt = performance.now()
  await watch.endpoint.waitFor(count + 1, 'the retry after the clock was set back')
  const seconds = (performance.now() - startedAt) / 1000
  return {
    name: 'a retry comes in time after the clock was set back by two hours',
    passed: true,
    observed: `after ${seconds.toFixed(1)} s`,
  }
}

function secondsUntilRetry({ log, next_attempt_at }: DeliveryState): number {
  const { at, duration_ms } = log.at(-1)!
  return Math.round((Date.parse(next_attempt_at!) - Date.parse(at) - duration_ms) / 1000)
}

async function moveTo(clock: FakeClock, { next_attempt_at }: DeliveryState): Promise<void> {
  const seconds = Math.ceil((Date.parse(next_attempt_at!) - clock.now) / 1000) + 1
  if (seconds > 0) await clock.moveBy(seconds / HOUR_SECONDS)
}
