import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDay, clockText, dayText, momentText } from '../../src/lib/nigeria-time.ts'
import { durationMs, parseDuration, parseTime, timeText } from '../../src/lib/time.ts'
import fc from '../support/fast-check.ts'

const TIMES: [string, string | null][] = [
  ['2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01T12:30:00Z', '2026-05-01T12:30:00.000Z'],
  ['2026-05-01t12:30:00.25z', '2026-05-01T12:30:00.250Z'],
  ['2026-05-01T12:30:00+01:00', '2026-05-01T11:30:00.000Z'],
  ['2026-05-01T12:30:00 01:00', '2026-05-01T11:30:00.000Z'],
  ['2026-05-01 12:30:00Z', '2026-05-01T12:30:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-02-29', null],
  ['2026-13-01', null],
  ['2026-00-10', null],
  ['2026-04-31T00:00:00Z', null],
  ['2026-05-01T24:00:00Z', null],
  ['2026-05-01T12:60:00Z', null],
  ['2026-05-01T12:30Z', null],
  ['2026-05-01T12:30:00', null],
  ['01/05/2026', null],
  ['yesterday', null],
  ['', null],
]

for (const [text, expected] of TIMES) {
  test(`${JSON.stringify(text)} is ${expected ?? 'no time'}`, () => {
    const time = parseTime(text)
    assert.equal(time === null ? null : new Date(time).toISOString(), expected)
  })
}

test('a span is a count of minutes, hours, days or weeks', () => {
  const spans = ['90m', '24h', '7d', '2w'].map((text) => durationMs(parseDuration(text)!) / 3_600_000)
  assert.deepEqual(spans, [1.5, 24, 168, 336])
  for (const text of ['', '24', 'h', '0h', '-1h', '1.5h', '24 h', '24H', '1y', '123456789h'])
    assert.equal(parseDuration(text), null, text)
})

test('an incident carries its times to the second, and they are read back', () => {
  const time = Date.UTC(2026, 4, 1, 12, 30, 59, 999)
  assert.equal(timeText(time), '2026-05-01T12:30:59Z')
  assert.equal(parseTime(timeText(time)), time - 999)
})

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
