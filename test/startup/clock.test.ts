import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { SynchronizedClock } from '../../src/lib/synchronized-clock.ts'
import { followDatabaseClock } from '../../src/startup/clock.ts'

const TIME = Date.UTC(2026, 10, 16)
const YEARS = 10 * 365 * 86_400_000
const options = {
  retryStore: <Value>(attempt: () => Promise<Value>) => attempt(),
  logger: pino({ level: 'silent' }),
}

test('a node whose clock is years ahead uses the time of the database from its start', async () => {
  const clock = new SynchronizedClock({ clock: () => TIME + YEARS, elapsed: () => 0 })
  await using _following = await followDatabaseClock(clock, { readTime: async () => TIME }, options)
  assert.equal(clock.now(), TIME)
})

test('with a database that has no clock, the clock of the machine counts', async () => {
  const clock = new SynchronizedClock({ clock: () => TIME + YEARS, elapsed: () => 0 })
  await using _following = await followDatabaseClock(clock, { readTime: null }, options)
  assert.equal(clock.now(), TIME + YEARS)
})
