import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ComparisonMemo } from '../../src/trends/comparison-memo.ts'
import { compareWithHistory } from '../../src/trends/method.ts'
import { sameTimesByNumber } from '../../src/trends/model/same-times.ts'
import { chooseBaseline } from '../../src/trends/model/season-levels.ts'
import { TREND_METHODS } from '../../src/trends/trend-method.ts'

test('a series is compared once for each time and number of years', () => {
  const memo = new ComparisonMemo()
  const method = TREND_METHODS.month
  const counts = Uint32Array.from({ length: 80 }, (_, month) => 5 + ((month * 7) % 4))
  const compare = (of: Uint32Array, index: number, years: number) => {
    const times = sameTimesByNumber(index, 12, years)
    return { found: memo.compare(of, times, method, chooseBaseline(times, method)), times }
  }
  const first = compare(counts, 79, 5)
  assert.deepEqual(first.found, compareWithHistory(counts, first.times, method))
  assert.equal(compare(counts, 79, 5).found, first.found)
  for (const [index, years] of [
    [78, 5],
    [79, 4],
  ] as const) {
    const other = compare(counts, index, years)
    assert.deepEqual(other.found, compareWithHistory(counts, other.times, method))
    assert.notDeepEqual(other.found, first.found)
  }
  const changed = counts.slice()
  changed[79]! += 20
  assert.ok(compare(changed, 79, 5).found!.probability < first.found!.probability)
})
