import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it, test } from 'node:test'
import { type Allowance, RateLimiter, SharedRateLimiter } from '../../src/accounts/rate-limiter.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { machine } from '../../src/lib/runtime.ts'
import { openStore } from '../../src/store/open.ts'
import { type Quotas, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { problemOf, startTestApp } from '../support/app.ts'
import { testDatabase } from '../support/databases/postgres.ts'

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

test('twice as many callers as are counted do not fill the memory', () => {
  const limiter = new RateLimiter()
  for (let caller = 0; caller < 400_000; caller++) limiter.consume(String(caller), 1, 1_000_000)
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
  for (let minute = 0; minute < 3; minute++) {
    const now = 1_000_000 + minute * 60_000
    let allowed = 0
    for (let caller = 0; caller < 90_000; caller++)
      if (limiter.consume(`${minute} ${caller}`, 1, now).allowed) allowed++
    assert.equal(allowed, 90_000)
  }
})

const NODES = 3
const MINUTE = 60_000

/** The stores of the nodes, on one database. */
const stores: Store[] = []
const scope = new AsyncDisposableStack()
before(async () => {
  const database = scope.use(await testDatabase())
  for (let node = 0; node < NODES; node++) stores.push(scope.use(await openStore(database.url)))
})
after(() => scope.disposeAsync())

let groups = 0

/**
 * Nodes that share one database and one clock, with the number of their reserve calls, and callers
 * of their own.
 */
function nodesOnOneDatabase() {
  const group = ++groups
  const state = { now: Date.UTC(2026, 10, 15), reserveCalls: 0, isAway: false, isKnownAway: false }
  const limiters = stores.map(({ quotas }) => {
    const countedQuotas: Quotas = {
      deleteExpired: (now) => quotas!.deleteExpired(now),
      reserve(requests, now) {
        state.reserveCalls++
        return state.isAway ? Promise.reject(new StoreUnavailable('away')) : quotas!.reserve(requests, now)
      },
    }
    const store = { quotas: countedQuotas, isAway: () => state.isKnownAway }
    return new SharedRateLimiter({ runtime: machine, clock: () => state.now, store: () => store })
  })
  const consume = (node: number, limit: number, caller = 'a') =>
    limiters[node % NODES]!.consume(`${group} ${caller}`, limit)
  return Object.assign(state, { consume })
}

type Nodes = ReturnType<typeof nodesOnOneDatabase>

/** Sends requests one after the other, and returns how many were allowed. */
async function oneByOne(nodes: Nodes, limit: number, requests: number, nodeOf: (request: number) => number) {
  let allowed = 0
  for (let request = 0; request < requests; request++)
    if ((await nodes.consume(nodeOf(request), limit)).allowed) allowed++
  return allowed
}

const count = (allowances: readonly Allowance[]) => allowances.filter(({ allowed }) => allowed).length

describe('a shared limit', { concurrency: 4 }, () => {
  for (const limit of [1, 7, 120, 1000]) {
    it(`of ${limit} is exact for a burst on all nodes at once`, async () => {
      const nodes = nodesOnOneDatabase()
      const burst = Array.from({ length: limit * 4 + 8 }, (_, request) => nodes.consume(request, limit))
      assert.equal(count(await Promise.all(burst)), limit)
    })

    it(`of ${limit} is exact for steady overload on all nodes`, async () => {
      const nodes = nodesOnOneDatabase()
      assert.equal(await oneByOne(nodes, limit, limit * 2 + 8, (request) => request), limit)
    })

    it(`of ${limit} is fully available on one node alone`, async () => {
      const nodes = nodesOnOneDatabase()
      assert.equal(await oneByOne(nodes, limit, limit + 5, () => 1), limit)
      assert.equal(await oneByOne(nodes, limit, 5, () => 2), 0)
    })

    it(`of ${limit} is accurate within a tenth if a caller changes nodes`, async () => {
      const nodes = nodesOnOneDatabase()
      const third = Math.ceil(limit / 3)
      let allowed = 0
      for (const [node, requests] of [third, third, 2 * limit].entries())
        allowed += await oneByOne(nodes, limit, requests, () => node)
      assert.ok(allowed <= limit && allowed >= limit * 0.9, `${allowed} of ${limit}`)
    })
  }

  it('needs few database calls per window, and none after a refusal', async () => {
    const nodes = nodesOnOneDatabase()
    assert.equal(await oneByOne(nodes, 1000, 3000, () => 0), 1000)
    assert.ok(nodes.reserveCalls <= 30, `${nodes.reserveCalls} calls`)
  })

  it('is checked without the database while the node has a grant or the limit is used up', async () => {
    const nodes = nodesOnOneDatabase()
    assert.deepEqual(await nodes.consume(0, 40), { allowed: true, remaining: 39, resetsIn: 60 })
    nodes.now += 10_500
    assert.deepEqual(await nodes.consume(0, 40), { allowed: true, remaining: 38, resetsIn: 50 })
    assert.deepEqual(nodes.consume(0, 40), { allowed: true, remaining: 37, resetsIn: 50 })
    assert.equal(await oneByOne(nodes, 40, 50, () => 0), 37)
    assert.deepEqual(nodes.consume(0, 40), { allowed: false, remaining: 0, resetsIn: 50 })
    assert.deepEqual(await nodes.consume(1, 40), { allowed: false, remaining: 0, resetsIn: 50 })
  })

  it('starts again on all nodes when its window ends, and unused grants expire', async () => {
    const nodes = nodesOnOneDatabase()
    await oneByOne(nodes, 100, 30, () => 0)
    nodes.now += MINUTE
    const burst = Array.from({ length: 300 }, (_, request) => nodes.consume(request, 100))
    assert.equal(count(await Promise.all(burst)), 100)
  })

  it('is counted per caller', async () => {
    const nodes = nodesOnOneDatabase()
    const callers = Array.from({ length: 60 }, (_, request) => nodes.consume(request, 5, `caller ${request % 4}`))
    assert.equal(count(await Promise.all(callers)), 20)
  })

  it('applies per node during a database outage, and is shared again from the next window', async () => {
    const nodes = nodesOnOneDatabase()
    assert.equal(await oneByOne(nodes, 10, 4, () => 0), 4)
    nodes.isAway = true
    assert.equal(await oneByOne(nodes, 10, 20, () => 0), 6, 'the rest of the limit')
    assert.equal(await oneByOne(nodes, 10, 20, () => 1), 10)
    const before = nodes.reserveCalls
    await nodes.consume(1, 10, 'another')
    assert.equal(nodes.reserveCalls, before, 'a database that has just failed is not called again')
    nodes.isAway = false
    nodes.now += MINUTE
    assert.equal(await oneByOne(nodes, 10, 30, (request) => request), 10)
  })

  it('is not asked of a database that is known to be away, and is asked of it as soon as it is back', async () => {
    const nodes = nodesOnOneDatabase()
    const setAway = (isAway: boolean) => Object.assign(nodes, { isAway, isKnownAway: isAway })
    nodes.isAway = true
    const first = nodes.consume(0, 10)
    nodes.isKnownAway = true
    assert.equal((await first).allowed, true)
    assert.deepEqual(nodes.consume(0, 10, 'another'), { allowed: true, remaining: 9, resetsIn: 60 })
    setAway(false)
    await nodes.consume(0, 10, 'a third')
    assert.equal(nodes.reserveCalls, 2)
    setAway(true)
    nodes.now += 10 * MINUTE
    assert.deepEqual(nodes.consume(0, 10), { allowed: true, remaining: 9, resetsIn: 60 })
    assert.equal(nodes.reserveCalls, 2)
    setAway(false)
    assert.equal(await oneByOne(nodes, 10, 20, (request) => 1 + (request % 2)), 10)
  })

  it('applies per node if the database hangs', async () => {
    const quotas = { reserve: () => new Promise<never>(() => {}), deleteExpired: async () => {} }
    const runtime = { ...machine, setTimeout: (call: () => void, ms: number) => machine.setTimeout(call, ms / 100) }
    const limiter = new SharedRateLimiter({ runtime, clock: Date.now, store: () => ({ quotas, isAway: () => false }) })
    const allowances = Array.from({ length: 5 }, () => limiter.consume('a', 2))
    assert.equal(count(await Promise.all(allowances)), 2)
  })

  it('rejects with an error of the database that is not an outage', async () => {
    const quotas = { reserve: () => Promise.reject(new TypeError('no')), deleteExpired: async () => {} }
    const store = { quotas, isAway: () => false }
    const limiter = new SharedRateLimiter({ runtime: machine, clock: Date.now, store: () => store })
    await assert.rejects(async () => limiter.consume('a', 1), TypeError)
    await assert.rejects(async () => limiter.consume('a', 1), TypeError)
  })

  it('is synchronous on a single node', () => {
    const store = { quotas: null, isAway: () => false }
    const limiter = new SharedRateLimiter({ runtime: machine, clock: () => 0, store: () => store })
    assert.deepEqual(limiter.consume('a', 1), { allowed: true, remaining: 0, resetsIn: 60 })
    assert.deepEqual(limiter.consume('a', 1), { allowed: false, remaining: 0, resetsIn: 60 })
  })
})
