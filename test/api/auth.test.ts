import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { addKey, keyCap } from '../../src/accounts/keys.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'

describe('account quotas', () => {
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
    assert.deepEqual(me.quotas.keys, { limit: 20, used: 2, window_seconds: null, limit_with_replacements: 40 })
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
})

describe('address limit', () => {
  let app: TestApp
  let now = Date.now()
  before(async () => {
    const settings = { RATE_LIMIT_ADDRESS: '2', RATE_LIMIT_PUBLISHABLE: '2', TRUST_PROXY: 'loopback' }
    app = await startTestApp(settings, { clock: () => now })
  })
  after(() => app[Symbol.asyncDispose]())

  let clients = 0
  const newAddress = () => `198.51.100.${++clients}`

  function ask(path: string, address: string, init: RequestInit = {}): Promise<Response> {
    return fetch(app.url + path, { ...init, headers: { 'x-forwarded-for': address, ...init.headers } })
  }

  async function statuses(addresses: readonly string[], path = '/docs'): Promise<number[]> {
    const answers: number[] = []
    for (const address of addresses) answers.push((await ask(path, address)).status)
    return answers
  }

  const KEYLESS: [string, string, RequestInit?][] = [
    ['the map', '/'],
    ['the reference', '/docs'],
    ['the reference with HEAD', '/docs', { method: 'HEAD' }],
    ['the reference with a header that looks like a key', '/docs', { headers: { authorization: 'Bearer x' } }],
    ['the OpenAPI document', '/openapi.json'],
    ['the metrics', '/metrics'],
    ['an asset of the map', '/assets/main.js'],
    ['the page of an incident', '/incidents/inc_1', { headers: { accept: 'text/html' } }],
    ['the page behind a mailed link', '/signup/token'],
    ['signing up', '/v1/keys', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
    ['an endpoint that needs a key', '/v1/incidents'],
    ['an endpoint with a word that is no key', '/v1/incidents', { headers: { authorization: 'Basic x' } }],
    ['a feed with a secret key in the URL', '/v1/feed.atom?key=inf_live_x'],
    ['an unknown path', '/nothing'],
    ['an unknown path with a header that looks like a key', '/nothing', { headers: { authorization: 'Bearer x' } }],
    ['a method that is not allowed', '/v1/incidents', { method: 'DELETE' }],
    ['a preflight', '/v1/incidents', { method: 'OPTIONS' }],
    ['a path that is not UTF-8', '/v1/incidents/%ff'],
    ['a path that is too long', `/v1/incidents/${'x'.repeat(300)}`],
  ]

  for (const [what, path, init] of KEYLESS) {
    test(`${what} counts for the client's address`, async () => {
      const address = newAddress()
      for (const left of [1, 0]) {
        const answer = await ask(path, address, init)
        assert.notEqual(answer.status, 429)
        assert.equal(answer.headers.get('ratelimit-policy'), '"address";q=2;w=60')
        assert.equal(answer.headers.get('ratelimit'), `"address";r=${left};t=60`)
      }
      const refused = await ask(path, address, init)
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60'])
      assert.equal(refused.headers.get('ratelimit'), '"address";r=0;t=60')
      if (init?.method !== 'HEAD') assert.equal((await problemOf(refused)).code, 'rate_limited')
    })
  }

  test('a request without Host counts too', async () => {
    const { hostname, port } = new URL(app.url)
    const address = newAddress()
    const lines: string[] = []
    for (let request = 0; request < 3; request++) {
      const socket = connect(Number(port), hostname)
      socket.write(`GET /docs HTTP/1.1\r\nX-Forwarded-For: ${address}\r\nConnection: close\r\n\r\n`)
      lines.push((await readText(socket)).split('\r\n', 1)[0]!)
    }
    assert.deepEqual(lines, ['HTTP/1.1 400 Bad Request', 'HTTP/1.1 400 Bad Request', 'HTTP/1.1 429 Too Many Requests'])
  })

  test('probes are never refused, and a key has its own limits', async () => {
    const address = newAddress()
    assert.deepEqual(await statuses([address, address, address]), [200, 200, 429])
    assert.deepEqual(await statuses(Array(5).fill(address), '/healthz'), Array(5).fill(200))
    assert.deepEqual(await statuses(Array(5).fill(address), '/readyz'), Array(5).fill(200))
    // The first use looks the key up, which an address beyond its limit cannot cause.
    assert.equal((await app.get('/v1/me')).status, 200)
    for (let request = 0; request < 3; request++) {
      const answer = await app.get('/v1/me', undefined, { 'x-forwarded-for': address })
      assert.match(answer.headers.get('ratelimit-policy')!, /^"minute";q=1000000/)
      assert.equal(answer.status, 200)
    }
  })

  test('the limit starts again after a minute', async () => {
    const address = newAddress()
    assert.deepEqual(await statuses([address, address, address]), [200, 200, 429])
    now += 60_000
    assert.deepEqual(await statuses([address]), [200])
  })

  test('an IPv6 address counts with its /64, and an IPv4 address in every spelling', async () => {
    assert.deepEqual(
      await statuses(['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:2::3', '2001:db8:1:3::1']),
      [200, 200, 429, 200],
    )
    assert.deepEqual(
      await statuses(['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.9:4711', '203.0.113.8']),
      [200, 200, 429, 200],
    )
  })

  test('a client cannot choose its address: only what the proxy wrote last counts', async () => {
    const forged = [1, 2, 3].map((last) => `203.0.113.${last}, 198.51.100.200`)
    assert.deepEqual(await statuses(forged), [200, 200, 429])
    const headers = (last: number): [string, string][] => [
      ['x-forwarded-for', `203.0.113.${last}`],
      ['x-forwarded-for', '198.51.100.201'],
    ]
    const several: number[] = []
    for (const last of [1, 2, 3]) several.push((await fetch(`${app.url}/docs`, { headers: headers(last) })).status)
    assert.deepEqual(several, [200, 200, 429])
  })

  test('wrong keys count; beyond the limit no further key of the address is looked up', async () => {
    const address = newAddress()
    const guess = () => app.get('/v1/me', generateKey('live', randomBytes), { 'x-forwarded-for': address })
    assert.equal((await problemOf(await guess())).code, 'unknown_key')
    assert.equal((await problemOf(await guess())).code, 'unknown_key')
    const { text } = await app.issue()
    assert.equal((await app.get('/v1/me', text, { 'x-forwarded-for': address })).status, 429)
    assert.equal((await app.get('/v1/me', text, { 'x-forwarded-for': newAddress() })).status, 200)
    assert.equal((await app.get('/v1/me', text, { 'x-forwarded-for': address })).status, 200)
  })

  test('a publishable key at an origin that it may not be used from counts for the address', async () => {
    const { text } = await app.issue({ kind: 'publishable', origins: ['https://example.org'] })
    const address = newAddress()
    const codes: string[] = []
    for (let request = 0; request < 3; request++)
      codes.push((await problemOf(await app.get('/v1/incidents', text, { 'x-forwarded-for': address }))).code)
    assert.deepEqual(codes, ['origin_not_allowed', 'origin_not_allowed', 'rate_limited'])
  })

  test('a publishable key counts by /64', async () => {
    const { text } = await app.issue({ kind: 'publishable' })
    const answers: number[] = []
    for (const address of ['2001:db8:7:1::1', '2001:db8:7:1::2', '2001:db8:7:1::3', '2001:db8:7:2::1'])
      answers.push((await app.get('/v1/incidents', text, { 'x-forwarded-for': address })).status)
    assert.deepEqual(answers, [200, 200, 429, 200])
  })
})
