import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberText } from '../../../src/lib/text/number-text.ts'
import fc from '../../support/fast-check.ts'

test('whole numbers get the commas that Intl gives them', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      assert.equal(numberText(number), new Intl.NumberFormat('en').format(number))
    }),
    { examples: [[0], [-1], [999], [1000], [-1000], [999_999], [1_000_000]] },
  )
})
