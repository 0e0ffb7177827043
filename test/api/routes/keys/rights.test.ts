import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addKey, keyCap } from '../../../../src/accounts/keys.ts'
import type { Scope } from '../../../../src/domain/keys.ts'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'

interface KeyBody {
  id: string
  key: string
  scopes: Scope[]
  expires_at: string | null
  origins: string[]
  name: string | null
  last_used_at: string | null
}

let now = Date.now()
let app: TestApp
before(async () => {
  app = await startTestApp({}, { clock: () => now })
})
after(() => app[Symbol.asyncDispose]())

/** An account of an admin, with a second key that has only `read` and `watch`. */
async function adminWithWeakKey() {
  const strong = await app.issue({ scopes: ['read', 'watch', 'operate'] })
  const weak = await addKey(() => app.store, strong.key.accountId, {}, keyCap(20), now)
  assert.ok(typeof weak === 'object')
  return { strong, weak }
}
const bodyOf = async (response: Response, status: number) => {
  assert.equal(response.status, status, await response.clone().text())
  return (await response.json()) as KeyBody
}

test('a watch key cannot rotate, change or revoke an operate key, nor create one', async () => {
  const { strong, weak } = await adminWithWeakKey()
  const attempts = [
    app.post(`/v1/keys/${strong.key.id}/rotate`, '', weak.text),
    app.patch(`/v1/keys/${strong.key.id}`, { name: 'mine' }, weak.text, null),
    app.delete(`/v1/keys/${strong.key.id}`, weak.text),
    app.post('/v1/keys', { scopes: ['read', 'operate'] }, weak.text),
    app.post('/v1/keys', { scopes: ['report'] }, weak.text),
  ]
  for (const attempt of attempts) assert.equal((await problemOf(await attempt)).code, 'insufficient_scope')
  assert.equal((await app.get('/v1/desk/incidents', strong.text)).status, 200)
  await bodyOf(await app.post(`/v1/keys/${weak.key.id}/rotate`, '', strong.text), 201)
})

test('a key creates keys with scopes that it has, also in parts of operate', async () => {
  const { strong } = await adminWithWeakKey()
  const reviewer = await bodyOf(await app.post('/v1/keys', { scopes: ['read', 'review'] }, strong.text), 201)
  assert.deepEqual(reviewer.scopes, ['read', 'review'])
  assert.equal((await app.get('/v1/desk/incidents', reviewer.key)).status, 200)
  assert.equal((await problemOf(await app.get('/v1/admin/accounts', reviewer.key))).code, 'insufficient_scope')
  assert.equal((await problemOf(await app.get('/v1/desk/publishers', reviewer.key))).code, 'insufficient_scope')
})

test('a key made with an expiring key expires with it, and so does one that it rotates', async () => {
  const expiresAt = now + 60_000
  const { key, text } = await app.issue({ expiresAt })
  const lasting = await addKey(() => app.store, key.accountId, {}, keyCap(20), now)
  assert.ok(typeof lasting === 'object')
  const made = await bodyOf(await app.post('/v1/keys', {}, text), 201)
  assert.equal(made.expires_at, new Date(expiresAt).toISOString())
  const later = { expires_at: new Date(expiresAt + 1).toISOString() }
  const refused = await problemOf(await app.post('/v1/keys', later, text))
  assert.deepEqual([refused.code, refused.errors?.[0]?.pointer], ['invalid_body', '/expires_at'])
  const rotated = await bodyOf(await app.post(`/v1/keys/${lasting.key.id}/rotate`, '', text), 201)
  assert.equal(rotated.expires_at, new Date(expiresAt).toISOString())
  const own = await bodyOf(await app.post(`/v1/keys/${key.id}/rotate`, '', text), 201)
  assert.equal(own.expires_at, new Date(expiresAt).toISOString())
})

test('an account has at most 20 valid keys, and 40 with those that replace others', async () => {
  const { key, text } = await app.issue()
  const statuses: number[] = []
  for (let count = 0; count < 25; count++) statuses.push((await app.post('/v1/keys', {}, text)).status)
  assert.deepEqual(statuses, [...Array(19).fill(201), ...Array(6).fill(409)])
  const rotations: number[] = []
  for (let count = 0; count < 25; count++)
    rotations.push((await app.post(`/v1/keys/${key.id}/rotate`, '', text)).status)
  assert.deepEqual(rotations, [...Array(20).fill(201), ...Array(5).fill(409)])
  assert.equal(await app.store.keys.countValid(key.accountId, now), 40)
})

