import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_ATTEMPTS, nextAttemptAt, retryAfterMilliseconds } from '../../../src/domain/retry.ts'
import fc from '../../support/fast-check.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 0, 1, 12)
const MIDDLE = () => 0.5

test('there are twelve attempts, and the waits between them are those of the reference', () => {
  const waits = Array.from({ length: MAX_ATTEMPTS }, (_, made) => nextAttemptAt(made + 1, NOW, MIDDLE))
  const seconds = [5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
  assert.deepEqual(waits, [...seconds.map((wait) => NOW + wait * 1000), null])
  assert.equal(MAX_ATTEMPTS, 12)
})

test('each wait is spread by a fifth either way', () => {
  assert.equal(
    nextAttemptAt(1, NOW, () => 0),
    NOW + 4000,
  )
  assert.equal(
    nextAttemptAt(1, NOW, () => 0.999_999),
    NOW + 6000,
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 11 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (made, chance) => {
        const wait = nextAttemptAt(made, NOW, () => chance)! - NOW
        const middle = nextAttemptAt(made, NOW, MIDDLE)! - NOW
        assert.ok(wait >= 0.8 * middle - 1 && wait <= 1.2 * middle + 1)
      },
    ),
  )
})

const RETRY_AFTER: [string, number | null][] = [
  ['120', 120_000],
  [' 0 ', 0],
  ['86400', 24 * HOUR],
  ['86401', 24 * HOUR],
  ['9'.repeat(400), 24 * HOUR],
  ['Thu, 01 Jan 2026 13:00:00 GMT', HOUR],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['Fri, 01 Jan 2027 12:00:00 GMT', 24 * HOUR],
  ['Thu, 99 Jan 2026 13:00:00 GMT', null],
  ['2026-01-01T13:00:00Z', null],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['', null],
]

for (const [header, wait] of RETRY_AFTER) {
  test(`Retry-After: ${header.slice(0, 40)} means ${wait === null ? 'nothing' : `${wait / 1000} s`}`, () => {
    assert.equal(retryAfterMilliseconds(header, NOW), wait)
  })
}

test('who asks for more time gets it, who asks for less does not', () => {
  assert.equal(nextAttemptAt(1, NOW, MIDDLE, '3600'), NOW + HOUR)
  assert.equal(nextAttemptAt(6, NOW, MIDDLE, '1'), NOW + 2 * HOUR)
  assert.equal(nextAttemptAt(1, NOW, MIDDLE, 'soon'), NOW + 5000)
  assert.equal(nextAttemptAt(12, NOW, MIDDLE, '3600'), null)
})
