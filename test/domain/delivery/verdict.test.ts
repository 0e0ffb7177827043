import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURES, type Failure, type SendResult } from '../../../src/domain/delivery.ts'
import { verdictOn } from '../../../src/domain/retry.ts'

const NOW = Date.UTC(2026, 0, 1)

const TIMES = { startedAt: NOW, durationMs: 5 }

function verdictOnFailure(failure: Failure) {
  return verdictOn({ ...TIMES, kind: 'failed', failure, message: '' }, 1, NOW, () => 0.5)
}

function verdict({ status, retryAfter = null }: { status: number; retryAfter?: string | null }, attempts = 1) {
  const result: SendResult = { ...TIMES, kind: 'answered', status, message: '', body: '', retryAfter }
  return verdictOn(result, attempts, NOW, () => 0.5)
}

const LATER = { outcome: 'retry', at: NOW + 5000 }

const STATUSES: [number, string][] = [
  ...[200, 201, 202, 204, 299].map((status): [number, string] => [status, 'delivered']),
  [410, 'gone'],
  ...[100, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 411, 422, 429, 500, 502, 503, 504, 599, 999].map(
    (status): [number, string] => [status, 'retry'],
  ),
]

for (const [status, outcome] of STATUSES) {
  test(`${status} means ${outcome}`, () => assert.equal(verdict({ status }).outcome, outcome))
}

for (const failure of Object.keys(FAILURES) as Failure[]) {
  test(`${failure} is tried again`, () => assert.deepEqual(verdictOnFailure(failure), LATER))
}

test('Retry-After counts with 429 and 503, and with nothing else', () => {
  for (const status of [429, 503]) {
    assert.deepEqual(verdict({ status, retryAfter: '60' }), { outcome: 'retry', at: NOW + 60_000 })
  }
  for (const status of [301, 404, 500]) assert.deepEqual(verdict({ status, retryAfter: '60' }), LATER)
})

test('after the twelfth attempt a delivery is given up, or delivered after all', () => {
  assert.deepEqual(verdict({ status: 500 }, 12), { outcome: 'exhausted' })
  assert.deepEqual(verdict({ status: 429, retryAfter: '60' }, 12), { outcome: 'exhausted' })
  assert.deepEqual(verdict({ status: 204 }, 12), { outcome: 'delivered' })
})

test('a delivery to an endpoint that is gone waits for its next attempt, while it has one', () => {
  assert.deepEqual(verdict({ status: 410 }), { outcome: 'gone', at: NOW + 5000 })
  assert.deepEqual(verdict({ status: 410 }, 12), { outcome: 'gone', at: null })
})
