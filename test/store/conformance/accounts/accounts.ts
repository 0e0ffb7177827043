import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AccountFilter } from '../../../../src/store/store.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aKey, anAccount, NOW } from '../../fixtures.ts'
import { aWatch, watchId } from '../../watch-fixtures.ts'

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
      assert.deepEqual(await store.keys.list('acc_2', 10, null), [aKey(2, { accountId: 'acc_2' })])
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

    it('are made once where they are only to exist', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.ensure(anAccount(1))
      await store.accounts.ensure(anAccount(1, { name: 'Another' }))
      assert.deepEqual(await store.accounts.find('acc_1'), anAccount(1))
    })

    it('are listed newest first by address, role and status, in pages', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const accounts = [
        anAccount(1, { email: 'Ada@Example.org' }),
        anAccount(2, { role: 'editor' }),
        anAccount(3, { email: null, limits: { keys: 3 } }),
      ]
      for (const account of accounts) await store.accounts.ensure(account)
      const list = async (filter: AccountFilter, before: string | null = null) =>
        (await store.accounts.list(filter, 2, before)).map(({ id }) => id)
      assert.deepEqual(await list({}), ['acc_3', 'acc_2'])
      assert.deepEqual(await list({}, 'acc_2'), ['acc_1'])
      assert.deepEqual(await list({ email: 'aDA@example.ORG' }), ['acc_1'])
      assert.deepEqual(await list({ email: 'nobody@example.org' }), [])
      assert.deepEqual(await list({ role: 'editor', status: 'active' }), ['acc_2'])
      assert.deepEqual(await list({ role: 'editor', status: 'blocked' }), [])
      assert.deepEqual(await store.accounts.find('acc_3'), accounts[2])
    })

    it('are blocked with their keys and watches, and unblocked with those watches only', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (const number of [1, 2])
        await store.accounts.open(anAccount(number), aKey(number, { accountId: `acc_${number}` }))
      for (const number of [1, 2, 3, 4])
        await store.watches.add(aWatch(number, { accountId: number === 4 ? 'acc_2' : 'acc_1' }), 100)
      await store.watches.change('acc_1', watchId(2), { status: 'paused' }, NOW)
      await store.watches.change('acc_1', watchId(3), { status: 'disabled', disabledReason: 'It failed.' }, NOW)
      const { revision } = (await store.watches.changedAfter(0, 100)).changes.at(-1)!
      const blocked = await store.accounts.change('acc_1', { status: 'blocked' }, NOW + 5)
      assert.deepEqual(blocked, anAccount(1, { status: 'blocked' }))
      assert.deepEqual(await store.keys.revokedSince(NOW + 5), [aKey(1).hash])
      assert.deepEqual(await store.keys.revokedSince(NOW + 6), [])
      const statusOf = async (number: number) => {
        const watch = await store.watches.find(number === 4 ? 'acc_2' : 'acc_1', watchId(number))
        return [watch!.status, watch!.disabledReason]
      }
      assert.deepEqual(await statusOf(1), ['disabled', 'The account is blocked.'])
      assert.deepEqual(await statusOf(2), ['paused', null])
      assert.deepEqual(await statusOf(4), ['active', null])
      const { changes } = await store.watches.changedAfter(revision, 100)
      assert.deepEqual(
        changes.map(({ id, revision: its }) => [id, its]),
        [[watchId(1), revision + 1]],
      )
      await store.accounts.change('acc_1', { status: 'active' }, NOW + 9)
      assert.deepEqual(await statusOf(1), ['active', null])
      assert.deepEqual(await statusOf(2), ['paused', null])
      assert.deepEqual(await statusOf(3), ['disabled', 'It failed.'])
      assert.deepEqual(await store.keys.revokedSince(NOW), [])
      const resuming = await store.watches.resuming(NOW + 10, 10)
      assert.deepEqual(
        resuming.map(({ id }) => id),
        [watchId(1)],
      )
      assert.equal(await store.accounts.countWatches('acc_1'), 3)
    })

    it('keep one active admin with a valid key, whatever two callers do at once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const admin = { role: 'admin' } as const
      for (const number of [1, 2])
        await store.accounts.open(anAccount(number, admin), aKey(number, { accountId: `acc_${number}` }))
      await store.accounts.open(anAccount(3, admin), aKey(3, { accountId: 'acc_3', revokedAt: NOW }))
      const outcomes = await Promise.all([
        store.accounts.change('acc_1', { role: 'client' }, NOW),
        store.accounts.change('acc_2', { status: 'blocked' }, NOW),
      ])
      assert.equal(outcomes.filter((outcome) => outcome === 'last_admin').length, 1)
      assert.equal(await store.accounts.change('acc_9', { role: 'client' }, NOW), null)
      const limited = await store.accounts.change('acc_3', { role: 'editor', limits: { watches: 3 } }, NOW)
      assert.deepEqual(limited, anAccount(3, { role: 'editor', limits: { watches: 3 } }))
      assert.deepEqual(await store.accounts.find('acc_3'), limited)
    })

    it('remember when their address was first proved', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.ensure(anAccount(1))
      await store.accounts.verifyEmail('acc_1', NOW)
      await store.accounts.verifyEmail('acc_1', NOW + 1)
      assert.equal((await store.accounts.find('acc_1'))!.emailVerifiedAt, NOW)
    })
  })
}
