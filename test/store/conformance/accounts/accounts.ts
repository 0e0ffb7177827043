import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aKey, anAccount } from '../../fixtures.ts'

export function accountsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('accounts', () => {
    it('open with their first key', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.open(anAccount(1), aKey(1))
      await store.accounts.open(anAccount(2, { email: null, name: null }), aKey(2, { accountId: 'acc_2' }))
      assert.deepEqual(await store.accounts.find('acc_1'), anAccount(1))
      assert.deepEqual(await store.accounts.find('acc_2'), anAccount(2, { email: null, name: null }))
      assert.equal(await store.accounts.find('acc_3'), null)
      assert.deepEqual(await store.keys.list('acc_2'), [aKey(2, { accountId: 'acc_2' })])
    })

    it('do not open without a key', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.open(anAccount(1), aKey(1))
      await assert.rejects(store.accounts.open(anAccount(2), aKey(1, { accountId: 'acc_2' })))
      assert.equal(await store.accounts.find('acc_2'), null)
    })

    const refused = ['with a NUL \0', 'with half a pair \ud83d']
    for (const name of refused) {
      it(`refuse a name ${JSON.stringify(name)} on both databases, and write nothing`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await assert.rejects(store.accounts.open(anAccount(1, { name }), aKey(1)), TypeError)
        await assert.rejects(store.accounts.open(anAccount(1), aKey(1, { name })), TypeError)
        await assert.rejects(store.accounts.find(name), TypeError)
        assert.equal(await store.accounts.find('acc_1'), null)
      })
    }

    it('keep any other text unchanged', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const account = anAccount(1, { name: `Ọ̀ṣun'; DROP TABLE "keys" -- \\ \u{1F30D} \u0001\u2028`, email: '' })
      await store.accounts.open(account, aKey(1))
      assert.deepEqual(await store.accounts.find('acc_1'), account)
    })
  })
}
