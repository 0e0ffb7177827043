import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ifRangeMatches, parseRange } from '../../../src/api/downloads.ts'

const SIZE = 1000
const CASES: [string | undefined, ReturnType<typeof parseRange>][] = [
  [undefined, null],
  ['bytes=0-499', { start: 0, end: 500 }],
  ['bytes=500-', { start: 500, end: 1000 }],
  ['bytes=999-999', { start: 999, end: 1000 }],
  ['bytes=0-99999', { start: 0, end: 1000 }],
  ['bytes=-1', { start: 999, end: 1000 }],
  ['bytes=-5000', { start: 0, end: 1000 }],
  ['Bytes=0-0', { start: 0, end: 1 }],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=1000-2000', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=2000-1500', null],
  ['bytes=0-1,5-6', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['rows=0-1', null],
]

for (const [header, expected] of CASES) {
  test(`Range: ${header} of ${SIZE} bytes`, () => assert.deepEqual(parseRange(header, SIZE), expected))
}

test('If-Range uses the strong comparison', () => {
  assert.ok(ifRangeMatches(undefined, '"a"'))
  assert.ok(ifRangeMatches('"a"', '"a"'))
  for (const other of ['W/"a"', '"b"', 'a', 'Sun, 15 Nov 2026 05:00:00 GMT']) assert.ok(!ifRangeMatches(other, '"a"'))
})
