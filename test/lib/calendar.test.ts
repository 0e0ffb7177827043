import assert from 'node:assert/strict'
import { test } from 'node:test'
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
import fc from '../support/fast-check.ts'

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
