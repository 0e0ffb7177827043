import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { generateKey } from '../../../src/domain/keys.ts'
import { problemOf, startTestApp } from '../../support/app.ts'

interface KeyAnswer {
  id: string
  key: string
  kind: string
  scopes: string[]
  hint: string
  expires_at: string | null
  revoked_at: string | null
  account_id: string
}
const json = async <Body = KeyAnswer>(response: Response, status: number) => {
  const text = await response.text()
  assert.equal(response.status, status, text)
  return JSON.parse(text) as Body
}

test('a client without a key gets one in one request and reads with it in the next', async () => {
  await using app = await startTestApp()
  const { key, scopes, kind } = await json(
    await app.post('/v1/keys', { email: 'ada@example.org', name: 'Ada' }, null),
    201,
  )
  assert.match(key, /^inf_live_[0-9A-Za-z]{36}$/)
  assert.deepEqual([kind, scopes], ['live', ['read', 'watch']])
  assert.equal((await app.get('/v1/incidents', key)).status, 200)
  const me = await json<{
    account: { email: string; name: string }
    limits: object
    usage: { requests: number }
    scopes: string[]
  }>(await app.get('/v1/me', key), 200)
  assert.deepEqual(
    [me.account.email, me.account.name, me.scopes, me.usage.requests],
    ['ada@example.org', 'Ada', ['read', 'watch'], 2],
  )
  assert.deepEqual(me.limits, { requests_per_minute: 1000000 })
})

test('the key itself is never stored', async () => {
  await using app = await startTestApp()
  const { key } = await json(
    await app.post('/v1/keys', { email: 'ada@example.org' }, null, { 'idempotency-key': 'abc' }),
    201,
  )
  const { data } = await json<{ data: object[] }>(await app.get('/v1/keys', key), 200)
  assert.equal(data.length, 1)
  assert.ok(!JSON.stringify(data).includes(key))
})

test('a key creates more keys for its account: live, publishable, expiring', async () => {
  await using app = await startTestApp()
  const first = await json(await app.post('/v1/keys', { email: 'ada@example.org' }, null), 201)
  const expires = new Date(Date.now() + 60_000).toISOString()
  const second = await json(await app.post('/v1/keys', { name: 'second', expires_at: expires }, first.key), 201)
  const third = await json(
    await app.post('/v1/keys', { kind: 'publishable', origins: ['https://example.org'] }, first.key),
    201,
  )
  assert.deepEqual([second.account_id, third.account_id], [first.account_id, first.account_id])
  assert.equal(second.expires_at, expires)
  assert.match(third.key, /^inf_pub_/)
  assert.deepEqual(third.scopes, ['read'])
  const { data } = await json<{ data: KeyAnswer[] }>(await app.get('/v1/keys', second.key), 200)
  assert.deepEqual(data.map(({ id }) => id).toSorted(), [first.id, second.id, third.id].toSorted())
  assert.equal(
    (await problemOf(await app.post('/v1/keys', {}, third.key, { origin: 'https://example.org' }))).code,
    'insufficient_scope',
  )
})

