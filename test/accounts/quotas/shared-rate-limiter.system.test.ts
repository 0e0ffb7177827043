import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Allowance } from '../../../src/accounts/quotas/rate-limiter.ts'
import { SharedRateLimiter } from '../../../src/accounts/quotas/shared-rate-limiter.ts'
import { openStore } from '../../../src/store/open.ts'
import { type Quotas, StoreUnavailable } from '../../../src/store/store.ts'
import { testDatabase } from '../../support/postgres.ts'

const NODES = 3
const MINUTE = 60_000

/** Nodes that share one database and one clock, and how often they asked it. */
async function nodesOnOneDatabase() {
  const scope = new AsyncDisposableStack()
  const database = scope.use(await testDatabase())
  const state = { now: Date.UTC(2026, 10, 15), draws: 0, isAway: false }
  const limiters: SharedRateLimiter[] = []
  for (let node = 0; node < NODES; node++) {
    const { quotas } = scope.use(await openStore(database.url))
    const watched: Quotas = {
      deleteExpired: (now) => quotas!.deleteExpired(now),
      reserve(draws, now) {
        state.draws++
        return state.isAway ? Promise.reject(new StoreUnavailable('away')) : quotas!.reserve(draws, now)
      },
    }
    limiters.push(new SharedRateLimiter({ clock: () => state.now, quotas: () => watched }))
  }
  const ask = (node: number, limit: number, caller = 'a') => limiters[node % NODES]!.consume(caller, limit)
  return Object.assign(state, { ask, [Symbol.asyncDispose]: () => scope.disposeAsync() })
}

type Nodes = Awaited<ReturnType<typeof nodesOnOneDatabase>>

/** One after the other; how many were let in. */
async function oneByOne(nodes: Nodes, limit: number, requests: number, nodeOf: (request: number) => number) {
  let allowed = 0
  for (let request = 0; request < requests; request++) if ((await nodes.ask(nodeOf(request), limit)).allowed) allowed++
  return allowed
}

const count = (allowances: readonly Allowance[]) => allowances.filter(({ allowed }) => allowed).length

describe('a limit that nodes share', { timeout: 60_000, concurrency: 4 }, () => {
  for (const limit of [1, 7, 120, 1000]) {
    it(`of ${limit} is kept to exactly by a burst on all of them at once`, async () => {
      await using nodes = await nodesOnOneDatabase()
      const burst = Array.from({ length: limit * 4 + 8 }, (_, request) => nodes.ask(request, limit))
      assert.equal(count(await Promise.all(burst)), limit)
    })

    it(`of ${limit} is kept to exactly by steady overload on all of them`, async () => {
      await using nodes = await nodesOnOneDatabase()
      assert.equal(await oneByOne(nodes, limit, limit * 2 + 8, (request) => request), limit)
    })

    it(`of ${limit} is to be had whole on one of them alone`, async () => {
      await using nodes = await nodesOnOneDatabase()
      assert.equal(await oneByOne(nodes, limit, limit + 5, () => 1), limit)
      assert.equal(await oneByOne(nodes, limit, 5, () => 2), 0)
    })

    it(`of ${limit} is kept to within a tenth where a caller goes from one to the next`, async () => {
      await using nodes = await nodesOnOneDatabase()
      const third = Math.ceil(limit / 3)
      let allowed = 0
      for (const [node, requests] of [third, third, 2 * limit].entries())
        allowed += await oneByOne(nodes, limit, requests, () => node)
      assert.ok(allowed <= limit && allowed >= limit * 0.9, `${allowed} of ${limit}`)
    })
  }

  it('is asked of the database some twenty times a window, and at a refusal not again', async () => {
    await using nodes = await nodesOnOneDatabase()
    assert.equal(await oneByOne(nodes, 1000, 3000, () => 0), 1000)
    assert.ok(nodes.draws <= 30, `${nodes.draws} draws`)
  })

  it('says at once what is left, where it has something in hand or there is nothing more', async () => {
    await using nodes = await nodesOnOneDatabase()
    assert.deepEqual(await nodes.ask(0, 40), { allowed: true, remaining: 39, resetsIn: 60 })
    nodes.now += 10_500
    assert.deepEqual(await nodes.ask(0, 40), { allowed: true, remaining: 38, resetsIn: 50 })
    assert.deepEqual(nodes.ask(0, 40), { allowed: true, remaining: 37, resetsIn: 50 })
    assert.equal(await oneByOne(nodes, 40, 50, () => 0), 37)
    assert.deepEqual(nodes.ask(0, 40), { allowed: false, remaining: 0, resetsIn: 50 })
    assert.deepEqual(await nodes.ask(1, 40), { allowed: false, remaining: 0, resetsIn: 50 })
  })

  it('begins anew on all of them when its window ends, and what was not spent is not kept', async () => {
    await using nodes = await nodesOnOneDatabase()
    await oneByOne(nodes, 100, 30, () => 0)
    nodes.now += MINUTE
    const burst = Array.from({ length: 300 }, (_, request) => nodes.ask(request, 100))
    assert.equal(count(await Promise.all(burst)), 100)
  })

  it('is counted for each caller apart', async () => {
    await using nodes = await nodesOnOneDatabase()
    const callers = Array.from({ length: 60 }, (_, request) => nodes.ask(request, 5, `caller ${request % 4}`))
    assert.equal(count(await Promise.all(callers)), 20)
  })

  it('is each one’s own while the database is away, and shared again from the next window', async () => {
    await using nodes = await nodesOnOneDatabase()
    assert.equal(await oneByOne(nodes, 10, 4, () => 0), 4)
    nodes.isAway = true
    assert.equal(await oneByOne(nodes, 10, 20, () => 0), 6, 'what is left to it')
    assert.equal(await oneByOne(nodes, 10, 20, () => 1), 10)
    const before = nodes.draws
    await nodes.ask(1, 10, 'another')
    assert.equal(nodes.draws, before, 'nobody waits for a database that was away a moment ago')
    nodes.isAway = false
    nodes.now += MINUTE
    assert.equal(await oneByOne(nodes, 10, 30, (request) => request), 10)
  })

  it('is its own where the database hangs', async () => {
    const quotas = { reserve: () => new Promise<never>(() => {}), deleteExpired: async () => {} }
    const limiter = new SharedRateLimiter({ clock: Date.now, quotas: () => quotas })
    const asked = Array.from({ length: 5 }, () => limiter.consume('a', 2))
    assert.equal(count(await Promise.all(asked)), 2)
  })

  it('fails where the database cannot be understood: that is a fault, not an absence', async () => {
    const quotas = { reserve: () => Promise.reject(new TypeError('no')), deleteExpired: async () => {} }
    const limiter = new SharedRateLimiter({ clock: Date.now, quotas: () => quotas })
    await assert.rejects(async () => limiter.consume('a', 1), TypeError)
    await assert.rejects(async () => limiter.consume('a', 1), TypeError)
  })

  it('waits for nobody where there is one node only', () => {
    const limiter = new SharedRateLimiter({ clock: () => 0, quotas: () => null })
    assert.deepEqual(limiter.consume('a', 1), { allowed: true, remaining: 0, resetsIn: 60 })
    assert.deepEqual(limiter.consume('a', 1), { allowed: false, remaining: 0, resetsIn: 60 })
  })
})
