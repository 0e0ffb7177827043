import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDay, clockText, dayText, momentText } from '../../../src/lib/time/nigeria-time.ts'
import fc from '../../support/fast-check.ts'

const [FIRST, LAST] = [Date.UTC(1920, 0, 1), Date.UTC(2100, 0, 1)]
const times = fc.integer({ min: FIRST, max: LAST })
const written = (time: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'Africa/Lagos' }).format(time)

test('days, months and clocks are those that Intl writes for Lagos', () => {
  fc.assert(
    fc.property(times, (time) => {
      assert.equal(dayText(time), written(time, { day: 'numeric', month: 'short', year: 'numeric' }))
      assert.equal(clockText(time), written(time, { hour: '2-digit', minute: '2-digit' }))
      const { day, month, year } = calendarDay(time)
      assert.equal(`${day} ${month} ${year}`, written(time, { day: 'numeric', month: 'long', year: 'numeric' }))
    }),
    { examples: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((month) => [Date.UTC(2026, month, 1)]) },
  )
})

test('the last hour of a UTC day belongs to the next day in Nigeria', () => {
  assert.equal(momentText('2026-01-02T23:05:00Z'), '3 Jan 2026, 00:05 WAT')
  assert.equal(dayText('2026-09-03'), '3 Sept 2026')
})