test('a revoked key stops at once, and revoking it again changes nothing', async () => {
  await using app = await startTestApp()
  const [one, other] = [await app.issue(), await app.issue()]
  assert.equal((await app.get('/v1/me', one.text)).status, 200)
  const revoke = (id: string, key: string) =>
    fetch(`${app.url}/v1/keys/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } })
  assert.equal((await problemOf(await revoke(one.key.id, other.text))).code, 'not_found')
  const helper = await json(await app.post('/v1/keys', {}, one.text), 201)
  const revoked = await json(await revoke(one.key.id, helper.key), 200)
  assert.ok(revoked.revoked_at)
  assert.equal((await problemOf(await app.get('/v1/me', one.text))).code, 'revoked_key')
  assert.deepEqual(await json(await revoke(one.key.id, helper.key), 200), revoked)
})

test('a rotated key works for 24 more hours, then only its successor', async () => {
  let now = Date.now()
  await using app = await startTestApp({}, { clock: () => now })
  const { key, text } = await app.issue({ ratePerMinute: 77, name: 'production' })
  const successor = await json(await app.post(`/v1/keys/${key.id}/rotate`, '', text), 201)
  for (const working of [text, successor.key])
    assert.equal((await app.get('/v1/me', working)).headers.get('ratelimit-policy'), '"minute";q=77;w=60')
  now += 24 * 3_600_000
  assert.equal((await problemOf(await app.get('/v1/me', text))).code, 'expired_key')
  assert.equal((await app.get('/v1/me', successor.key)).status, 200)
  assert.equal((await problemOf(await app.post(`/v1/keys/${key.id}/rotate`, '', successor.key))).code, 'not_found')
})

test('each kind of wrong key gets its own error', async () => {
  let now = Date.now()
  await using app = await startTestApp({}, { clock: () => now })
  const good = await app.issue()
  const expiring = await app.issue({ expiresAt: now + 5000 })
  const revoked = await app.issue()
  await app.store.keys.revoke(revoked.key.accountId, revoked.key.id, now)
  const publishable = await app.issue({ kind: 'publishable', origins: ['https://map.example.org'] })
  now += 6000
  const cases: [string, Record<string, string>, number, string][] = [
    ['no key', {}, 401, 'missing_key'],
    ['another scheme', { authorization: `Basic ${good.text}` }, 401, 'malformed_key'],
    ['an empty key', { authorization: 'Bearer ' }, 401, 'malformed_key'],
    ['another token', { authorization: 'Bearer sk_live_123' }, 401, 'malformed_key'],
    ['a missing character', { authorization: `Bearer ${good.text.slice(0, -1)}` }, 401, 'mistyped_key'],
    [
      'a changed character',
      { authorization: `Bearer ${good.text.slice(0, 12)}${good.text[12] === 'a' ? 'b' : 'a'}${good.text.slice(13)}` },
      401,
      'mistyped_key',
    ],
    ['a key never issued', { authorization: `Bearer ${generateKey('live', randomBytes)}` }, 401, 'unknown_key'],
    ['a revoked key', { authorization: `Bearer ${revoked.text}` }, 401, 'revoked_key'],
    ['an expired key', { authorization: `Bearer ${expiring.text}` }, 401, 'expired_key'],
    [
      'a publishable key from elsewhere',
      { authorization: `Bearer ${publishable.text}`, origin: 'https://evil.example' },
      403,
      'origin_not_allowed',
    ],
    ['a publishable key without an origin', { authorization: `Bearer ${publishable.text}` }, 403, 'origin_not_allowed'],
  ]
  for (const [what, headers, status, code] of cases) {
    const response = await app.get('/v1/incidents', null, headers)
    assert.deepEqual([response.status, (await problemOf(response)).code], [status, code], what)
    assert.equal(response.headers.get('www-authenticate'), status === 401 ? 'Bearer realm="incident-feed"' : null, what)
  }
  assert.equal(
    (await problemOf(await app.get('/v1/keys', publishable.text, { origin: 'https://map.example.org' }))).code,
    'insufficient_scope',
  )
  for (const spelling of ['bearer', 'BEARER', 'Bearer']) {
    assert.equal((await app.get('/v1/me', null, { authorization: `${spelling}  ${good.text}` })).status, 200)
  }
})

const BAD_BODIES: [string, unknown, string][] = [
  ['no email address', {}, '/email'],
  ['an invalid email address', { email: 'ada' }, '/email'],
  ['a very long email address', { email: `${'a'.repeat(300)}@example.org` }, '/email'],
  ['an email address that is a number', { email: 7 }, '/email'],
  ['an unknown field', { email: 'a@example.org', scope: 'operate' }, '/scope'],
  ['an empty name', { email: 'a@example.org', name: '' }, '/name'],
  ['a name of control characters', { email: 'a@example.org', name: 'a\u0000b' }, '/name'],
  ['an expiry in the past', { email: 'a@example.org', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
  ['an expiry that is not a time', { email: 'a@example.org', expires_at: 'tomorrow' }, '/expires_at'],
  ['an unknown kind', { email: 'a@example.org', kind: 'root' }, '/kind'],
  ['origins for a live key', { email: 'a@example.org', origins: ['https://example.org'] }, '/origins'],
  [
    'an origin with a path',
    { email: 'a@example.org', kind: 'publishable', origins: ['https://example.org/x'] },
    '/origins/0',
  ],
  [
    'an origin of odd characters',
    { email: 'a@example.org', kind: 'publishable', origins: ['https://\u0000\ud800'] },
    '/origins/0',
  ],
  ['a list', [], ''],
  ['a number', 7, ''],
  ['nothing', '', ''],
]

for (const [what, body, pointer] of BAD_BODIES) {
  test(`a key is not given for ${what}, and the field is named`, async () => {
    await using app = await startTestApp()
    const problem = await problemOf(await app.post('/v1/keys', body, null))
    assert.deepEqual([problem.status, problem.code, problem.errors?.[0]?.pointer], [422, 'invalid_body', pointer])
  })
}

test('an invalid key id is refused, with any characters', async () => {
  await using app = await startTestApp()
  const { text } = await app.issue()
  for (const id of ['%00', 'x', '__proto__', '%F0%9F%92%A5', `key_${'0'.repeat(27)}`]) {
    const headers = { authorization: `Bearer ${text}` }
    // Text that no database can hold does not come as far as the keys.
    const code = id === '%00' ? 'invalid_parameter' : 'not_found'
    assert.equal((await problemOf(await fetch(`${app.url}/v1/keys/${id}`, { method: 'DELETE', headers }))).code, code)
    assert.equal((await problemOf(await app.post(`/v1/keys/${id}/rotate`, '', text))).code, code)
  }
})

test('the sign-ups of one address are limited per hour', async () => {
  let now = Date.now()
  await using app = await startTestApp({ SIGNUPS_PER_HOUR: '2' }, { clock: () => now })
  const ask = () => app.post('/v1/keys', { email: 'a@example.org' }, null)
  assert.deepEqual([(await ask()).status, (await ask()).status], [201, 201])
  const refused = await ask()
  assert.deepEqual([refused.headers.get('retry-after'), (await problemOf(refused)).code], ['3600', 'rate_limited'])
  now += 3_600_000
  assert.equal((await ask()).status, 201)
})

test('with sign-up closed, requests without a key are refused, and keys still create keys', async () => {
  await using app = await startTestApp({ SIGNUP: 'closed' })
  assert.equal((await problemOf(await app.post('/v1/keys', { email: 'a@example.org' }, null))).code, 'signup_closed')
  assert.equal((await app.post('/v1/keys', { name: 'more' })).status, 201)
})

test('an operator key from the settings may operate, and a second start with it changes nothing', async () => {
  const text = generateKey('live', randomBytes)
  await using app = await startTestApp({ OPERATOR_KEY: text })
  const me = await json<{ scopes: string[]; account: { name: string } }>(await app.get('/v1/me', text), 200)
  assert.deepEqual([me.scopes, me.account.name], [['read', 'watch', 'operate'], 'Operator'])
})
