import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'
import { aSession, withAccounts } from '../../sign-in-fixtures.ts'

export function sessionsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('sessions', () => {
    it('are found by hash with their account and key, and are gone with neither', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.sessions.open(aSession(1), 50)
      await store.sessions.open(aSession(2, { keyId: 'key_1', method: 'key', userAgent: null }), 50)
      await store.sessions.open(aSession(3, { keyId: 'key_gone', method: 'key' }), 50)
      const [link, key, gone] = await Promise.all([1, 2, 3].map((n) => store.sessions.findByHash(`session-hash-${n}`)))
      assert.deepEqual(link!.session, aSession(1))
      assert.equal(link!.account.role, 'editor')
      assert.equal(link!.key, null)
      assert.deepEqual(key!.session, aSession(2, { keyId: 'key_1', method: 'key', userAgent: null }))
      assert.deepEqual([key!.key!.id, key!.key!.scopes], ['key_1', ['read', 'watch']])
      assert.equal(gone!.key, null)
      assert.equal(await store.sessions.findByHash('unknown'), null)
    })

    it('are listed while they are open, the last used first', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.sessions.open(aSession(1), 50)
      await store.sessions.open(aSession(2, { seenAt: NOW + 5 }), 50)
      await store.sessions.open(aSession(3, { expiresAt: NOW + 10 }), 50)
      await store.sessions.open(aSession(4, { accountId: 'acc_2' }), 50)
      const ids = async (now: number, seenAfter: number) =>
        (await store.sessions.list('acc_1', now, seenAfter)).map(({ session }) => session.id)
      assert.deepEqual(await ids(NOW, 0), ['ses_2', 'ses_3', 'ses_1'])
      assert.deepEqual(await ids(NOW + 10, 0), ['ses_2', 'ses_1'])
      assert.deepEqual(await ids(NOW, NOW), ['ses_2'])
      await store.sessions.recordUse('ses_1', NOW + 9)
      await store.sessions.recordUse('ses_1', NOW + 7)
      assert.deepEqual(await ids(NOW, NOW + 8), ['ses_1'])
    })

    it('end for their account only, once, and are reported to every node', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      for (const number of [1, 2, 3]) await store.sessions.open(aSession(number), 50)
      await store.sessions.open(aSession(4, { accountId: 'acc_2' }), 50)
      assert.equal(await store.sessions.end('acc_2', 'ses_1', NOW + 1), null)
      assert.deepEqual(await store.sessions.end('acc_1', 'ses_1', NOW + 1), { hash: 'session-hash-1' })
      assert.deepEqual(await store.sessions.end('acc_1', 'ses_1', NOW + 5), { hash: 'session-hash-1' })
      assert.equal((await store.sessions.findByHash('session-hash-1'))!.session.endedAt, NOW + 1)
      assert.deepEqual(await store.sessions.endAll('acc_1', NOW + 2, 'ses_2'), ['session-hash-3'])
      assert.deepEqual(await store.sessions.endAll('acc_1', NOW + 3, null), ['session-hash-2'])
      assert.deepEqual((await store.sessions.endedSince(NOW + 2)).toSorted(), ['session-hash-2', 'session-hash-3'])
      assert.equal((await store.sessions.list('acc_2', NOW, 0)).length, 1)
    })

    it('end with their key and their account', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.sessions.open(aSession(1, { keyId: 'key_1', method: 'key' }), 50)
      await store.sessions.open(aSession(2), 50)
      await store.sessions.open(aSession(3, { accountId: 'acc_2' }), 50)
      await store.keys.revoke('acc_1', 'key_1', NOW + 1)
      await store.accounts.change('acc_2', { status: 'blocked' }, NOW + 2)
      assert.deepEqual((await store.sessions.endedSince(NOW)).toSorted(), ['session-hash-1', 'session-hash-3'])
      assert.equal((await store.sessions.findByHash('session-hash-1'))!.key!.revokedAt, NOW + 1)
    })

    it('are bounded: the one unused for longest ends, also in a race', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.sessions.open(aSession(100, { seenAt: NOW - 1 }), 3)
      await Promise.all([1, 2, 3, 4, 5].map((n) => store.sessions.open(aSession(n, { seenAt: NOW + n }), 3)))
      const open = (await store.sessions.list('acc_1', NOW, 0)).map(({ session }) => session.id)
      assert.equal(open.length, 3)
      assert.ok(!open.includes('ses_100'))
    })

    it('are deleted some time after they ended or expired', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.sessions.open(aSession(1, { expiresAt: NOW + 1 }), 50)
      await store.sessions.open(aSession(2), 50)
      await store.sessions.open(aSession(3), 50)
      await store.sessions.end('acc_1', 'ses_2', NOW + 2)
      assert.equal(await store.sessions.deleteExpired(NOW + 1, 10), 0)
      assert.equal(await store.sessions.deleteExpired(NOW + 10, 1), 1)
      assert.equal(await store.sessions.deleteExpired(NOW + 10, 10), 1)
      assert.equal((await store.sessions.list('acc_1', NOW, 0)).length, 1)
    })
  })
}
