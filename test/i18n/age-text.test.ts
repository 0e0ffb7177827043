import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageText } from '../../src/i18n/age-text.ts'
import { english } from '../../src/i18n/english.ts'

test('an age is given in the largest fitting unit, from 60 days on as a date', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  const cases = {
    '2026-11-15T11:59:30Z': 'just now',
    '2026-11-15T11:55:00Z': '5 min ago',
    '2026-11-15T10:00:00Z': '2 h ago',
    '2026-11-12T12:00:00Z': '3 days ago',
    '2020-01-01T00:00:00Z': '1 Jan 2020',
    '2026-11-15T12:05:00Z': 'just now',
  }
  for (const [time, expected] of Object.entries(cases)) assert.equal(ageText(time, now, english), expected)
})
