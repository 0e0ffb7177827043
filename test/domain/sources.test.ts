import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextPollAt, type PollResult } from '../../src/domain/sources.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const SUCCESS: PollResult = { failures: 0, problem: null, retryAfterMs: null, hasLeftOver: false }
const FAILED: PollResult = { ...SUCCESS, failures: 1, problem: 'server_error' }
const middle = () => 0.5

const CASES: readonly (readonly [what: string, result: PollResult, delay: number])[] = [
  ['a success waits for the interval', SUCCESS, 15 * MINUTE],
  ['items that are left over are read soon', { ...SUCCESS, hasLeftOver: true }, MINUTE],
  ['a first failure waits for the interval', FAILED, 15 * MINUTE],
  ['a third failure waits four times as long', { ...FAILED, failures: 3 }, 60 * MINUTE],
  ['many failures wait for a day', { ...FAILED, failures: 50 }, DAY],
  ['a longer wait that the server asks for counts', { ...FAILED, retryAfterMs: 5 * 60 * MINUTE }, 5 * 60 * MINUTE],
  ['a shorter one does not', { ...FAILED, retryAfterMs: 1 }, 15 * MINUTE],
  ['nobody can ask for more than a day', { ...FAILED, retryAfterMs: 90 * DAY }, DAY],
  ['a feed that is gone is asked once a day', { ...FAILED, problem: 'gone' }, DAY],
]

for (const [what, result, delay] of CASES)
  test(what, () => assert.equal(nextPollAt(result, 15, 1000, middle), 1000 + delay))

test('polls spread by a tenth', () => {
  assert.equal(
    nextPollAt(SUCCESS, 10, 0, () => 0),
    9 * MINUTE,
  )
  assert.equal(
    nextPollAt(SUCCESS, 10, 0, () => 1),
    11 * MINUTE,
  )
})
