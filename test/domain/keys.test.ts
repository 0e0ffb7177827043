import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { generateKey, KEY_KINDS, type Key, keyState, parseKey } from '../../src/domain/keys.ts'
import fc from '../support/fast-check.ts'

test('a key has its prefix, 30 random characters and 6 of checksum, and is read back', () => {
  for (const [kind, prefix] of Object.entries(KEY_KINDS)) {
    const text = generateKey(kind as keyof typeof KEY_KINDS, randomBytes)
    assert.match(text, new RegExp(`^${prefix}[0-9A-Za-z]{36}$`))
    assert.deepEqual(parseKey(text), { kind })
  }
})

test('any one changed, missing or added character is noticed as a typing mistake', () => {
  const text = generateKey('live', randomBytes)
  const inside = fc.integer({ min: 'inf_live_'.length, max: text.length - 1 })
  const character = fc.constantFrom(...'abcXYZ019')
  fc.assert(
    fc.property(inside, character, fc.constantFrom('change', 'drop', 'add'), (at, put, how) => {
      fc.pre(how !== 'change' || text[at] !== put)
      const middle = how === 'drop' ? '' : how === 'add' ? put + text[at] : put
      assert.deepEqual(parseKey(text.slice(0, at) + middle + text.slice(at + 1)), { problem: 'mistyped' })
    }),
  )
})

test('what does not begin like a key is malformed', () => {
  for (const text of ['', 'hello', 'sk_live_123', 'INF_LIVE_x', 'inf_test_x']) {
    assert.deepEqual(parseKey(text), { problem: 'malformed' })
  }
})

test('the checksum of keys that were issued before stays the same', () => {
  const bytes = (size: number) => Uint8Array.from({ length: size }, (_, index) => (index * 7) % 248)
  assert.equal(generateKey('live', bytes), 'inf_live_07ELSZgnu18FMTahov29GNUbipw3AH0pBGg7')
  assert.deepEqual(parseKey('inf_pub_0000000000000000000000000000000Wdr3n'), { kind: 'publishable' })
})

test('a key works until it is revoked or expires', () => {
  const key = { revokedAt: null, expiresAt: null } as Key
  assert.equal(keyState(key, 100), 'valid')
  assert.equal(keyState({ ...key, expiresAt: 101 }, 100), 'valid')
  assert.equal(keyState({ ...key, expiresAt: 100 }, 100), 'expired')
  assert.equal(keyState({ ...key, revokedAt: 100, expiresAt: 50 }, 100), 'revoked')
  assert.equal(keyState({ ...key, revokedAt: 105 }, 100), 'revoked', 'by a node whose clock is ahead')
})
