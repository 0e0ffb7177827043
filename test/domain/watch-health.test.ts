import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_DELAYS } from '../../src/domain/retry.ts'
import {
  disabledReason,
  type FailureHistory,
  historyAfter,
  NO_FAILURES,
  warningsDue,
} from '../../src/domain/watch-health.ts'

const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The history after failures at these hours, and the last one's time. */
function failedAt(hours: readonly number[], before: FailureHistory = NO_FAILURES) {
  const history = hours.reduce(
    (earlier, hour) => historyAfter(earlier, { delivered: false, at: START + hour * HOUR }),
    before,
  )
  return { history, now: START + hours.at(-1)! * HOUR }
}

/** The hours at which one delivery is attempted, without jitter. */
const ONE_DELIVERY = [0, ...RETRY_DELAYS.map((_, index) => sumOf(RETRY_DELAYS.slice(0, index + 1)) / HOUR)]

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

const cases: { name: string; hours: readonly number[]; reason: 'failing' | null }[] = [
  { name: 'one failure', hours: [0], reason: null },
  { name: 'an old failure and one now', hours: [0, 6 * 24], reason: null },
  { name: 'an old failure and an outage of ten minutes', hours: [0, 144, 144.01, 144.02, 144.1, 144.2], reason: null },
  { name: 'all attempts of one delivery', hours: ONE_DELIVERY, reason: null },
  { name: 'all attempts of a delivery a month ago and one now', hours: [...ONE_DELIVERY, 30 * 24], reason: null },
  {
    name: 'five failures within an hour, five days after the first',
    hours: [0, 120, 120.2, 120.4, 120.6],
    reason: null,
  },
  { name: 'an attempt every day for less than five days', hours: [0, 24, 48, 72, 96, 119], reason: null },
  { name: 'an attempt every day for five days', hours: [0, 24, 48, 72, 96, 120], reason: 'failing' },
  {
    name: 'an attempt every minute for five days',
    hours: Array.from({ length: 5 * 24 * 60 + 1 }, (_, minute) => minute / 60),
    reason: 'failing',
  },
]

for (const { name, hours, reason } of cases) {
  test(`${name} ${reason === null ? 'does not disable a watch' : 'disables a watch'}`, () => {
    const { history, now } = failedAt(hours)
    assert.equal(disabledReason(history, false, now), reason)
  })
}

test('one success makes all well again', () => {
  const { history } = failedAt([0, 24, 48, 72, 96])
  const well = historyAfter(history, { delivered: true, at: START + 100 * HOUR })
  assert.deepEqual(well, NO_FAILURES)
  const { history: after, now } = failedAt([120], well)
  assert.deepEqual([after.failingSince, disabledReason(after, false, now)], [START + 120 * HOUR, null])
})

test('410 from the current URL disables a watch at once', () => {
  const { history, now } = failedAt([0])
  assert.equal(disabledReason(history, true, now), 'gone')
})

test('an owner is warned after one day and after four, and only of repeated failures', () => {
  const due = (hours: readonly number[]) => {
    const { history, now } = failedAt(hours)
    return warningsDue(history, now)
  }
  assert.deepEqual(
    [due([0]), due([0, 30]), due([0, 12, 23]), due([0, 12, 24]), due([0, 24, 48, 95]), due([0, 24, 48, 96])],
    [0, 0, 0, 1, 1, 2],
  )
})

test('a history stays small, however often a watch fails', () => {
  const { history } = failedAt(Array.from({ length: 20_000 }, (_, index) => index / 10))
  assert.ok(history.failures.length <= 21)
  assert.equal(history.failingSince, START)
  assert.ok(history.failures[0]! > START + 1999 * HOUR - 5 * DAY)
})
