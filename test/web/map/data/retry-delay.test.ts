import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../../web/map/api-client.ts'
import { retryDelay } from '../../../../web/map/data/retry-delay.ts'

const delays = (error: Error) => [0, 1, 2, 9].map((attempt) => retryDelay(error, attempt, () => 1))

test('the delay doubles up to half a minute', () => {
  assert.deepEqual(delays(new ApiError(503, '')), [1000, 2000, 4000, 30_000])
  assert.deepEqual(delays(new TypeError('offline')), [1000, 2000, 4000, 30_000])
})

test('Retry-After is respected, however long', () => {
  assert.deepEqual(delays(new ApiError(429, '', 3000)), [3000, 3000, 4000, 30_000])
  assert.deepEqual(delays(new ApiError(503, '', 600_000)), [600_000, 600_000, 600_000, 600_000])
})
