import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Key } from '../../../../src/domain/key.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aKey, anAccount, NOW } from '../../fixtures.ts'

export function keysConform(newDatabase: () => Promise<EmptyDatabase>): void {
  const openWith = async (database: EmptyDatabase, ...keys: Key[]) => {
    const store = await database.open()
    await store.accounts.open(anAccount(1), aKey(100))
    await store.accounts.open(anAccount(2), aKey(200, { accountId: 'acc_2' }))
    for (const key of keys) await store.keys.add(key)
    return store
  }

  describe('keys', () => {
    it('are found by their hash, with their account', async () => {
      await using database = await newDatabase()
      const full = aKey(1, {
        kind: 'publishable',
        name: null,
        scopes: ['read', 'watch', 'operate'],
        origins: ['https://a.example', 'https://"b".example'],
        ratePerMinute: 600,
        expiresAt: NOW + 5,
        revokedAt: NOW + 4,
      })
      await using store = await openWith(database, full)
      assert.deepEqual(await store.keys.findByHash(full.hash), { key: full, account: anAccount(1) })
      assert.equal(await store.keys.findByHash('unknown'), null)
    })

    it('are listed newest first, revoked and expired ones too, for one account', async () => {
      await using database = await newDatabase()
      const same = { createdAt: NOW + 2 }
      const listed = [aKey(1), aKey(2, { revokedAt: NOW }), aKey(3, { ...same, expiresAt: 1 }), aKey(4, same)]
      await using store = await openWith(database, ...listed)
      const ids = (await store.keys.list('acc_1')).map((key) => key.id)
      assert.deepEqual(ids, ['key_100', 'key_4', 'key_3', 'key_2', 'key_1'])
      assert.deepEqual(await store.keys.list('acc_9'), [])
    })

    it('are refused if the account is unknown or the hash is taken, with an error other than StoreUnavailable', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1))
      const isPlain = (error: unknown) => error instanceof Error && !(error instanceof StoreUnavailable)
      await assert.rejects(store.keys.add(aKey(2, { accountId: 'acc_9' })), isPlain)
      await assert.rejects(store.keys.add(aKey(2, { hash: aKey(1).hash })), isPlain)
      assert.equal((await store.keys.list('acc_1')).length, 2)
    })

    it('are revoked once, and keep that time', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1))
      assert.deepEqual(await store.keys.revoke('acc_1', 'key_1', NOW), aKey(1, { revokedAt: NOW }))
      assert.deepEqual(await store.keys.revoke('acc_1', 'key_1', NOW + 9), aKey(1, { revokedAt: NOW }))
      assert.equal((await store.keys.findByHash(aKey(1).hash))?.key.revokedAt, NOW)
      assert.equal(await store.keys.revoke('acc_2', 'key_1', NOW), null)
      assert.equal(await store.keys.revoke('acc_1', 'key_9', NOW), null)
    })

    it('that were revoked since a time are returned by their hashes', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1), aKey(2), aKey(3))
      for (const [id, at] of [
        ['key_1', NOW - 1],
        ['key_2', NOW],
        ['key_3', NOW + 9],
      ] as const)
        await store.keys.revoke('acc_1', id, at)
      assert.deepEqual((await store.keys.revokedSince(NOW)).sort(), [aKey(2).hash, aKey(3).hash])
      assert.deepEqual(await store.keys.revokedSince(NOW + 10), [])
    })

    it('are rotated: the successor is added and the old one expires', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1))
      assert.equal(await store.keys.rotate('acc_1', 'key_1', aKey(2), NOW + 10, NOW), true)
      assert.equal((await store.keys.findByHash(aKey(1).hash))?.key.expiresAt, NOW + 10)
      assert.deepEqual((await store.keys.findByHash(aKey(2).hash))?.key, aKey(2))
    })

    it('keep an expiry that is earlier than that of the rotation', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1, { expiresAt: NOW + 3 }))
      assert.equal(await store.keys.rotate('acc_1', 'key_1', aKey(2), NOW + 10, NOW), true)
      assert.equal((await store.keys.findByHash(aKey(1).hash))?.key.expiresAt, NOW + 3)
    })

    const unrotatable = [
      { name: 'unknown', key: aKey(7), account: 'acc_1' },
      { name: "another account's", key: aKey(1), account: 'acc_2' },
      { name: 'revoked', key: aKey(1, { revokedAt: NOW }), account: 'acc_1' },
      { name: 'revoked by a clock that is ahead', key: aKey(1, { revokedAt: NOW + 5 }), account: 'acc_1' },
      { name: 'expired', key: aKey(1, { expiresAt: NOW }), account: 'acc_1' },
    ]
    for (const { name, key, account } of unrotatable) {
      it(`are not rotated if ${name}, and nothing is written`, async () => {
        await using database = await newDatabase()
        await using store = await openWith(database, { ...key, id: 'key_1' })
        const id = name === 'unknown' ? 'key_9' : 'key_1'
        assert.equal(await store.keys.rotate(account, id, aKey(2), NOW + 10, NOW), false)
        assert.equal(await store.keys.findByHash(aKey(2).hash), null)
        assert.equal((await store.keys.findByHash(key.hash))?.key.expiresAt, key.expiresAt)
      })
    }

    it('keep the old one unchanged if the successor cannot be added', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1))
      await assert.rejects(store.keys.rotate('acc_1', 'key_1', aKey(2, { hash: aKey(1).hash }), NOW + 10, NOW))
      assert.equal((await store.keys.findByHash(aKey(1).hash))?.key.expiresAt, null)
    })
  })
}
