import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortCount } from '../../../src/pages/marks/short-count.ts'

/** `test/web/map/canvas/layers/marks.test.ts` compares it with the texts of the tiles. */
test('a count has at most four characters', () => {
  assert.deepEqual(
    [1, 384, 999, 1000, 1249, 9949, 9950, 12_345, 999_499, 999_500, 1_340_000, 12_000_000].map(shortCount),
    ['1', '384', '999', '1k', '1.2k', '9.9k', '10k', '12k', '999k', '1M', '1.3M', '12M'],
  )
})
