import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SignInLink } from '../../../src/store/store.ts'
import type { EmptyDatabase } from '../databases.ts'
import { aKey, anAccount, aPasskey, aSession, NOW, withAccounts } from '../fixtures.ts'

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
