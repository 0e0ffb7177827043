import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { hasScope, mayManage, ROLES, roleFor, SCOPES_BY_ROLE, scopesLeft } from '../../src/domain/accounts.ts'
import { generateKey, KEY_KINDS, type Key, keyState, normaliseOrigin, parseKey, SCOPES } from '../../src/domain/keys.ts'
import { aKey } from '../store/fixtures.ts'
import fc from '../support/fast-check.ts'

test('a key has what its scopes and its role both give', () => {
  const operate = aKey(1, { scopes: ['read', 'operate'] })
  const given = (role: (typeof ROLES)[number]) => SCOPES.filter((scope) => hasScope(operate, role, scope))
  assert.deepEqual(given('client'), ['read'])
  assert.deepEqual(given('reporter'), ['read', 'report'])
  assert.deepEqual(given('editor'), ['read', 'report', 'review'])
  assert.deepEqual(given('admin'), ['read', 'report', 'review', 'admin', 'operate'])
  assert.deepEqual(scopesLeft(operate, 'admin'), ['read', 'operate'])
  assert.deepEqual(scopesLeft(operate, 'editor'), ['read', 'report', 'review'])
})

test('a key manages keys whose scopes it has, and no others', () => {
  const watcher = aKey(1, { scopes: ['read', 'watch'] })
  assert.equal(mayManage(watcher, 'admin', ['read']), true)
  for (const scope of ['report', 'review', 'admin', 'operate'] as const)
    assert.equal(mayManage(watcher, 'admin', ['read', scope]), false)
  assert.equal(mayManage(aKey(1, { scopes: ['operate'] }), 'editor', ['operate']), false)
})

test('the lowest role that has the scopes is found', () => {
  for (const role of ROLES) assert.equal(roleFor(SCOPES_BY_ROLE[role]), role)
  assert.equal(roleFor(['operate']), 'admin')
  assert.equal(roleFor([]), 'client')
})

const ORIGINS: [string, string | null][] = [
  ['HTTPS://Example.ORG', 'https://example.org'],
  ['https://example.org:443/', 'https://example.org'],
  ['http://example.org:8080', 'http://example.org:8080'],
  ['https://bücher.ng', 'https://xn--bcher-kva.ng'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://example.org/path', null],
  ['https://example.org?x', null],
  ['https://user@example.org', null],
  ['https://*.example.org', null],
  ['https:\\\\example.org', null],
  ['https:example.org', null],
  ['ftp://example.org', null],
  ['example.org', null],
  ['null', null],
  ['https://exa mple.org', null],
  ['https://example.org:99999', null],
  ['https://\u0000\ud800', null],
]
for (const [text, origin] of ORIGINS) {
  test(`the origin ${JSON.stringify(text)} is ${origin ?? 'refused'}`, () => {
    assert.equal(normaliseOrigin(text), origin)
  })
}

describe('keys', () => {
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
})
