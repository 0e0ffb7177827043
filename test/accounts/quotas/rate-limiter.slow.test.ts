import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { RateLimiter } from '../../../src/accounts/quotas/rate-limiter.ts'
import { generateKey } from '../../../src/domain/keys.ts'
import { problemOf, startTestApp } from '../../support/app.ts'

test('every response to a key has the remaining limit; beyond it requests get 429 until the window ends', async () => {
  let now = Date.now()
  await using app = await startTestApp({ RATE_LIMIT: '3' }, { clock: () => now })
  const { text } = await app.issue()
  const ask = (path = '/v1/incidents') => app.get(path, text)
  const left: (string | null)[] = []
  for (const path of ['/v1/incidents', '/v1/incidents/nothing', '/v1/incidents?colour=red']) {
    const response = await ask(path)
    assert.equal(response.headers.get('ratelimit-policy'), '"minute";q=3;w=60')
    left.push(response.headers.get('ratelimit'))
  }
  assert.deepEqual(left, ['"minute";r=2;t=60', '"minute";r=1;t=60', '"minute";r=0;t=60'])
  now += 20_000
  const refused = await ask()
  assert.deepEqual(
    [refused.status, refused.headers.get('retry-after'), refused.headers.get('ratelimit')],
    [429, '40', '"minute";r=0;t=40'],
  )
  assert.equal((await problemOf(refused)).code, 'rate_limited')
  now += 40_000
  assert.equal((await ask()).status, 200)
})

test('each key is counted separately, and may have its own limit', async () => {
  await using app = await startTestApp({ RATE_LIMIT: '1' })
  const [one, other, generous] = [await app.issue(), await app.issue(), await app.issue({ ratePerMinute: 500 })]
  const statuses = []
  for (const { text } of [one, other, one, generous, generous])
    statuses.push((await app.get('/v1/incidents', text)).status)
  assert.deepEqual(statuses, [200, 200, 429, 200, 200])
})

test('a publishable key is counted per address', async () => {
  await using app = await startTestApp({ RATE_LIMIT_PUBLISHABLE: '1', TRUST_PROXY: 'loopback' })
  const { text } = await app.issue({ kind: 'publishable' })
  const from = async (address: string) => (await app.get('/v1/incidents', text, { 'x-forwarded-for': address })).status
  assert.deepEqual([await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.1')], [200, 200, 429])
})

test('a client that guesses keys is limited, and a valid key from its address is not', async () => {
  await using app = await startTestApp()
  const { text } = await app.issue()
  const codes: string[] = []
  for (let guess = 0; guess < 62; guess++)
    codes.push((await problemOf(await app.get('/v1/me', generateKey('live', randomBytes)))).code)
  assert.deepEqual(codes, [...Array(60).fill('unknown_key'), 'rate_limited', 'rate_limited'])
  assert.equal((await app.get('/v1/me', text)).status, 200)
})

test('a clock that is set back does not block a caller', () => {
  const limiter = new RateLimiter()
  assert.equal(limiter.consume('a', 1, 1_000_000).allowed, true)
  assert.equal(limiter.consume('a', 1, 1_000_001).allowed, false)
  assert.equal(limiter.consume('a', 1, 500_000).allowed, true)
})

test('a million callers do not fill the memory', () => {
  const limiter = new RateLimiter()
  for (let caller = 0; caller < 1_000_000; caller++) limiter.consume(String(caller), 1, 1_000_000)
  assert.ok(limiter.size <= 200_000)
})

test('a flood of new callers frees nobody from its limit, and is limited itself', () => {
  const limiter = new RateLimiter()
  assert.equal(limiter.consume('limited', 1, 1_000_000).allowed, true)
  let allowed = 0
  for (let caller = 0; caller < 300_000; caller++)
    if (limiter.consume(`2001:0db8:${caller}::/64`, 1, 1_000_001).allowed) allowed++
  assert.equal(limiter.consume('limited', 1, 1_000_002).allowed, false)
  assert.ok(allowed < 120_000, String(allowed))
  assert.equal(limiter.consume('late', 1, 1_000_000 + 3 * 60_000).allowed, true)
})

test('ended windows make room for new callers', () => {
  const limiter = new RateLimiter()
  for (let minute = 0; minute < 5; minute++) {
    const now = 1_000_000 + minute * 60_000
    for (let caller = 0; caller < 90_000; caller++)
      assert.equal(limiter.consume(`${minute} ${caller}`, 1, now).allowed, true)
  }
})
