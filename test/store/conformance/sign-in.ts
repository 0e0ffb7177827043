import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SignInLink, Store } from '../../../src/store/store.ts'
import type { EmptyDatabase } from '../databases.ts'
import { aKey, anAccount, anOwner, aPasskey, aSession, aSignup, NOW, withAccounts } from '../fixtures.ts'

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

const EMAIL = 'ada@example.org'

const aLink = (changes: Partial<SignInLink> = {}): SignInLink => ({
  tokenHash: 'token',
  accountId: 'acc_1',
  email: null,
  createdAt: NOW,
  expiresAt: NOW + 1000,
  ...changes,
})
const aMailedLink = (changes: Partial<SignInLink> = {}) => aLink({ accountId: null, email: EMAIL, ...changes })

export function signInLinksConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('sign-in links', () => {
    it('sign in exactly one of many callers', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.signInLinks.add(aLink())
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.signInLinks.redeem('token', anAccount(1), aSession(index), 50)),
      )
      assert.deepEqual(
        outcomes.filter((outcome) => outcome !== 'used'),
        [true],
      )
      const open = await store.sessions.list('acc_1', NOW, 0)
      assert.equal(open.length, 1)
      assert.equal(open[0]!.session.accountId, 'acc_1')
    })

    it('are refused for a reason, and then open nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.signInLinks.add(aLink())
      await store.signInLinks.add(aLink({ tokenHash: 'of-blocked', accountId: 'acc_2' }))
      await store.accounts.change('acc_2', { status: 'blocked' }, NOW)
      const redeem = (token: string, number: number, createdAt = NOW) =>
        store.signInLinks.redeem(token, anAccount(number), aSession(1, { createdAt }), 50)
      assert.equal(await redeem('token-x', 1), 'unknown')
      assert.equal(await redeem('token', 1, NOW + 1000), 'expired')
      assert.equal(await redeem('of-blocked', 2), 'blocked')
      assert.equal(await redeem('token', 2), 'other_owner', 'the link of another account')
      assert.deepEqual(await store.sessions.list('acc_1', NOW, 0), [])
      assert.equal(await redeem('token', 1), true)
      const { emailVerifiedAt, ownsEmail } = (await store.accounts.find('acc_1'))!
      assert.deepEqual([emailVerifiedAt, ownsEmail], [null, false], 'a link that was not mailed proves none')
      assert.equal(await redeem('token', 1, NOW + 2000), 'used')
    })

    it('are known for a while after they expired', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withAccounts(store)
      await store.signInLinks.add(aLink())
      const late = () => store.signInLinks.redeem('token', anAccount(1), aSession(1, { createdAt: NOW + 5000 }), 50)
      await store.signInLinks.deleteExpired(NOW + 1000)
      assert.equal(await late(), 'expired')
      await store.signInLinks.deleteExpired(NOW + 1001)
      assert.equal(await late(), 'unknown')
    })
  })
}

const CAP = { valid: 100, perDay: 100 }

/** The state of an account's address, in words. */
async function addressOf(store: Store, id: string): Promise<string> {
  const { email, ownsEmail, emailVerifiedAt } = (await store.accounts.find(id))!
  if (email === null) return 'none'
  return ownsEmail ? `owns ${email}, ${emailVerifiedAt === null ? 'vouched for' : 'proved'}` : `claims ${email}`
}

