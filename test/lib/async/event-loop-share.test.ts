import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventLoopShare } from '../../../src/lib/async/event-loop-share.ts'

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

test('work at once ends when it is done', () => {
  let steps = 0
  assert.equal(
    new EventLoopShare().runNow(() => ++steps === 3),
    true,
  )
  assert.equal(steps, 3)
})
