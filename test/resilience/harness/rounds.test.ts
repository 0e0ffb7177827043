import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rounds } from '../../../resilience/harness/rounds.ts'

test('rounds end when there are enough of them', () => {
  const rounds = new Rounds(3)
  assert.deepEqual([rounds.next(), rounds.next(), rounds.next(), rounds.next()], [true, true, true, false])
  assert.equal(rounds.done, 3)
})

test('rounds end when the time is over', () => {
  const rounds = new Rounds(3, 0)
  assert.equal(rounds.next(), false)
  assert.equal(rounds.done, 0)
})
