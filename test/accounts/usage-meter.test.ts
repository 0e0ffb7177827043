import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, UsageMeter } from '../../src/accounts/usage-meter.ts'

const MIDNIGHT = Date.parse('2026-11-15T00:00:00Z')

/** Sums the counts by key and day: the meter may split them. */
function totals(meter: UsageMeter): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { keyId, day, requests } of meter.drain())
    sums[`${keyId} ${day}`] = (sums[`${keyId} ${day}`] ?? 0) + requests
  return sums
}

test('requests are counted per key and day, and drained once', () => {
  const meter = new UsageMeter()
  const requests = [
    ['a', -1],
    ['a', -1],
    ['b', -1],
    ['a', 0],
    ['a', 5],
  ] as const
  for (const [key, time] of requests) meter.countRequest(key, MIDNIGHT + time)
  assert.deepEqual(totals(meter), { 'a 2026-11-14': 2, 'b 2026-11-14': 1, 'a 2026-11-15': 2 })
  assert.deepEqual(meter.drain(), [])
})

test('counts that could not be stored are added again', () => {
  const meter = new UsageMeter()
  meter.countRequest('a', MIDNIGHT)
  const counts = meter.drain()
  meter.countRequest('a', MIDNIGHT)
  meter.restore([...counts, { keyId: 'a', day: '2026-11-01', requests: 7, lastAt: 0 }])
  meter.countRequest('a', MIDNIGHT)
  assert.deepEqual(totals(meter), { 'a 2026-11-01': 7, 'a 2026-11-15': 3 })
})

test('the day is in UTC, even if the clock goes back', () => {
  const days = [MIDNIGHT, MIDNIGHT - 1, MIDNIGHT].map(dayOf)
  assert.deepEqual(days, ['2026-11-15', '2026-11-14', '2026-11-15'])
})
