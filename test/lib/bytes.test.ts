import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksum, viewOf } from '../../src/lib/bytes.ts'
import fc from '../support/fast-check.ts'

const of = (bytes: Uint8Array, from = 0) => checksum(viewOf(bytes), from, bytes.length)

test('is xxHash32', () => {
  const known = {
    '': 0x02cc5d05,
    a: 0x550d7456,
    abc: 0x32d153ff,
    'Nobody inspects the spammish repetition': 0xe2293b2f,
  }
  for (const [text, expected] of Object.entries(known)) assert.equal(of(Buffer.from(text)), expected, text)
})

test('differs if one bit does, and does not depend on the position', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), fc.nat(20), (bytes, bit, before) => {
      const moved = Buffer.concat([Buffer.alloc(before, 7), bytes])
      assert.equal(of(moved, before), of(bytes))
      const flipped = Uint8Array.from(bytes)
      flipped[bit % bytes.length]! ^= 1 << (bit % 8)
      assert.notEqual(of(flipped), of(bytes))
    }),
  )
})
