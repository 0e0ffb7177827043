import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CachedReading, Semaphore, SharedRuns } from '../../src/lib/concurrency.ts'

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

test('a value is read once in its time, however many ask, and a failure is kept as long', async () => {
  let now = 0
  let reads = 0
  let fails = false
  const reading = new CachedReading(
    async () => {
      reads++
      if (fails) throw new Error('away')
      return reads
    },
    1000,
    () => now,
  )
  assert.deepEqual(await Promise.all([reading.get(), reading.get(), reading.get()]), [1, 1, 1])
  now = 999
  assert.equal(await reading.get(), 1)
  now = 1000
  fails = true
  await assert.rejects(() => reading.get(), /away/)
  fails = false
  await assert.rejects(() => reading.get(), /away/)
  assert.equal(reads, 2)
  now = 2000
  assert.equal(await reading.get(), 3)
})