test('creating and revoking in turn ends at 100 keys a day', async () => {
  const { text } = await app.issue()
  let made = 1
  for (; ; made++) {
    const response = await app.post('/v1/keys', {}, text)
    if (response.status !== 201) {
      assert.equal((await problemOf(response)).code, 'too_many_keys')
      break
    }
    await app.delete(`/v1/keys/${((await response.json()) as KeyBody).id}`, text)
  }
  assert.equal(made, 100)
})

test('keys are listed in pages, with their last use', async () => {
  const { key, text } = await app.issue()
  for (let count = 0; count < 4; count++) await bodyOf(await app.post('/v1/keys', {}, text), 201)
  await app.get('/v1/me', text)
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const response = await app.get(`/v1/keys?limit=2${cursor}`, text)
    const page = (await response.json()) as { data: KeyBody[]; has_more: boolean; next_cursor: string | null }
    for (const { id, last_used_at } of page.data) {
      seen.push(id)
      assert.equal(last_used_at, id === key.id ? new Date(now).toISOString() : null)
    }
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.equal(new Set(seen).size, 5)
  assert.equal((await problemOf(await app.get('/v1/keys?cursor=x', text))).code, 'invalid_cursor')
})

test('the last live key is revoked only with confirm=last', async () => {
  const { key, text } = await app.issue()
  await bodyOf(await app.post('/v1/keys', { kind: 'publishable' }, text), 201)
  assert.equal((await problemOf(await app.delete(`/v1/keys/${key.id}`, text))).code, 'last_key')
  assert.equal((await problemOf(await app.delete(`/v1/keys/${key.id}?confirm=yes`, text))).code, 'invalid_parameter')
  assert.equal((await app.delete(`/v1/keys/${key.id}?confirm=last`, text)).status, 200)
  assert.equal((await problemOf(await app.get('/v1/me', text))).code, 'revoked_key')
})

test('name and origins can be changed; origins are stored as browsers send them', async () => {
  const { text } = await app.issue()
  const made = await bodyOf(
    await app.post(
      '/v1/keys',
      { kind: 'publishable', origins: ['HTTPS://Example.ORG:443/', 'http://bücher.ng:80'] },
      text,
    ),
    201,
  )
  assert.deepEqual(made.origins, ['https://example.org', 'http://xn--bcher-kva.ng'])
  const origin = { origin: 'https://example.org' }
  assert.equal((await app.get('/v1/incidents', made.key, origin)).status, 200)
  const path = `/v1/keys/${made.id}`
  const changed = await bodyOf(await app.patch(path, { name: 'Shop', origins: ['https://shop.ng/'] }, text, null), 200)
  assert.deepEqual([changed.name, changed.origins], ['Shop', ['https://shop.ng']])
  assert.equal((await problemOf(await app.get('/v1/incidents', made.key, origin))).code, 'origin_not_allowed')
  for (const wrong of [
    '*',
    'https://*.shop.ng',
    'shop.ng',
    'https://shop.ng/path',
    'https://a@shop.ng',
    'null',
    'ftp://x',
  ]) {
    const problem = await problemOf(await app.patch(path, { origins: [wrong] }, text, null))
    assert.deepEqual([problem.code, problem.errors?.[0]?.pointer], ['invalid_body', '/origins/0'], wrong)
  }
  const other = await app.issue()
  assert.equal((await problemOf(await app.patch(path, { name: 'x' }, other.text, null))).code, 'not_found')
})

test('a role that shrinks takes scopes from keys at once, and gives them back', async () => {
  const { key, text } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
  await app.issue({ scopes: ['read', 'watch', 'operate'] })
  const { text: admin } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
  const setRole = (role: string) => app.patch(`/v1/admin/accounts/${key.accountId}`, { role }, admin, null)
  assert.equal((await setRole('reporter')).status, 200)
  const refused = await problemOf(await app.get('/v1/desk/incidents', text))
  assert.match(refused.detail, /yours has read, watch, report\./)
  assert.equal((await app.get('/v1/reports', text)).status, 200)
  const me = (await (await app.get('/v1/me', text)).json()) as {
    scopes: string[]
    key: KeyBody
    account: { role: string }
  }
  assert.deepEqual(
    [me.account.role, me.scopes, me.key.scopes],
    ['reporter', ['read', 'watch', 'report'], ['read', 'watch', 'operate']],
  )
  const { weak } = await adminWithWeakKey()
  assert.equal((await setRole('admin')).status, 200)
  assert.equal((await app.get('/v1/desk/incidents', text)).status, 200)
  assert.equal((await problemOf(await app.get('/v1/admin/accounts', weak.text))).code, 'insufficient_scope')
  now += 1
})
