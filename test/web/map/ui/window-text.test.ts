import assert from 'node:assert/strict'
import { test } from 'node:test'
import { windowText } from '../../../../web/map/ui/window-text.ts'

/** 09:30 in Lagos. */
const NOW = Date.parse('2026-11-16T08:30:00Z')
const CASES = [
  ['2026-11-02T23:00:00Z', '2026-11-09T23:00:00Z', '3–9 November'],
  ['2026-10-17T23:00:00Z', '2026-11-16T23:00:00Z', '18 Oct – 16 Nov'],
  ['2026-11-09T23:00:00Z', '2026-11-16T11:00:00Z', '10–16 November'],
  ['2026-11-15T23:00:00Z', '2026-11-16T23:00:00Z', '16 November'],
  ['2025-11-16T23:00:00Z', '2026-11-22T23:00:00Z', '17 Nov 2025 – 16 Nov 2026'],
  ['2024-12-31T23:00:00Z', '2025-02-28T23:00:00Z', '1 Jan – 28 Feb 2025'],
  ['2026-11-15T09:00:00Z', '2026-11-16T09:00:00Z', 'since 15 November, 10:00'],
  ['2026-11-14T05:00:00Z', '2026-11-14T11:00:00Z', '14 November, 06:00–12:00'],
  ['2026-11-14T17:00:00Z', '2026-11-14T23:00:00Z', '14 November, 18:00–24:00'],
] as const
for (const [from, to, text] of CASES) {
  test(`from ${from} to ${to} is ${text}`, () => assert.equal(windowText({ from, to }, NOW), text))
}

test('no window is all years', () => assert.equal(windowText(null, NOW), 'all years'))
