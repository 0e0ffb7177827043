import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasScope, mayManage, ROLES, roleFor, SCOPES_BY_ROLE, scopesLeft } from '../../src/domain/accounts.ts'
import { normaliseOrigin, SCOPES } from '../../src/domain/keys.ts'
import { aKey } from '../store/fixtures.ts'

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
