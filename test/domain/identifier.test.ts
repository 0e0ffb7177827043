import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { derivedIdentifier, isIdentifier, newIdentifier } from '../../src/domain/identifier.ts'
import fc from '../support/fast-check.ts'

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

test('the same hash gives the same identifier, another hash another', () => {
  const bytes = fc.uint8Array({ minLength: 26, maxLength: 64 })
  fc.assert(
    fc.property(bytes, fc.nat({ max: 25 }), fc.integer({ min: 1, max: 31 }), (hash, place, change) => {
      const derived = derivedIdentifier('incident', hash)
      assert.ok(isIdentifier('incident', derived))
      assert.equal(derivedIdentifier('incident', Uint8Array.from(hash)), derived)
      const other = Uint8Array.from(hash, (byte, index) => (index === place ? byte ^ change : byte))
      assert.notEqual(derivedIdentifier('incident', other), derived)
    }),
  )
  assert.throws(() => derivedIdentifier('incident', new Uint8Array(16)), RangeError)
})
