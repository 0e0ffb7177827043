import assert from 'node:assert/strict'
import { test } from 'node:test'
import { english } from '../../src/i18n/english.ts'
import { trendText } from '../../src/i18n/trend-text.ts'

test('a month is compared in a sentence', () => {
  // October begins in Lagos an hour before it does in UTC.
  const october = { start: Date.parse('2026-09-30T23:00:00Z'), observed: 1400, isOver: true, isComplete: true }
  const usual = { from: 5, to: 1009 }
  const cases = [
    [{ ...october, usual }, '1,400 in October 2026; 5 to 1,009 would be usual.'],
    [{ ...october, usual: { from: 5, to: 5 } }, '1,400 in October 2026; 5 would be usual.'],
    [
      { ...october, usual, isComplete: false },
      '1,400 in October 2026; 5 to 1,009 would be usual. Reports of it are still coming in.',
    ],
    [
      { ...october, usual, isOver: false, isComplete: false },
      '1,400 so far this month; 5 to 1,009 would be usual for a whole month.',
    ],
    [{ ...october, usual: null }, '1,400 in October 2026.'],
    [{ ...october, usual: null, isOver: false, isComplete: false }, '1,400 so far this month.'],
  ] as const
  for (const [trend, text] of cases) assert.equal(trendText(trend, english), text)
})
