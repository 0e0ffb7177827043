import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SignInLink } from '../../../../src/store/store.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'
import { aSession, withAccounts } from '../../sign-in-fixtures.ts'

const aLink = (changes: Partial<SignInLink> = {}): SignInLink => ({
  tokenHash: 'token',
  accountId: 'acc_1',
  mailed: true,
  createdAt: NOW,
  expiresAt: NOW + 1000,
  ...changes,
})

export function signInLinksConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('sign-in links', () => {
    it('sign in exactly one of many callers, and prove the address', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.signInLinks.add(aLink())
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.signInLinks.redeem('token', aSession(index), 50)),
      )
      assert.deepEqual(
        outcomes.filter((outcome) => outcome !== 'used'),
        [{ accountId: 'acc_1' }],
      )
      const open = await store.sessions.list('acc_1', NOW, 0)
      assert.equal(open.length, 1)
      assert.equal(open[0]!.session.accountId, 'acc_1')
      assert.equal(open[0]!.account.emailVerifiedAt, NOW)
    })

    it('are refused for a reason, and then open nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.signInLinks.add(aLink({ mailed: false }))
      await store.signInLinks.add(aLink({ tokenHash: 'of-blocked', accountId: 'acc_2' }))
      await store.accounts.change('acc_2', { status: 'blocked' }, NOW)
      assert.equal(await store.signInLinks.redeem('token-x', aSession(1), 50), 'unknown')
      assert.equal(await store.signInLinks.redeem('token', aSession(1, { createdAt: NOW + 1000 }), 50), 'expired')
      assert.equal(await store.signInLinks.redeem('of-blocked', aSession(1), 50), 'blocked')
      assert.deepEqual(await store.sessions.list('acc_1', NOW, 0), [])
      assert.deepEqual(await store.signInLinks.redeem('token', aSession(1), 50), { accountId: 'acc_1' })
      assert.equal(
        (await store.accounts.find('acc_1'))!.emailVerifiedAt,
        null,
        'a link that was not mailed proves none',
      )
      assert.equal(await store.signInLinks.redeem('token', aSession(2, { createdAt: NOW + 2000 }), 50), 'used')
    })

    it('are known for a while after they expired', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.signInLinks.add(aLink())
      const late = aSession(1, { createdAt: NOW + 5000 })
      await store.signInLinks.deleteExpired(NOW + 1000)
      assert.equal(await store.signInLinks.redeem('token', late, 50), 'expired')
      await store.signInLinks.deleteExpired(NOW + 1001)
      assert.equal(await store.signInLinks.redeem('token', late, 50), 'unknown')
    })
  })
}
