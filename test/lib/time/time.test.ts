import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationMs, parseDuration, parseTime, timeText } from '../../../src/lib/time/time.ts'

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
