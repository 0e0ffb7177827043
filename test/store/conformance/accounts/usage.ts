import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aKey, anAccount } from '../../fixtures.ts'

const NO_CAP = { valid: 1_000, perDay: 1_000 }

export function usageConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('usage', () => {
    it("adds up over an account's keys, per day", async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.open(anAccount(1), aKey(1))
      await store.keys.add(aKey(2), NO_CAP)
      await store.accounts.open(anAccount(2), aKey(3, { accountId: 'acc_2' }))
      const count = (keyId: string, day: string, requests: number) => ({
        keyId,
        day,
        requests,
        lastAt: Date.parse(day) + requests,
      })
      await store.usage.addCounts([])
      await store.usage.addCounts([
        count('key_1', '2026-11-15', 5),
        count('key_2', '2026-11-15', 7),
        count('key_3', '2026-11-15', 100),
        count('key_1', '2026-11-14', 1_000),
        count('key_1', '2026-11-15', 3_000_000_000),
        count('key_unknown', '2026-11-15', 1),
      ])
      await store.usage.addCounts([count('key_2', '2026-11-15', 1)])
      assert.equal(await store.usage.countRequests('acc_1', '2026-11-15'), 3_000_000_013)
      assert.equal(await store.usage.countRequests('acc_1', '2026-11-14'), 1_000)
      assert.equal(await store.usage.countRequests('acc_2', '2026-11-15'), 100)
      assert.equal(await store.usage.countRequests('acc_1', '2026-11-13'), 0)
      assert.equal(await store.usage.countRequests('acc_9', '2026-11-15'), 0)
      assert.deepEqual(await store.usage.byDay('acc_1', '2026-11-14'), [
        { day: '2026-11-14', requests: 1_000 },
        { day: '2026-11-15', requests: 3_000_000_013 },
      ])
      assert.deepEqual(await store.usage.byDay('acc_1', '2026-11-16'), [])
      const byKey = await store.usage.byKey(['key_1', 'key_3', 'key_none'], '2026-11-15')
      assert.deepEqual(
        byKey.toSorted((one, other) => one.keyId.localeCompare(other.keyId)),
        [
          { keyId: 'key_1', requests: 3_000_000_005, lastUsedAt: Date.parse('2026-11-15') + 3_000_000_000 },
          { keyId: 'key_3', requests: 100, lastUsedAt: Date.parse('2026-11-15') + 100 },
        ],
      )
      assert.deepEqual(await store.usage.byAccount(['acc_2', 'acc_9'], '2026-11-15'), [
        { accountId: 'acc_2', requests: 100 },
      ])
    })

    it('loses no counts when many callers add at once, in any order', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.open(anAccount(1), aKey(1))
      await store.keys.add(aKey(2), NO_CAP)
      const counts = ['key_1', 'key_2'].map((keyId) => ({ keyId, day: '2026-11-15', requests: 1, lastAt: 1 }))
      const adds = Array.from({ length: 30 }, (_, index) => (index % 2 ? counts : counts.toReversed()))
      await Promise.all(adds.map((each) => store.usage.addCounts(each)))
      assert.equal(await store.usage.countRequests('acc_1', '2026-11-15'), 60)
    })
  })
}
