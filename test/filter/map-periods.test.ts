import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contains, fitWindow, MAP_PERIOD_NAMES, periodEndingAt, startOfBar } from '../../src/filter/map-periods.ts'
import fc from '../support/fast-check.ts'

const moment = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) })
const period = fc.constantFrom(...MAP_PERIOD_NAMES)

test('every period begins and ends with a bar, and contains its moment', () => {
  fc.assert(
    fc.property(period, moment, (name, time) => {
      const span = periodEndingAt(name, time)
      if (span === null) return
      const [from, to] = [Date.parse(span.from), Date.parse(span.to)]
      assert.ok(from <= time && time < to)
      assert.equal(startOfBar(name, from), from)
      assert.equal(startOfBar(name, to), to)
    }),
  )
})

test('a fitted window contains the given one, begins and ends with bars, and its period has room for it', () => {
  fc.assert(
    fc.property(period, moment, fc.integer({ min: 1, max: 800 * 86_400 }), (name, time, seconds) => {
      const from = Math.floor(time / 1000) * 1000
      const given = { from: new Date(from).toISOString(), to: new Date(from + seconds * 1000).toISOString() }
      const fitted = fitWindow(name, given)
      assert.ok(contains(fitted.window, given))
      const [start, end] = [Date.parse(fitted.window.from), Date.parse(fitted.window.to)]
      assert.equal(startOfBar(fitted.period, start), start)
      assert.equal(startOfBar(fitted.period, end), end)
      assert.ok(contains(periodEndingAt(fitted.period, end - 1), fitted.window))
      assert.deepEqual(fitWindow(fitted.period, fitted.window), fitted)
    }),
  )
})

test('a window that begins and ends with bars of the period is kept as it is', () => {
  const week = { from: '2026-11-02T23:00:00Z', to: '2026-11-09T23:00:00Z' }
  assert.deepEqual(fitWindow('30d', week), { period: '30d', window: week })
  assert.deepEqual(fitWindow('24h', week), { period: '7d', window: week })
})
