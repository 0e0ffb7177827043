import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../../src/pages/html.ts'
import { severityRing } from '../../../src/pages/marks/severity-ring.ts'

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
