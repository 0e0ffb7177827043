import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Semaphore } from '../../../src/lib/async/semaphore.ts'

test('tasks start in order, at most three run at once, and a failed task delays no other', async () => {
  const semaphore = new Semaphore(3)
  const started: number[] = []
  let working = 0
  let maximum = 0
  const work = (number: number) => async () => {
    started.push(number)
    maximum = Math.max(maximum, ++working)
    await new Promise((resolve) => setImmediate(resolve))
    working--
    if (number % 4 === 0) throw new Error(`${number} failed`)
    return number
  }
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, number) => semaphore.run(work(number))))
  assert.equal(maximum, 3)
  assert.deepEqual(
    started,
    Array.from({ length: 20 }, (_, number) => number),
  )
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 5)
})
