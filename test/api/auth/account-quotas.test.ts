import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addKey, keyCap } from '../../../src/accounts/keys.ts'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'

async function secondKey(app: TestApp, accountId: string, kind: 'live' | 'publishable' = 'live'): Promise<string> {
  const issued = await addKey(() => app.store, accountId, { kind }, keyCap(20), Date.now())
  assert.ok(typeof issued === 'object')
  return issued.text
}
const statuses = async (count: number, ask: () => Promise<Response>) => {
  const all: number[] = []
  for (let index = 0; index < count; index++) all.push((await ask()).status)
  return all
}

test('requests count for the account over all its keys', async () => {
  await using app = await startTestApp({ RATE_LIMIT: '4' })
  const { key, text } = await app.issue()
  const other = await secondKey(app, key.accountId)
  assert.deepEqual(await statuses(3, () => app.get('/v1/taxonomy', text)), [200, 200, 200])
  assert.deepEqual(await statuses(2, () => app.get('/v1/taxonomy', other)), [200, 429])
  const refused = await app.get('/v1/taxonomy', text)
  assert.equal(refused.headers.get('ratelimit-policy'), '"minute";q=4;w=60')
  assert.match((await problemOf(refused)).detail, /The account may make 4 requests a minute/)
  assert.equal((await app.get('/v1/taxonomy', (await app.issue()).text)).status, 200)
})

test('a found publishable key uses up neither the quota of the live keys nor more than its total', async () => {
  const settings = {
    RATE_LIMIT: '3',
    RATE_LIMIT_PUBLISHABLE: '2',
    RATE_LIMIT_PUBLISHABLE_TOTAL: '5',
    TRUST_PROXY: 'loopback',
  }
  await using app = await startTestApp(settings)
  const { key, text } = await app.issue()
  const found = await secondKey(app, key.accountId, 'publishable')
  const from = (address: string) => app.get('/v1/taxonomy', found, { 'x-forwarded-for': address })
  assert.deepEqual(await statuses(3, () => from('192.0.2.1')), [200, 200, 429])
  const later: number[] = []
  for (let last = 2; last < 7; last++) later.push((await from(`192.0.2.${last}`)).status)
  assert.deepEqual(later, [200, 200, 200, 429, 429])
  assert.deepEqual(await statuses(3, () => app.get('/v1/taxonomy', text)), [200, 200, 200])
})

test('previews and tests of watches have limits of their own, for the account', async () => {
  await using app = await startTestApp({ PREVIEWS_PER_MINUTE: '2', WATCH_TESTS_PER_MINUTE: '1' })
  const { key, text } = await app.issue()
  const other = await secondKey(app, key.accountId)
  const preview = (with_: string) => app.post('/v1/watches/preview', { filter: {} }, with_)
  assert.deepEqual(await statuses(2, () => preview(text)), [200, 200])
  assert.equal((await preview(other)).status, 429)
  const testWatch = (with_: string) => app.post('/v1/watches/wat_x/test', '', with_)
  assert.deepEqual([(await testWatch(text)).status, (await testWatch(other)).status], [404, 429])
  const me = (await (await app.get('/v1/me', text)).json()) as { quotas: Record<string, object> }
  assert.deepEqual(me.quotas.previews_per_minute, { limit: 2, used: 2, window_seconds: 60 })
  assert.deepEqual(me.quotas.watch_tests_per_minute, { limit: 1, used: 1, window_seconds: 60 })
  assert.deepEqual(me.quotas.keys, { limit: 20, used: 2, window_seconds: null })
  assert.deepEqual(me.quotas.watches, { limit: 100, used: 0, window_seconds: null })
})

test('the account shows its role, its limits and 30 days; a publishable key shows no owner', async () => {
  await using app = await startTestApp({ RATE_LIMIT_PUBLISHABLE: '50' })
  const { key, text } = await app.issue()
  const found = await secondKey(app, key.accountId, 'publishable')
  const me = (await (await app.get('/v1/me', text)).json()) as {
    account: Record<string, unknown>
    usage: { requests: number; days: { day: string; requests: number }[] }
  }
  assert.deepEqual(
    [me.account.role, me.account.status, me.account.email, me.account.email_verified],
    ['client', 'active', 'test@example.org', false],
  )
  assert.equal(me.usage.days.length, 30)
  assert.equal(me.usage.days.at(-1)!.requests, me.usage.requests)
  const shown = await app.get('/v1/me', found)
  const body = await shown.text()
  assert.equal(shown.status, 200)
  assert.doesNotMatch(body, /test@example\.org|acc_|Test/)
  const publishable = JSON.parse(body) as Record<string, unknown>
  assert.deepEqual([publishable.account, publishable.usage], [null, null])
  assert.deepEqual(publishable.quotas, { requests_per_minute: { limit: 50, used: 1, window_seconds: 60 } })
})
