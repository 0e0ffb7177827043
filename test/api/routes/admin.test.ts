import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { aReport } from '../../support/incident.ts'
import { readStream } from '../../support/readers.ts'

let app: TestApp
let admin: string
let adminAccount: string
before(async () => {
  app = await startTestApp()
  const issued = await app.issue({ scopes: ['read', 'watch', 'operate'] })
  admin = issued.text
  adminAccount = issued.key.accountId
})
after(() => app[Symbol.asyncDispose]())

const OPERATOR = { scopes: ['read', 'watch', 'operate'] } as const
const change = (id: string, body: object, key = admin) => app.patch(`/v1/admin/accounts/${id}`, body, key, null)
const read = async <Body>(path: string) => (await (await app.get(path, admin)).json()) as Body

test('only an admin sees accounts', async () => {
  const { text } = await app.issue({ scopes: ['read', 'watch', 'report', 'review'] })
  for (const path of ['/v1/admin/accounts', `/v1/admin/accounts/${adminAccount}`, '/v1/admin/keys'])
    assert.equal((await problemOf(await app.get(path, text))).code, 'insufficient_scope')
  assert.equal((await problemOf(await change(adminAccount, { role: 'client' }, text))).code, 'insufficient_scope')
})

test('accounts are listed in pages, by address, role and status', async () => {
  await app.post('/v1/keys', { email: 'Listed@Example.org' }, null)
  interface Page {
    data: { id: string; email: string; role: string }[]
    has_more: boolean
    next_cursor: string
  }
  const found = await read<Page>('/v1/admin/accounts?email=listed@example.ORG&role=client&status=active')
  assert.deepEqual(
    found.data.map(({ email }) => email),
    ['Listed@Example.org'],
  )
  const first = await read<Page>('/v1/admin/accounts?limit=1')
  const second = await read<Page>(`/v1/admin/accounts?limit=1&cursor=${first.next_cursor}`)
  assert.ok(first.has_more && first.data[0]!.id > second.data[0]!.id)
  assert.equal((await problemOf(await app.get('/v1/admin/accounts?role=king', admin))).code, 'invalid_parameter')
})

test('a blocked account stops at once: keys, streams and watches', async () => {
  const { key, text } = await app.issue()
  await using stream = await readStream(`${app.url}/v1/stream`, text)
  assert.equal((await change(key.accountId, { status: 'blocked' })).status, 200)
  const refused = await app.get('/v1/me', text)
  assert.deepEqual([refused.status, (await problemOf(refused)).code], [403, 'account_blocked'])
  await stream.ended
  assert.equal((await change(key.accountId, { status: 'active' })).status, 200)
  assert.equal((await app.get('/v1/me', text)).status, 200)
})

test('limits of one account are set, shown and taken back', async () => {
  const { key, text } = await app.issue()
  const limits = { requests_per_minute: 7, keys: 1 }
  const changed = (await (await change(key.accountId, { limits })).json()) as { limits: object }
  assert.deepEqual(changed.limits, limits)
  assert.equal((await app.get('/v1/me', text)).headers.get('ratelimit-policy'), '"minute";q=7;w=60')
  assert.equal((await problemOf(await app.post('/v1/keys', {}, text))).code, 'too_many_keys')
  const back = (await (await change(key.accountId, { limits: { keys: null } })).json()) as { limits: object }
  assert.deepEqual(back.limits, { requests_per_minute: 7 })
  assert.equal((await problemOf(await change(key.accountId, { limits: { karma: 1 } }))).code, 'invalid_body')
})

test('the last admin can neither be blocked nor demoted', async () => {
  await using app = await startTestApp()
  const { key, text } = await app.issue(OPERATOR)
  const change = (id: string, body: object) => app.patch(`/v1/admin/accounts/${id}`, body, text, null)
  for (const body of [{ status: 'blocked' }, { role: 'editor' }])
    assert.equal((await problemOf(await change(key.accountId, body))).code, 'last_admin')
  const second = await app.issue(OPERATOR)
  assert.equal((await change(second.key.accountId, { role: 'editor' })).status, 200)
  assert.equal((await problemOf(await change(key.accountId, { status: 'blocked' }))).code, 'last_admin')
})

