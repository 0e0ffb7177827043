import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CachedReading, FirstInFirstOut, Semaphore, SharedRuns, WakeableSleep } from '../../src/lib/concurrency.ts'
import { machine } from '../../src/lib/runtime.ts'
import fc from '../support/fast-check.ts'

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

describe('wakeable sleep', () => {
  /** Longer than any test may take: only a wake-up ends it. */
  const FOR_EVER = 2 ** 30

  test('a sleep ends by itself', async () => {
    await new WakeableSleep(1, machine).wait()
  })

  test('a wake-up ends a sleep', async () => {
    const sleep = new WakeableSleep(FOR_EVER, machine)
    const sleeping = sleep.wait()
    sleep.wake()
    await sleeping
  })

  test('a wake-up before the sleep ends that sleep, and only that one', async () => {
    const sleep = new WakeableSleep(FOR_EVER, machine)
    sleep.clearWake()
    sleep.wake()
    await sleep.wait()
    let ended = false
    const sleeping = sleep.wait().then(() => {
      ended = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(ended, false)
    sleep.wake()
    await sleeping
  })

  test('clearWake discards earlier wake-ups', async () => {
    const sleep = new WakeableSleep(FOR_EVER, machine)
    sleep.wake()
    sleep.clearWake()
    let ended = false
    const sleeping = sleep.wait().then(() => {
      ended = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(ended, false)
    sleep.stop()
    await sleeping
  })

  test('stop ends the sleep and all later ones', async () => {
    const sleep = new WakeableSleep(FOR_EVER, machine)
    const sleeping = sleep.wait()
    sleep.stop()
    await sleeping
    await sleep.wait()
    assert.equal(sleep.stopped, true)
  })
})

describe('queues', () => {
  const ENTRIES = Array.from({ length: 8 }, (_, number) => ({ number }))
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('add'), number: fc.nat(7) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), number: fc.nat(7) }) },
    { weight: 5, arbitrary: fc.constant({ do: 'shift', number: 0 }) },
    { weight: 1, arbitrary: fc.constant({ do: 'clear', number: 0 }) },
  )

  test('entries leave in the order in which they came, whatever is added and deleted meanwhile', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const entries = new FirstInFirstOut<{ number: number }>()
        let model: { number: number }[] = []
        for (const { do: action, number } of steps) {
          const entry = ENTRIES[number]!
          if (action === 'add') {
            entries.add(entry)
            if (!model.includes(entry)) model.push(entry)
          } else if (action === 'delete') {
            assert.equal(entries.delete(entry), model.includes(entry))
            model = model.filter((other) => other !== entry)
          } else if (action === 'shift') assert.equal(entries.shift(), model.shift() ?? null)
          else {
            entries.clear()
            model = []
          }
          assert.equal(entries.size, model.length)
          assert.equal(entries.has(entry), model.includes(entry))
        }
      }),
      { numRuns: 500 },
    )
  })
})
