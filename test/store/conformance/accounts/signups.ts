import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aSignup, NOW } from '../../fixtures.ts'

export function signupsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('signups', () => {
    it('are given to exactly one of many callers', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1))
      const takes = await Promise.all(Array.from({ length: 12 }, () => store.signups.consume('token-1', NOW + 1)))
      assert.deepEqual(
        takes.filter((signup) => signup !== null),
        [aSignup(1)],
      )
    })

    it('are given to nobody once expired, or where unknown', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1, { name: null }))
      assert.equal(await store.signups.consume('token-1', aSignup(1).expiresAt), null)
      assert.equal(await store.signups.consume('token-2', NOW), null)
      assert.deepEqual(await store.signups.consume('token-1', aSignup(1).expiresAt - 1), aSignup(1, { name: null }))
    })

    it('are dropped once expired, when the next one comes', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1))
      await store.signups.add(aSignup(2, { createdAt: aSignup(1).expiresAt }))
      assert.equal(await store.signups.consume('token-1', NOW), null)
    })
  })
}
