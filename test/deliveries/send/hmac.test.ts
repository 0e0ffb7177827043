import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { hmacSha256 } from '../../../src/deliveries/send/hmac.ts'
import fc from '../../support/fast-check.ts'

const expected = (key: Uint8Array, start: string, rest: Uint8Array) =>
  createHmac('sha256', key).update(start).update(rest).digest('base64')

test('is the HMAC that OpenSSL computes', () => {
  const key = fc.uint8Array({ maxLength: 64 })
  const rest = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.constant(Buffer.alloc(100_000, 'ẹ')))
  fc.assert(
    fc.property(key, fc.string({ unit: 'binary' }), rest, (key, start, rest) => {
      assert.equal(hmacSha256(key, start, rest), expected(key, start, rest))
    }),
    { numRuns: 500 },
  )
})

test('a message that fills the memory exactly, one byte less and one more', () => {
  const key = Buffer.alloc(32, 7)
  for (const length of [-1, 0, 1].map((more) => (64 << 10) - 64 - 'start'.length + more)) {
    const rest = Buffer.alloc(length, 'a')
    assert.equal(hmacSha256(key, 'start', rest), expected(key, 'start', rest))
  }
})

test('a key that is too long is refused', () => {
  assert.throws(() => hmacSha256(Buffer.alloc(65), '', Buffer.alloc(0)), RangeError)
})
