import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from '../../../src/lib/text/edit-distance.ts'
import { suggestNames } from '../../../src/lib/text/suggest.ts'
import fc from '../../support/fast-check.ts'

test('the distance counts changed, missing, added and swapped characters', () => {
  const cases: [string, string, number][] = [
    ['', '', 0],
    ['kaduna', 'kaduna', 0],
    ['kadunna', 'kaduna', 1],
    ['kaudna', 'kaduna', 1],
    ['lagos', 'jos', 3],
  ]
  for (const [one, other, distance] of cases) assert.equal(editDistance(one, other, 10), distance)
})

test('the distance is the same both ways, and a limit only cuts it off', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 8 }), (one, other, limit) => {
      const whole = editDistance(one, other, 100)
      assert.equal(editDistance(other, one, 100), whole)
      assert.equal(editDistance(one, other, limit), Math.min(whole, limit + 1))
    }),
  )
})

test('similar words are suggested, the most similar first; without a similar word there is no suggestion', () => {
  assert.deepEqual(suggestNames('kidnaping', ['banditry', 'kidnapping']), ['kidnapping'])
  assert.deepEqual(suggestNames('Kadunna', ['Katsina', 'Kaduna', 'Kano']), ['Kaduna'])
  assert.deepEqual(suggestNames('xyz', ['newest', 'oldest']), [])
})

test('a very long text is compared quickly', () => {
  assert.deepEqual(suggestNames('x'.repeat(5_000_000), ['kidnapping']), [])
})