test('an admin issues a key for an account, with no more than its role', async () => {
  const { key } = await app.issue()
  const path = `/v1/admin/accounts/${key.accountId}/keys`
  const issued = (await (await app.post(path, {}, admin)).json()) as {
    key: string
    scopes: string[]
    account_id: string
  }
  assert.deepEqual([issued.account_id, issued.scopes], [key.accountId, ['read', 'watch']])
  assert.equal((await app.get('/v1/me', issued.key)).status, 200)
  const refused = await problemOf(await app.post(path, { scopes: ['review'] }, admin))
  assert.deepEqual([refused.code, refused.errors?.[0]?.pointer], ['invalid_body', '/scopes'])
  assert.equal((await problemOf(await app.post('/v1/admin/accounts/acc_x/keys', {}, admin))).code, 'not_found')
})

test('an admin lists and revokes any key', async () => {
  const { key, text } = await app.issue()
  const { data } = await read<{ data: { id: string; account_id: string }[] }>(`/v1/admin/keys?account=${key.accountId}`)
  assert.deepEqual(
    data.map(({ id, account_id }) => [id, account_id]),
    [[key.id, key.accountId]],
  )
  assert.equal((await app.delete(`/v1/admin/keys/${key.id}`, admin)).status, 200)
  assert.equal((await problemOf(await app.get('/v1/me', text))).code, 'revoked_key')
  assert.equal((await problemOf(await app.get('/v1/admin/keys/key_x', admin))).code, 'not_found')
})

test('a reporter files reports and sees its own only, and no unpublished report of others', async () => {
  const reporter = await app.issue({ scopes: ['read', 'watch', 'report'] })
  const other = await app.issue({ scopes: ['read', 'watch', 'report'] })
  const first = (await (await app.post('/v1/reports', aReport(), other.text)).json()) as { id: string }
  const filed = await app.post('/v1/reports', aReport(), reporter.text)
  const own = (await filed.json()) as { id: string; desk: { possible_duplicates: object[] } }
  assert.equal(filed.status, 201)
  assert.deepEqual(own.desk.possible_duplicates, [])
  const desk = await read<{ desk: { possible_duplicates: { id: string }[] } }>(`/v1/desk/incidents/${own.id}`)
  assert.ok(desk.desk.possible_duplicates.some(({ id }) => id === first.id))
  const list = (await (await app.get('/v1/reports', reporter.text)).json()) as { data: { id: string }[] }
  assert.deepEqual(
    list.data.map(({ id }) => id),
    [own.id],
  )
  assert.equal((await app.get(`/v1/reports/${own.id}`, reporter.text)).status, 200)
  assert.equal((await problemOf(await app.get(`/v1/reports/${first.id}`, reporter.text))).code, 'not_found')
  assert.equal((await problemOf(await app.get('/v1/desk/incidents', reporter.text))).code, 'insufficient_scope')
  const confirm = await app.post(`/v1/desk/incidents/${own.id}/confirm`, '', reporter.text)
  assert.equal((await problemOf(confirm)).code, 'insufficient_scope')
})

test('usage is visible to the admin', async () => {
  const { key, text } = await app.issue()
  for (let count = 0; count < 3; count++) await app.get('/v1/me', text)
  interface Shown {
    requests_last_30_days: number
    usage: { days: { requests: number }[] }
  }
  await until(async () => (await read<Shown>(`/v1/admin/accounts/${key.accountId}`)).requests_last_30_days === 3)
  const shown = await read<Shown>(`/v1/admin/accounts/${key.accountId}`)
  assert.equal(shown.usage.days.at(-1)!.requests, 3)
})