export function addressesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  /** An account that nobody knows yet, as one that a proof would open. */
  const candidate = (number: number) => anAccount(number, { email: EMAIL, name: null })
  const claim = (store: Store, number: number) =>
    store.accounts.open(candidate(number), aKey(number, { accountId: `acc_${number}` }))

  /** The two ways to prove an address; each uses a link of its own. */
  const PROOFS = {
    'a sign-in link': async (store: Store, number: number, account = candidate(number)) => {
      const tokenHash = `sign-in-${number}`
      await store.signInLinks.add(aMailedLink({ tokenHash }))
      return store.signInLinks.redeem(tokenHash, account, aSession(number), 50)
    },
    'a link to a key': async (store: Store, number: number, account = candidate(number)) => {
      await store.signups.add(aSignup(number, { purpose: 'recovery', email: EMAIL }))
      const key = aKey(number, { accountId: account.id })
      return store.signups.redeem(`token-${number}`, 'recovery', account, key, CAP, NOW)
    },
  } as const
  const prove = PROOFS['a sign-in link']

  describe('addresses', () => {
    for (const [name, proof] of Object.entries(PROOFS)) {
      it(`are owned by the account that first proves them by ${name}; all claims are cleared`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        for (const number of [1, 2, 3]) assert.equal(await claim(store, number), true)
        assert.equal(await store.accounts.findOwner(EMAIL), null)
        assert.equal(await proof(store, 4), true)
        assert.equal(await addressOf(store, 'acc_4'), `owns ${EMAIL}, proved`)
        assert.equal((await store.accounts.findOwner(EMAIL))!.id, 'acc_4')
        for (const number of [1, 2, 3]) {
          assert.equal(await addressOf(store, `acc_${number}`), 'none')
          assert.notEqual(await store.keys.findByHash(`hash-of-${number}`), null, 'its key goes on working')
        }
      })

      it(`stay claims whatever account ${name} is used for but its owner`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await claim(store, 1)
        assert.equal(await proof(store, 5, candidate(1)), 'other_owner', 'a claim is never proved')
        assert.equal(await addressOf(store, 'acc_1'), `claims ${EMAIL}`)
        assert.equal(await prove(store, 2), true)
        assert.equal(await proof(store, 6, candidate(3)), 'other_owner')
        assert.equal(await store.accounts.find('acc_3'), null)
        assert.equal(await proof(store, 7, candidate(2)), true)
      })
    }

    it('keep the time of their first proof, and claims that came after it', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await prove(store, 1)
      await claim(store, 2)
      await store.signInLinks.add(aMailedLink({ tokenHash: 'later', expiresAt: NOW + 9000 }))
      const later = aSession(2, { createdAt: NOW + 5000 })
      assert.equal(await store.signInLinks.redeem('later', candidate(1), later, 50), true)
      assert.equal((await store.accounts.find('acc_1'))!.emailVerifiedAt, NOW)
      assert.equal(await addressOf(store, 'acc_2'), `claims ${EMAIL}`)
    })

    it('are owned by whom an operator opens an account for, who proves them later', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await claim(store, 1)
      const invited = anOwner(2, { email: EMAIL, emailVerifiedAt: null, role: 'editor' })
      assert.equal(await store.accounts.open(invited, null), true)
      assert.equal(await addressOf(store, 'acc_1'), 'none')
      await claim(store, 3)
      assert.equal(await addressOf(store, 'acc_2'), `owns ${EMAIL}, vouched for`)
      assert.equal(await prove(store, 4), 'other_owner')
      assert.equal(await prove(store, 5, invited), true)
      assert.equal(await addressOf(store, 'acc_2'), `owns ${EMAIL}, proved`)
      assert.equal(await addressOf(store, 'acc_3'), 'none')
      assert.equal(await store.accounts.open(anOwner(6, { email: EMAIL }), null), 'address_taken')
      assert.equal(await store.accounts.find('acc_6'), null)
    })

    it('of a blocked account are not proved; those of a deleted one are free', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await prove(store, 1)
      await store.accounts.change('acc_1', { status: 'blocked' }, NOW)
      assert.equal(await prove(store, 2, candidate(1)), 'blocked')
      await store.accounts.remove('acc_1', NOW)
      assert.equal(await prove(store, 3, candidate(1)), 'other_owner', 'the account is gone')
      assert.equal(await prove(store, 4), true)
      assert.equal(await addressOf(store, 'acc_4'), `owns ${EMAIL}, proved`)
    })

    it('have one owner if many prove them, claim them and are vouched for at once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (let round = 0; round < 8; round++) {
        const base = 1000 + round * 100
        const email = `ada${round}@example.org`
        const account = (number: number) => anAccount(base + number, { email })
        for (const number of [1, 2, 3]) await store.accounts.open(account(number), null)
        const links = [4, 5, 6, 7].map((number) => `link-${base + number}`)
        for (const tokenHash of links) await store.signInLinks.add(aMailedLink({ tokenHash, email }))
        const recovery = { purpose: 'recovery', email } as const
        for (const number of [8, 9]) await store.signups.add(aSignup(base + number, recovery))
        const keyOf = (number: number) => aKey(base + number, { accountId: `acc_${base + number}` })
        const outcomes = await Promise.all([
          ...links.map((token, index) =>
            store.signInLinks.redeem(token, account(4 + index), aSession(base + index), 50),
          ),
          ...[8, 9].map((number) =>
            store.signups.redeem(`token-${base + number}`, 'recovery', account(number), keyOf(number), CAP, NOW),
          ),
          store.accounts.open({ ...account(10), ownsEmail: true }, null),
          ...[11, 12, 13].map((number) => store.accounts.open(account(number), keyOf(number))),
          ...[1, 2].map((number) => store.accounts.change(`acc_${base + number}`, { name: 'Eve' }, NOW)),
          store.accounts.remove(`acc_${base + 3}`, NOW),
        ])
        const proofs = outcomes.slice(0, 7)
        assert.equal(proofs.filter((outcome) => outcome === true).length, 1, JSON.stringify(proofs))
        assert.deepEqual(
          proofs.filter((outcome) => outcome !== true && outcome !== 'other_owner' && outcome !== 'address_taken'),
          [],
        )
        const named = await store.accounts.list({ email }, 100, null)
        assert.equal(named.filter(({ ownsEmail }) => ownsEmail).length, 1)
        for (const number of [1, 2, 3]) assert.equal(await addressOf(store, `acc_${base + number}`), 'none')
      }
    })
  })

  describe('mailed links to a key', () => {
    it('give their key to exactly one of many callers', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1))
      const redeem = (number: number) => {
        const key = aKey(number, { accountId: 'acc_1' })
        return store.signups.redeem('token-1', 'sign_up', anAccount(1, { email: EMAIL }), key, CAP, NOW + 1)
      }
      const outcomes = await Promise.all(Array.from({ length: 12 }, (_, number) => redeem(number)))
      assert.deepEqual(
        outcomes.filter((outcome) => outcome !== null),
        [true],
      )
      assert.equal(await store.keys.countValid('acc_1', NOW + 1), 1)
    })

    it('are refused once expired, for another purpose or address; and stay usable if no key can be added', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1))
      const account = anAccount(1, { email: EMAIL })
      const redeem = (changes: { purpose?: 'recovery'; now?: number; email?: string; cap?: number } = {}) => {
        const { purpose = 'sign_up', now = NOW, email = EMAIL, cap = 100 } = changes
        const owner = { ...account, email }
        return store.signups.redeem('token-1', purpose, owner, aKey(1), { valid: cap, perDay: 100 }, now)
      }
      assert.equal(await redeem({ now: aSignup(1).expiresAt }), null)
      assert.equal(await redeem({ purpose: 'recovery' }), null)
      assert.equal(await redeem({ email: 'eve@example.org' }), 'other_owner')
      assert.equal(await redeem({ cap: 0 }), 'too_many')
      assert.equal(await store.accounts.find('acc_1'), null)
      assert.equal(await redeem({ now: aSignup(1).expiresAt - 1 }), true)
      assert.equal(await redeem(), null)
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
      const admin = { role: 'admin', ownsEmail: true } as const
      await store.accounts.open(anAccount(1, admin), aKey(1))
      const other = anAccount(2, { ...admin, email: EMAIL })
      await store.accounts.open(other, null)
      const demote = () => store.accounts.change('acc_1', { role: 'client' }, NOW)
      assert.equal(await demote(), 'last_admin', 'the other has no way in')
      await store.passkeys.add(aPasskey(1, { accountId: 'acc_2' }), 10)
      assert.notEqual(await demote(), 'last_admin')
      await store.accounts.change('acc_1', { role: 'admin' }, NOW)
      await store.passkeys.remove('acc_2', 'pas_1', NOW, null)
      assert.equal(await demote(), 'last_admin')
      await store.signInLinks.add(aMailedLink())
      assert.equal(await store.signInLinks.redeem('token', other, aSession(2), 50), true)
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
