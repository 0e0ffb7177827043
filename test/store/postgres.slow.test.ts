import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { QuotaRequest, Quotas } from '../../src/store/store.ts'
import { execute } from '../support/databases/postgres.ts'
import { conformance } from './conformance/conformance.ts'
import { type EmptyDatabase, emptyPostgres, openSeveral } from './databases.ts'
import { NOW } from './fixtures.ts'

conformance('PostgreSQL', emptyPostgres)

const MINUTE = 60_000

function aQuotaRequest(caller: string, amount: number, changes: Partial<QuotaRequest> = {}): QuotaRequest {
  return { caller, amount, limit: 10, window: MINUTE, ...changes }
}

async function withQuotas(work: (quotas: Quotas, database: EmptyDatabase) => Promise<void>): Promise<void> {
  await using database = await emptyPostgres()
  await using store = await database.open()
  await work(store.quotas!, database)
}

describe('a quota', { concurrency: 4 }, () => {
  it('grants the requested amount while some is left, per caller, in the order of the requests', () =>
    withQuotas(async (quotas) => {
      assert.deepEqual(await quotas.reserve([aQuotaRequest('b', 4), aQuotaRequest('a', 1)], NOW), [
        { amount: 4, left: 6, endsAt: NOW + MINUTE },
        { amount: 1, left: 9, endsAt: NOW + MINUTE },
      ])
      assert.deepEqual(await quotas.reserve([aQuotaRequest('a', 1), aQuotaRequest('b', 8)], NOW + 5), [
        { amount: 1, left: 8, endsAt: NOW + MINUTE },
        { amount: 6, left: 0, endsAt: NOW + MINUTE },
      ])
      assert.deepEqual(await quotas.reserve([aQuotaRequest('b', 1)], NOW + 6), [
        { amount: 0, left: 0, endsAt: NOW + MINUTE },
      ])
      assert.deepEqual(await quotas.reserve([aQuotaRequest('new', 25)], NOW), [
        { amount: 10, left: 0, endsAt: NOW + MINUTE },
      ])
      assert.deepEqual(await quotas.reserve([], NOW), [])
    }))

  const moments: [string, number, object][] = [
    ['is the same just before its end', MINUTE - 1, { amount: 3, left: 0, endsAt: NOW + MINUTE }],
    ['is a new one at its end', MINUTE, { amount: 5, left: 5, endsAt: NOW + 2 * MINUTE }],
    ['is the same for a clock that is a little behind', -MINUTE, { amount: 3, left: 0, endsAt: NOW + MINUTE }],
    ['is a new one for a clock that is far behind', -MINUTE - 1, { amount: 5, left: 5, endsAt: NOW - 1 }],
  ]
  for (const [what, later, answer] of moments) {
    it(`is for one window, which ${what}`, () =>
      withQuotas(async (quotas) => {
        await quotas.reserve([aQuotaRequest('a', 7)], NOW)
        assert.deepEqual(await quotas.reserve([aQuotaRequest('a', 5)], NOW + later), [answer])
      }))
  }

  it('grants nothing after its limit was lowered, and the difference after it was raised', () =>
    withQuotas(async (quotas) => {
      await quotas.reserve([aQuotaRequest('a', 7)], NOW)
      assert.deepEqual(await quotas.reserve([aQuotaRequest('a', 1, { limit: 5 })], NOW), [
        { amount: 0, left: 0, endsAt: NOW + MINUTE },
      ])
      assert.deepEqual(await quotas.reserve([aQuotaRequest('a', 9, { limit: 12 })], NOW), [
        { amount: 5, left: 0, endsAt: NOW + MINUTE },
      ])
    }))

  it('never grants more than its limit to concurrent nodes, in any order', async () => {
    await using database = await emptyPostgres()
    await using stores = await openSeveral(database)
    const callers = ['a', 'b', 'c', 'd']
    const granted = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const order = index % 2 === 0 ? callers : callers.toReversed()
        const amounts = await stores.at(index).quotas!.reserve(
          order.map((caller) => aQuotaRequest(caller, 3, { limit: 50 })),
          NOW + index,
        )
        return amounts.reduce((sum, { amount }) => sum + amount, 0)
      }),
    )
    assert.equal(
      granted.reduce((sum, amount) => sum + amount, 0),
      callers.length * 50,
    )
  })

  it('is deleted once its window has ended', () =>
    withQuotas(async (quotas, database) => {
      await quotas.reserve([aQuotaRequest('old', 1)], NOW)
      await quotas.reserve([aQuotaRequest('young', 1)], NOW + 1)
      await quotas.deleteExpired(NOW + MINUTE)
      assert.deepEqual(await execute(database.url, 'SELECT caller FROM budgets'), [{ caller: 'young' }])
    }))
})
