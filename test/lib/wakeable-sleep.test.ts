import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WakeableSleep } from '../../src/lib/wakeable-sleep.ts'

/** Longer than any test may take: only a wake-up ends it. */
const FOR_EVER = 2 ** 30

test('a sleep ends by itself', async () => {
  await new WakeableSleep(1).wait()
})

test('a wake-up ends a sleep', async () => {
  const sleep = new WakeableSleep(FOR_EVER)
  const sleeping = sleep.wait()
  sleep.wake()
  await sleeping
})

test('a wake-up before the sleep ends that sleep, and only that one', async () => {
  const sleep = new WakeableSleep(FOR_EVER)
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
  const sleep = new WakeableSleep(FOR_EVER)
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
  const sleep = new WakeableSleep(FOR_EVER)
  const sleeping = sleep.wait()
  sleep.stop()
  await sleeping
  await sleep.wait()
  assert.equal(sleep.stopped, true)
})
