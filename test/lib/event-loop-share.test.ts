import assert from 'node:assert/strict'
import { it, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventLoopBudget, EventLoopShare, runInSlices } from '../../src/lib/concurrency.ts'
import type { Steps } from '../../src/lib/steps.ts'

const signal = new AbortController().signal

test('subjects take turns, however many computations each has', async () => {
  const share = new EventLoopShare()
  const order: string[] = []
  const wait = (subject: string, name: string) => share.nextSlice(subject, signal).then(() => order.push(name))
  await Promise.all([
    wait('a', 'a1'),
    wait('a', 'a2'),
    wait('a', 'a3'),
    wait('b', 'b1'),
    wait('c', 'c1'),
    wait('b', 'b2'),
  ])
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('who leaves while waiting has no turn', async () => {
  const share = new EventLoopShare()
  const leaving = new AbortController()
  const left = share.nextSlice('a', leaving.signal)
  const stayed = share.nextSlice('a', signal)
  leaving.abort(new Error('left'))
  await assert.rejects(left, /left/)
  await stayed
  await assert.rejects(share.nextSlice('a', leaving.signal), /left/)
})

test('work at once ends when it is done', (t) => {
  t.mock.method(performance, 'now', () => 0)
  let steps = 0
  assert.equal(
    new EventLoopShare().runNow(() => ++steps === 3),
    true,
  )
  assert.equal(steps, 3)
})

it('work beyond the budget continues in later turns of the event loop', async () => {
  const done: number[] = []
  let left = 7
  let turns = 0
  const work = () => {
    turns++
    let now = 0
    while (left > 0 && budget.tryStart()) {
      left--
      now++
    }
    done.push(now)
  }
  const budget = new EventLoopBudget(3, work)
  work()
  work()
  assert.deepEqual(done, [3, 0], 'a further call in the same turn does nothing')
  while (left > 0) await nextTurn()
  assert.deepEqual(done, [3, 0, 3, 1])
  await nextTurn()
  assert.equal(turns, 4, 'it is called once for each turn that was too short')
})

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
