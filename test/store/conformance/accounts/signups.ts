import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aSignup, NOW } from '../../fixtures.ts'

export function signupsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('signups', () => {
    it('are returned to exactly one of many callers', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1))
      const takes = await Promise.all(
        Array.from({ length: 12 }, () => store.signups.consume('token-1', 'sign_up', NOW + 1)),
      )
      assert.deepEqual(
        takes.filter((signup) => signup !== null),
        [aSignup(1)],
      )
    })

    it('are not returned once expired, nor for an unknown token', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1, { name: null }))
      assert.equal(await store.signups.consume('token-1', 'sign_up', aSignup(1).expiresAt), null)
      assert.equal(await store.signups.consume('token-2', 'sign_up', NOW), null)
      assert.deepEqual(
        await store.signups.consume('token-1', 'sign_up', aSignup(1).expiresAt - 1),
        aSignup(1, { name: null }),
      )
    })

    it('are deleted once expired, when the next one is added', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1))
      await store.signups.add(aSignup(2, { createdAt: aSignup(1).expiresAt }))
      assert.equal(await store.signups.consume('token-1', 'sign_up', NOW), null)
    })

    it('are found without being used, and only for their purpose', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const link = aSignup(1, { purpose: 'recovery' })
      await store.signups.add(link)
      assert.deepEqual(await store.signups.find('token-1', 'recovery', NOW), link)
      assert.equal(await store.signups.find('token-1', 'recovery', link.expiresAt), null)
      assert.equal(await store.signups.find('token-1', 'sign_up', NOW), null)
      assert.equal(await store.signups.consume('token-1', 'sign_up', NOW), null)
      assert.deepEqual(await store.signups.consume('token-1', 'recovery', NOW), link)
    })
  })
}
