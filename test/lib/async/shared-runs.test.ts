import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedRuns } from '../../../src/lib/async/shared-runs.ts'

const staying = () => new AbortController().signal

test('callers that ask for the same at the same time share one run', async () => {
  const runs = new SharedRuns<string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  let started = 0
  const ask = () =>
    runs.join('key', staying, () => {
      started++
      return promise
    })
  const answers = [ask(), ask(), ask()]
  resolve('answer')
  assert.deepEqual(await Promise.all(answers), ['answer', 'answer', 'answer'])
  assert.equal(started, 1)
  assert.equal(await runs.join('key', staying, async () => 'another'), 'another')
})

test('the run stops once the last caller has left, not before', async () => {
  const runs = new SharedRuns<string>()
  const callers = [new AbortController(), new AbortController()]
  let stopped = false
  const answers = callers.map((caller) =>
    runs.join(
      'key',
      () => caller.signal,
      (signal) =>
        new Promise((_, reject) => {
          signal().addEventListener('abort', () => {
            stopped = true
            reject(new Error('stopped'))
          })
        }),
    ),
  )
  callers[0]!.abort(new Error('left'))
  await assert.rejects(Promise.resolve(answers[0]), /left/)
  assert.equal(stopped, false)
  callers[1]!.abort(new Error('left'))
  await assert.rejects(Promise.resolve(answers[1]), /left|stopped/)
  assert.equal(stopped, true)
})

test('a result that is there at once needs no promise and no signal', () => {
  const never = () => assert.fail('the signal was asked for')
  assert.equal(
    new SharedRuns<number>().join('key', never, () => 5),
    5,
  )
})
