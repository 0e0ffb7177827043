import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { isIdentifier, newIdentifier } from '../../src/domain/identifier.ts'

test('identifiers are recognised, and sort by the time they were made', () => {
  const moment = fc.integer({ min: 0, max: 2 ** 47 })
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const [first, second] = [
        newIdentifier('incident', one, randomBytes),
        newIdentifier('incident', other, randomBytes),
      ]
      assert.ok(isIdentifier('incident', first) && isIdentifier('incident', second))
      if (one !== other) assert.equal(first < second, one < other)
    }),
  )
})

test('what is not one of ours is not recognised', () => {
  for (const text of [
    '',
    'inc_',
    'inc_01jd8z',
    `key_${'0'.repeat(26)}`,
    `inc_${'u'.repeat(26)}`,
    `inc_${'0'.repeat(27)}`,
    `INC_${'0'.repeat(26)}`,
  ]) {
    assert.equal(isIdentifier('incident', text), false, text)
  }
})
