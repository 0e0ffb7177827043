import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressLine, progressOn } from '../../src/cli/import-report.ts'
import { EMPTY_TALLY } from '../../src/desk/importing/reconcile.ts'

function progress(rows: number, offset: number) {
  return { position: { row: rows, offset }, tally: { ...EMPTY_TALLY, counts: { ...EMPTY_TALLY.counts, new: rows } } }
}

/** Shows progress at these times, with the file growing. */
function shown(screen: { isTTY: boolean; columns?: number }, moments: readonly number[]): string[] {
  const written: string[] = []
  let now = 0
  const pace = { size: 1_000, rowsBefore: 0, startedAt: 0 }
  const line = progressOn({ ...screen, write: (text) => written.push(text) }, pace, () => now)
  for (const moment of moments) {
    now = moment
    line.showProgress(progress(moment, 100))
  }
  line.clear()
  return written
}

test('shows percent, rows, rate of this run and rejected rows; no percent if the size is unknown', () => {
  const pace = { size: 4_000, rowsBefore: 2_000, startedAt: 1_000 }
  assert.equal(progressLine(progress(12_000, 1_000), pace, 3_000), '25%  12,000 rows  5,000 rows/s  0 rejected')
  assert.doesNotMatch(progressLine(progress(12_000, 1_000), { ...pace, size: null }, 3_000), /%/)
})

test('rewrites one line on a terminal at most five times a second, within its width, and clears it at the end', () => {
  const written = shown({ isTTY: true, columns: 12 }, [10, 200, 250, 399, 400])
  assert.deepEqual(written, ['\r10%  200 ro\x1b[K', '\r10%  400 ro\x1b[K', '\r\x1b[K'])
})

test('writes a line every ten seconds to a log', () => {
  const written = shown({ isTTY: false }, [5_000, 10_000, 15_000, 20_000])
  assert.deepEqual(
    written.map((line) => /^10% {2}([\d,]+) rows .*\n$/.exec(line)?.[1]),
    ['10,000', '20,000'],
  )
})
