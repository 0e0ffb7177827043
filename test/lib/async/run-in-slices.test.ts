import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInSlices } from '../../../src/lib/async/run-in-slices.ts'
import type { Steps } from '../../../src/lib/async/steps.ts'

/** Longer than a slice. */
const STEP_MILLISECONDS = 6

function* longSteps(count: number): Steps<string> {
  for (let step = 0; step < count; step++) {
    const end = performance.now() + STEP_MILLISECONDS
    while (performance.now() < end);
    yield
  }
  return 'done'
}

test('other work runs between the slices', async () => {
  let turns = 0
  let isDone = false
  const turn = (): void => {
    if (isDone) return
    turns++
    setImmediate(turn)
  }
  setImmediate(turn)
  const result = await runInSlices(longSteps(8), 'a test')
  isDone = true
  assert.equal(result, 'done')
  assert.ok(turns >= 8, `${turns} turns`)
})

test('a client that leaves ends the computation', async () => {
  const leaving = new AbortController()
  const run = runInSlices(longSteps(1000), 'a test', leaving.signal)
  setImmediate(() => leaving.abort(new Error('gone')))
  await assert.rejects(run, /gone/)
})
