import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Allowance } from '../../../src/accounts/quotas/rate-limiter.ts'
import { SharedRateLimiter } from '../../../src/accounts/quotas/shared-rate-limiter.ts'
import { openStore } from '../../../src/store/open.ts'
import { type Quotas, StoreUnavailable } from '../../../src/store/store.ts'
import { testDatabase } from '../../support/databases/postgres.ts'

const NODES = 3
const MINUTE = 60_000

/** Nodes that share one database and one clock, with the number of their reserve calls. */
async function nodesOnOneDatabase() {
  const scope = new AsyncDisposableStack()
  const database = scope.use(await testDatabase())
  const state = { now: Date.UTC(2026, 10, 15), reserveCalls: 0, isAway: false }
  const limiters: SharedRateLimiter[] = []
  for (let node = 0; node < NODES; node++) {
    const { quotas } = scope.use(await openStore(database.url))
    const countedQuotas: Quotas = {
      deleteExpired: (now) => quotas!.deleteExpired(now),
      reserve(requests, now) {
        state.reserveCalls++
        return state.isAway ? Promise.reject(new StoreUnavailable('away')) : quotas!.reserve(requests, now)
      },
    }
    limiters.push(new SharedRateLimiter({ clock: () => state.now, quotas: () => countedQuotas }))
  }
  const consume = (node: number, limit: number, caller = 'a') => limiters[node % NODES]!.consume(caller, limit)
  return Object.assign(state, { consume, [Symbol.asyncDispose]: () => scope.disposeAsync() })
}

type Nodes = Awaited<ReturnType<typeof nodesOnOneDatabase>>

/** Sends requests one after the other, and returns how many were allowed. */
async function oneByOne(nodes: Nodes, limit: number, requests: number, nodeOf: (request: number) => number) {
  let allowed = 0
  for (let request = 0; request < requests; request++)
    if ((await nodes.consume(nodeOf(request), limit)).allowed) allowed++
  return allowed
}

const count = (allowances: readonly Allowance[]) => allowances.filter(({ allowed }) => allowed).length

describe('a shared limit', { timeout: 60_000, concurrency: 4 }, () => {
  for (const limit of [1, 7, 120, 1000]) {
    it(`of ${limit} is exact for a burst on all nodes at once`, async () => {
      await using nodes = await nodesOnOneDatabase()
      const burst = Array.from({ length: limit * 4 + 8 }, (_, request) => nodes.consume(request, limit))
      assert.equal(count(await Promise.all(burst)), limit)
    })

    it(`of ${limit} is exact for steady overload on all nodes`, async () => {
      await using nodes = await nodesOnOneDatabase()
      assert.equal(await oneByOne(nodes, limit, limit * 2 + 8, (request) => request), limit)
    })

    it(`of ${limit} is fully available on one node alone`, async () => {
      await using nodes = await nodesOnOneDatabase()
      assert.equal(await oneByOne(nodes, limit, limit + 5, () => 1), limit)
      assert.equal(await oneByOne(nodes, limit, 5, () => 2), 0)
    })

    it(`of ${limit} is accurate within a tenth if a caller changes nodes`, async () => {
      await using nodes = await nodesOnOneDatabase()
      const third = Math.ceil(limit / 3)
      let allowed = 0
      for (const [node, requests] of [third, third, 2 * limit].entries())
        allowed += await oneByOne(nodes, limit, requests, () => node)
      assert.ok(allowed <= limit && allowed >= limit * 0.9, `${allowed} of ${limit}`)
    })
  }

  it('needs few database calls per window, and none after a refusal', async () => {
    await using nodes = await nodesOnOneDatabase()
    assert.equal(await oneByOne(nodes, 1000, 3000, () => 0), 1000)
    assert.ok(nodes.reserveCalls <= 30, `${nodes.reserveCalls} calls`)
  })

  it('is checked without the database while the node has a grant or the limit is used up', async () => {
    await using nodes = await nodesOnOneDatabase()
    assert.deepEqual(await nodes.consume(0, 40), { allowed: true, remaining: 39, resetsIn: 60 })
    nodes.now += 10_500
    assert.deepEqual(await nodes.consume(0, 40), { allowed: true, remaining: 38, resetsIn: 50 })
    assert.deepEqual(nodes.consume(0, 40), { allowed: true, remaining: 37, resetsIn: 50 })
    assert.equal(await oneByOne(nodes, 40, 50, () => 0), 37)
    assert.deepEqual(nodes.consume(0, 40), { allowed: false, remaining: 0, resetsIn: 50 })
    assert.deepEqual(await nodes.consume(1, 40), { allowed: false, remaining: 0, resetsIn: 50 })
  })

  it('starts again on all nodes when its window ends, and unused grants expire', async () => {
    await using nodes = await nodesOnOneDatabase()
    await oneByOne(nodes, 100, 30, () => 0)
    nodes.now += MINUTE
    const burst = Array.from({ length: 300 }, (_, request) => nodes.consume(request, 100))
    assert.equal(count(await Promise.all(burst)), 100)
  })

  it('is counted per caller', async () => {
    await using nodes = await nodesOnOneDatabase()
    const callers = Array.from({ length: 60 }, (_, request) => nodes.consume(request, 5, `caller ${request % 4}`))
    assert.equal(count(await Promise.all(callers)), 20)
  })

  it('applies per node during a database outage, and is shared again from the next window', async () => {
    await using nodes = await nodesOnOneDatabase()
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

  it('applies per node if the database hangs', async () => {
    const quotas = { reserve: () => new Promise<never>(() => {}), deleteExpired: async () => {} }
    const limiter = new SharedRateLimiter({ clock: Date.now, quotas: () => quotas })
    const allowances = Array.from({ length: 5 }, () => limiter.consume('a', 2))
    assert.equal(count(await Promise.all(allowances)), 2)
  })

  it('rejects with an error of the database that is not an outage', async () => {
    const quotas = { reserve: () => Promise.reject(new TypeError('no')), deleteExpired: async () => {} }
    const limiter = new SharedRateLimiter({ clock: Date.now, quotas: () => quotas })
    await assert.rejects(async () => limiter.consume('a', 1), TypeError)
    await assert.rejects(async () => limiter.consume('a', 1), TypeError)
  })

  it('is synchronous on a single node', () => {
    const limiter = new SharedRateLimiter({ clock: () => 0, quotas: () => null })
    assert.deepEqual(limiter.consume('a', 1), { allowed: true, remaining: 0, resetsIn: 60 })
    assert.deepEqual(limiter.consume('a', 1), { allowed: false, remaining: 0, resetsIn: 60 })
  })
})
