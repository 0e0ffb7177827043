import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../src/pages/html.ts'
import { severityRing, shortCount } from '../../src/pages/marks.ts'

const ringOf = (bySeverity: readonly number[]) =>
  severityRing(bySeverity, 10, (severity) => html`class="${severity}"`).map(({ text }) => text)

test('a ring of one severity is a circle', () => {
  assert.deepEqual(ringOf([0, 384, 0, 0]), ['<circle class="medium" r="10"/>'])
})

test('each severity has its share of the ring, the worst first', () => {
  const [critical, low] = ringOf([3, 0, 0, 1])
  // A quarter clockwise from the top, then three quarters; a hundredth less at both ends.
  assert.equal(critical, '<path class="critical" d="M0.6 -10A10 10 0 0 1 10 -0.6"/>')
  assert.equal(low, '<path class="low" d="M10 0.6A10 10 0 1 1 -0.6 -10"/>')
})

test('a tiny share still shows', () => {
  const [critical] = ringOf([0, 0, 99_999, 1])
  assert.match(critical!, /class="critical" d="M0\.6 -10A10 10 0 0 1 1\.3 -9\.9"/)
})

/** `test/web/map-canvas.test.ts` compares it with the texts of the tiles. */
test('a count has at most four characters', () => {
  assert.deepEqual(
    [1, 384, 999, 1000, 1249, 9949, 9950, 12_345, 999_499, 999_500, 1_340_000, 12_000_000].map(shortCount),
    ['1', '384', '999', '1k', '1.2k', '9.9k', '10k', '12k', '999k', '1M', '1.3M', '12M'],
  )
})
