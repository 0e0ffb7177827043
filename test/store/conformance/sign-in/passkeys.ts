import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aKey, anAccount, NOW } from '../../fixtures.ts'
import { aPasskey, aSession, withAccounts } from '../../sign-in-fixtures.ts'

export function passkeysConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('passkeys', () => {
    it('are stored, listed and found by credential, each credential once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      assert.equal(await store.passkeys.add(aPasskey(1), 10), true)
      assert.equal(await store.passkeys.add(aPasskey(2, { backedUp: false }), 10), true)
      assert.equal(
        await store.passkeys.add(aPasskey(3, { accountId: 'acc_2', credentialId: 'credential-1' }), 10),
        'known',
      )
      assert.deepEqual(await store.passkeys.list('acc_1'), [aPasskey(2, { backedUp: false }), aPasskey(1)])
      const found = await store.passkeys.findByCredential('credential-1')
      assert.deepEqual(found!.passkey, aPasskey(1))
      assert.equal(found!.account.id, 'acc_1')
      assert.equal(await store.passkeys.findByCredential('credential-9'), null)
    })

    it('are bounded, also in a race', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      const added = await Promise.all([1, 2, 3, 4, 5].map((number) => store.passkeys.add(aPasskey(number), 2)))
      assert.deepEqual(added.toSorted(), ['too_many', 'too_many', 'too_many', true, true].toSorted())
    })

    it('count upwards, unless the device does not count', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.passkeys.add(aPasskey(1), 10)
      assert.equal(await store.passkeys.recordUse('pas_1', 0, NOW + 1), true)
      assert.equal(await store.passkeys.recordUse('pas_1', 7, NOW + 2), true)
      assert.equal(await store.passkeys.recordUse('pas_1', 7, NOW + 3), false)
      assert.equal(await store.passkeys.recordUse('pas_1', 0, NOW + 4), false)
      assert.deepEqual(await store.passkeys.list('acc_1'), [aPasskey(1, { counter: 7, lastUsedAt: NOW + 2 })])
    })

    it('are removed with the other sessions that they opened', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.passkeys.add(aPasskey(1), 10)
      for (const number of [1, 2])
        await store.sessions.open(aSession(number, { method: 'passkey', passkeyId: 'pas_1' }), 50)
      await store.sessions.open(aSession(3), 50)
      assert.equal(await store.passkeys.remove('acc_2', 'pas_1', NOW, null), null)
      assert.deepEqual(await store.passkeys.remove('acc_1', 'pas_1', NOW, 'ses_2'), ['session-hash-1'])
      assert.equal(await store.passkeys.remove('acc_1', 'pas_1', NOW, null), null)
      const open = (await store.sessions.list('acc_1', NOW, 0)).map(({ session }) => session.id)
      assert.deepEqual(open.toSorted(), ['ses_2', 'ses_3'])
    })

    it('go with a higher role, and stay with a lower one', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.passkeys.add(aPasskey(1), 10)
      await store.accounts.change('acc_1', { role: 'reporter', name: 'Efe' }, NOW)
      assert.equal((await store.passkeys.list('acc_1')).length, 1)
      assert.equal((await store.accounts.find('acc_1'))!.name, 'Efe')
      await store.accounts.change('acc_1', { role: 'editor' }, NOW)
      assert.deepEqual(await store.passkeys.list('acc_1'), [])
    })

    it('and verified addresses are ways in for the last admin but one', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const admin = { role: 'admin', email: null } as const
      await store.accounts.open(anAccount(1, admin), aKey(1))
      await store.accounts.ensure(anAccount(2, admin))
      const demote = () => store.accounts.change('acc_1', { role: 'client' }, NOW)
      assert.equal(await demote(), 'last_admin', 'the other has no way in')
      await store.passkeys.add(aPasskey(1, { accountId: 'acc_2' }), 10)
      assert.notEqual(await demote(), 'last_admin')
      await store.accounts.change('acc_1', { role: 'admin' }, NOW)
      await store.passkeys.remove('acc_2', 'pas_1', NOW, null)
      assert.equal(await demote(), 'last_admin')
      await store.accounts.verifyEmail('acc_2', NOW)
      assert.notEqual(await demote(), 'last_admin')
    })
  })

  describe('challenges', () => {
    it('are consumed by exactly one caller, for their account, in time', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.challenges.add({ hash: 'one', accountId: null, expiresAt: NOW + 10 }, NOW)
      await store.challenges.add({ hash: 'two', accountId: 'acc_1', expiresAt: NOW + 10 }, NOW)
      assert.equal(await store.challenges.consume('one', 'acc_1', NOW), false)
      assert.equal(await store.challenges.consume('two', null, NOW), false)
      assert.equal(await store.challenges.consume('two', 'acc_2', NOW), false)
      assert.equal(await store.challenges.consume('one', null, NOW + 10), false)
      const taken = await Promise.all([1, 2, 3, 4].map(() => store.challenges.consume('one', null, NOW + 9)))
      assert.equal(taken.filter(Boolean).length, 1)
      assert.equal(await store.challenges.consume('two', 'acc_1', NOW), true)
    })

    it('are deleted once expired, when the next one is added', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.challenges.add({ hash: 'one', accountId: null, expiresAt: NOW + 10 }, NOW)
      await store.challenges.add({ hash: 'two', accountId: null, expiresAt: NOW + 90 }, NOW + 10)
      assert.equal(await store.challenges.consume('one', null, NOW), false)
    })
  })
}
