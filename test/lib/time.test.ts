import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CALENDAR_UNITS,
  countPeriods,
  monthOf,
  monthStart,
  monthText,
  periodsBetween,
  readMonth,
  startOfPeriod,
} from '../../src/lib/calendar.ts'
import { calendarDay, clockText, dayText, momentText } from '../../src/lib/nigeria-time.ts'
import { SynchronizedClock } from '../../src/lib/runtime.ts'
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

describe('calendar', () => {
  const CASES = [
    ['hour', '2024-02-28T22:59:59Z', '2024-02-29T00:00:00Z', ['2024-02-28T22', '2024-02-28T23', '2024-02-29T00']],
    ['day', '2024-02-28T23:59:59Z', '2024-03-01T00:00:00Z', ['2024-02-28', '2024-02-29', '2024-03-01']],
    ['week', '2020-12-27T12:00:00Z', '2021-01-04T00:00:00Z', ['2020-W52', '2020-W53', '2021-W01']],
    ['week', '2024-12-30T00:00:00Z', '2025-01-05T23:59:59Z', ['2025-W01']],
    ['month', '2025-11-30T23:59:59Z', '2026-02-01T00:00:00Z', ['2025-11', '2025-12', '2026-01', '2026-02']],
    ['year', '1968-07-01T00:00:00Z', '1970-01-01T00:00:00Z', ['1968', '1969', '1970']],
    ['year', '0050-07-01T00:00:00Z', '0051-01-01T00:00:00Z', ['0050', '0051']],
    ['month', '2026-02-01T00:00:00Z', '2025-11-30T00:00:00Z', []],
  ] as const

  for (const [unit, from, to, names] of CASES) {
    test(`${unit}s from ${from} to ${to} are ${names.join(', ') || 'none'}`, () => {
      const periods = periodsBetween(unit, Date.parse(from), Date.parse(to))
      assert.deepEqual(
        periods.map(({ name }) => name),
        names,
      )
    })
  }

  test('periods have no gap between them and cover the whole window', () => {
    const time = fc.integer({ min: Date.UTC(1899, 0, 1), max: Date.UTC(2100, 0, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...CALENDAR_UNITS), time, fc.nat(400 * 86_400_000), (unit, from, length) => {
        const periods = periodsBetween(unit, from, from + length)
        assert.equal(periods.length, countPeriods(unit, from, from + length))
        assert.ok(periods[0]!.start <= from && from < periods[0]!.end)
        assert.ok(periods.at(-1)!.start <= from + length && from + length < periods.at(-1)!.end)
        for (const [index, { start }] of periods.entries()) if (index > 0) assert.equal(start, periods[index - 1]!.end)
        if (unit === 'week') assert.ok(periods.every(({ start }) => new Date(start).getUTCDay() === 1))
      }),
    )
  })

  const IN_LAGOS = [
    ['hour', '2026-02-28T23:30:00Z', '2026-03-01T00', '2026-02-28T23:00:00.000Z'],
    ['day', '2026-02-28T22:59:59Z', '2026-02-28', '2026-02-27T23:00:00.000Z'],
    ['day', '2026-02-28T23:00:00Z', '2026-03-01', '2026-02-28T23:00:00.000Z'],
    ['week', '2026-11-15T23:00:00Z', '2026-W47', '2026-11-15T23:00:00.000Z'],
    ['month', '2026-02-28T23:00:00Z', '2026-03', '2026-02-28T23:00:00.000Z'],
    ['year', '2025-12-31T23:00:00Z', '2026', '2025-12-31T23:00:00.000Z'],
  ] as const
  for (const [unit, time, name, start] of IN_LAGOS) {
    test(`in Lagos ${time} is in the ${unit} ${name}, which begins at ${start}`, () => {
      const moment = Date.parse(time)
      const [period] = periodsBetween(unit, moment, moment, 'Africa/Lagos')
      assert.deepEqual([period!.name, new Date(period!.start).toISOString()], [name, start])
      assert.equal(startOfPeriod(unit, moment, 'Africa/Lagos'), period!.start)
      assert.equal(startOfPeriod(unit, moment, 'Africa/Lagos', 1), period!.end)
      assert.equal(countPeriods(unit, moment, period!.end, 'Africa/Lagos'), 2)
    })
  }

  test('a moment lies in the month that its date names', () => {
    const moment = fc.date({ min: new Date('1960-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, (date) => {
        const month = monthOf(date.getTime())
        assert.equal(monthText(month), date.toISOString().slice(0, 7))
        assert.equal(readMonth(monthText(month)), month)
        assert.ok(monthStart(month) <= date.getTime() && date.getTime() < monthStart(month + 1))
      }),
    )
  })

  test('an invalid month is refused', () => {
    for (const text of ['', '2024', '2024-00', '2024-13', '2024-5', '24-05', '2024-05-01', ' 2024-05', '0000-01'])
      assert.equal(readMonth(text), null, text)
  })
})

describe('synchronized clock', () => {
  const TRUE_TIME = Date.UTC(2026, 10, 16)
  const YEARS = 10 * 365 * 86_400_000

  /** A machine whose clock is wrong by `offset`, and a reference that is right. */
  function machine(offset: number) {
    const now = { elapsed: 0, offset, readingTakes: 0 }
    const trueTime = () => TRUE_TIME + now.elapsed
    const clock = new SynchronizedClock({ wallClock: () => trueTime() + now.offset, elapsed: () => now.elapsed })
    const synchronize = () =>
      clock.synchronize(async () => {
        now.elapsed += now.readingTakes / 2
        const time = trueTime()
        now.elapsed += now.readingTakes / 2
        return time
      })
    return { clock, now, trueTime, synchronize }
  }

  test('without a reference the clock of the machine counts', () => {
    assert.equal(machine(YEARS).clock.now(), TRUE_TIME + YEARS)
  })

  for (const [offset, corrected] of [
    [0, 0],
    [5000, 0],
    [-5000, 0],
    [5001, 5001],
    [YEARS, YEARS],
    [-YEARS, -YEARS],
  ] as const) {
    test(`a clock that is ${offset} ms ahead is corrected by ${corrected} ms`, async () => {
      const { clock, now, trueTime, synchronize } = machine(offset)
      await synchronize()
      now.elapsed += 1500
      assert.equal(clock.now(), trueTime() + offset - corrected)
      assert.equal(clock.correctedBy, corrected)
    })
  }

  test('a clock that jumps between two readings is corrected at once, and trusted again once it is right', async () => {
    const { clock, now, trueTime, synchronize } = machine(0)
    await synchronize()
    now.offset = YEARS
    assert.equal(clock.now(), trueTime())
    now.offset = 40
    assert.equal(clock.now(), trueTime() + 40)
  })

  test('a clock that agrees is not corrected, though a millisecond passes at each reading', async () => {
    let now = TRUE_TIME
    const clock = new SynchronizedClock({ wallClock: () => ++now, elapsed: () => now })
    await clock.synchronize(async () => now)
    assert.equal(clock.correctedBy, 0)
  })

  test('a reading that takes longer than the tolerance is ignored', async () => {
    const { clock, now, synchronize } = machine(YEARS)
    now.readingTakes = 5001
    await synchronize()
    assert.equal(clock.correctedBy, 0)
    now.readingTakes = 4000
    await synchronize()
    assert.equal(clock.correctedBy, YEARS)
  })
})
