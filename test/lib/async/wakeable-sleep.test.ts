import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WakeableSleep } from '../../../src/lib/async/wakeable-sleep.ts'

/** Longer than any test may take: only a wake-up ends it. */
const FOR_EVER = 2 ** 30

test('a rest ends by itself', async () => {
  await new WakeableSleep(1).wait()
})

test('a wake-up ends it', async () => {
  const rest = new WakeableSleep(FOR_EVER)
  const resting = rest.wait()
  rest.wake()
  await resting
})

test('a wake-up that came before it is not missed, and counts once', async () => {
  const rest = new WakeableSleep(FOR_EVER)
  rest.clearWake()
  rest.wake()
  await rest.wait()
  let ended = false
  const resting = rest.wait().then(() => {
    ended = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(ended, false)
  rest.wake()
  await resting
})

test('what came before a look begins is seen by that look', async () => {
  const rest = new WakeableSleep(FOR_EVER)
  rest.wake()
  rest.clearWake()
  let ended = false
  const resting = rest.wait().then(() => {
    ended = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(ended, false)
  rest.stop()
  await resting
})

test('once stopped, nobody rests', async () => {
  const rest = new WakeableSleep(FOR_EVER)
  const resting = rest.wait()
  rest.stop()
  await resting
  await rest.wait()
  assert.equal(rest.stopped, true)
})
