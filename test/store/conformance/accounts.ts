import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCOUNT_BLOCKED_REASON } from '../../../src/domain/accounts.ts'
import { AccountDeleted, type AccountFilter, type NewAuditEntry, type Store } from '../../../src/store/store.ts'
import type { EmptyDatabase } from '../databases.ts'
import {
  aKey,
  anAccount,
  anOwner,
  aPasskey,
  appendTo,
  aSession,
  aSignup,
  aWatch,
  claimAs,
  deliveryQuery,
  leased,
  NOW,
  newDelivery,
  watchId,
} from '../fixtures.ts'

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
        anAccount(1, { email: 'ada@example.org' }),
        anAccount(2, { role: 'editor' }),
        anAccount(3, { email: null, limits: { keys: 3 } }),
      ]
      for (const account of accounts) await store.accounts.ensure(account)
      const list = async (filter: AccountFilter, before: string | null = null) =>
        (await store.accounts.list(filter, 2, before)).map(({ id }) => id)
      assert.deepEqual(await list({}), ['acc_3', 'acc_2'])
      assert.deepEqual(await list({}, 'acc_2'), ['acc_1'])
      assert.deepEqual(await list({ email: 'ada@example.org' }), ['acc_1'])
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

    it('wait with watches that are added, changed or resumed after they were blocked', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.open(anAccount(1), aKey(1))
      await store.watches.add(aWatch(1), 100)
      await store.watches.change('acc_1', watchId(1), { status: 'paused' }, NOW)
      await store.accounts.change('acc_1', { status: 'blocked' }, NOW)
      const waits = { status: 'disabled', disabledReason: ACCOUNT_BLOCKED_REASON }
      assert.partialDeepStrictEqual(await store.watches.change('acc_1', watchId(1), { status: 'active' }, NOW), waits)
      assert.partialDeepStrictEqual(await store.watches.add(aWatch(2), 100), waits)
      assert.equal(await store.alerts.start(aWatch(3), 'ada', 5), true)
      const stored = async () =>
        (await Promise.all([1, 2, 3].map((number) => store.watches.find('acc_1', watchId(number))))).map(
          (watch) => watch!.status,
        )
      assert.deepEqual(await stored(), ['disabled', 'disabled', 'disabled'])
      await store.accounts.change('acc_1', { status: 'active' }, NOW)
      assert.deepEqual(await stored(), ['active', 'active', 'active'])
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
  })
}

const CAP = { valid: 100, perDay: 100 }
const CIRCLE = '{"circle":{"lat":10,"lng":7,"radiusKm":30}}'
const DELETED = {
  email: null,
  ownsEmail: false,
  emailVerifiedAt: null,
  name: null,
  limits: {},
  status: 'deleted',
} as const
const EVERYTHING = { accountId: null, incidentId: null, from: null, to: null }

const anArea = (number: number, accountId: string) => ({
  id: `are_${number}`,
  accountId,
  name: `Area ${number}`,
  shape: CIRCLE,
  createdAt: NOW,
  updatedAt: NOW,
})
const SITE = { name: 'Depot', latitude: 10, longitude: 7, radiusKm: 30, reference: null }
const aSiteList = (number: number, accountId: string) => ({
  id: `sit_${number}`,
  accountId,
  name: `List ${number}`,
  size: 1,
  version: 1,
  createdAt: NOW,
  updatedAt: NOW,
})
const aLink = (number: number) => ({
  tokenHash: `link-${number}`,
  accountId: `acc_${number}`,
  email: null,
  createdAt: NOW,
  expiresAt: NOW + 60_000,
})

function anEntry(number: number, subject: string, changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const by = { accountId: `acc_${number}`, keyId: `key_${number}`, name: 'Ada Obi' }
  return { at: NOW, by, action: 'account.change', subject, note: null, before: null, after: null, ...changes }
}

/** Two accounts with the same belongings: `acc_1` and `acc_2`. */
async function filled(store: Store): Promise<void> {
  for (const number of [1, 2]) {
    const accountId = `acc_${number}`
    await store.accounts.open(anOwner(number, { limits: { keys: 3 } }), aKey(number, { accountId }))
    await store.areas.add(anArea(number, accountId), 10)
    const filter = { given: `{"area":"are_${number}"}`, canonical: '{"state":["NG-KD"]}', areaId: `are_${number}` }
    await store.watches.add(aWatch(number, { accountId, filter }), 100)
    await store.siteLists.add(aSiteList(number, accountId), [SITE], 10)
    const sites = { given: `{"sites":"sit_${number}"}`, canonical: '{}', siteListId: `sit_${number}` }
    await store.watches.add(aWatch(number + 2, { accountId, filter: sites }), 100)
    await store.sessions.open(aSession(number, { accountId, keyId: `key_${number}` }), 50)
    await store.passkeys.add(aPasskey(number, { accountId }), 10)
    await store.signInLinks.add(aLink(number))
    await claimAs(store.idempotency, `answer-${number}`, NOW, { subject: accountId })
  }
  await appendTo(store, 1)
  await store.deliveries.add([newDelivery(1, 1), newDelivery(2, 1)], NOW)
}

export function accountDeletionConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('deleting an account', () => {
    it('takes away what belongs to it, and nothing of another account', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await filled(store)
      const { revision } = (await store.watches.changedAfter(0, 100)).changes.at(-1)!
      const removed = await store.accounts.remove('acc_1', NOW + 5)
      assert.deepEqual(removed, { keyHashes: [aKey(1).hash], sessionHashes: [aSession(1).hash] })
      assert.deepEqual(await store.accounts.find('acc_1'), anAccount(1, DELETED))
      const counts = async (accountId: string) => [
        await store.accounts.countWatches(accountId),
        await store.areas.count(accountId),
        await store.siteLists.count(accountId),
        (await store.passkeys.list(accountId)).length,
        (await store.sessions.list(accountId, NOW + 6, 0)).length,
        await store.keys.countValid(accountId, NOW + 6),
      ]
      assert.deepEqual(await counts('acc_1'), [0, 0, 0, 0, 0, 0])
      assert.deepEqual(await counts('acc_2'), [2, 1, 1, 1, 1, 1])
      assert.deepEqual(await store.siteLists.names('sit_1', 1, [0]), [])
      const key = (await store.keys.find('key_1'))!
      assert.deepEqual([key.revokedAt, key.name], [NOW + 5, null])
      assert.deepEqual(await store.keys.find('key_2'), aKey(2, { accountId: 'acc_2' }))
      const session = (await store.sessions.findByHash(aSession(1).hash))!.session
      assert.deepEqual([session.endedAt, session.userAgent], [NOW + 5, null])
      assert.equal(await store.signInLinks.find('link-1'), null)
      assert.deepEqual(await store.signInLinks.find('link-2'), { accountId: 'acc_2', email: null })
      const usage = await store.idempotency.usage(10)
      assert.deepEqual(
        usage.largest.map(({ subject }) => subject),
        ['acc_2'],
      )
      const { changes } = await store.watches.changedAfter(revision, 100)
      assert.deepEqual(
        changes.map((change) => [change.id, change.revision, 'status' in change]),
        [
          [watchId(1), revision + 1, false],
          [watchId(3), revision + 2, false],
        ],
      )
    })

    it('leaves nothing to send, not even what had waited', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await filled(store)
      await store.accounts.remove('acc_1', NOW + 5)
      assert.deepEqual(await leased(store), [newDelivery(2, 1).id])
      assert.deepEqual(await store.deliveries.list('acc_1', deliveryQuery({ watchIds: [watchId(1)] })), [])
      await store.deliveries.deleteExpired(0, 100)
      assert.equal((await store.deliveries.queueDepth(10)).waiting, 0)
    })

    it('is told to the nodes that hold its keys, sessions and messages', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await filled(store)
      await store.accounts.change('acc_2', { status: 'blocked' }, NOW + 5)
      await store.accounts.remove('acc_1', NOW + 5)
      assert.deepEqual(await store.accounts.deletedSince(NOW + 5), ['acc_1'])
      assert.deepEqual(await store.accounts.deletedSince(NOW + 6), [])
      assert.ok((await store.keys.revokedSince(NOW + 5)).includes(aKey(1).hash))
      assert.ok((await store.sessions.endedSince(NOW + 5)).includes(aSession(1).hash))
    })

    it('frees its address, and forgets mailed links to it unless another account has the address', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (const number of [1, 2]) await store.accounts.ensure(anAccount(number, { email: 'ada@example.org' }))
      const recovery = { purpose: 'recovery', email: 'ADA@example.org' } as const
      await store.signups.add(aSignup(1, recovery))
      await store.signInLinks.add({ ...aLink(9), accountId: null, email: 'ada@example.org' })
      await store.signups.add(aSignup(2))
      await store.accounts.remove('acc_1', NOW)
      assert.notEqual(await store.signups.find('token-1', 'recovery', NOW), null)
      assert.notEqual(await store.signInLinks.find('link-9'), null)
      assert.equal((await store.accounts.list({ email: 'ada@example.org' }, 10, null)).length, 1)
      await store.accounts.remove('acc_2', NOW)
      assert.equal(await store.signups.find('token-1', 'recovery', NOW), null)
      assert.equal(await store.signInLinks.find('link-9'), null)
      // Somebody may be signing up with the address at this moment.
      assert.notEqual(await store.signups.find('token-2', 'sign_up', NOW), null)
      assert.deepEqual(await store.accounts.list({ email: 'ada@example.org' }, 10, null), [])
      await store.accounts.ensure(anAccount(3, { email: 'ada@example.org' }))
      assert.equal((await store.accounts.list({ email: 'ada@example.org' }, 10, null))[0]!.id, 'acc_3')
    })

    it('takes its name and address out of the audit log, and leaves what was done', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (const number of [1, 2]) await store.accounts.ensure(anAccount(number))
      const person = { name: 'Ada Obi', email: 'ada@example.org', role: 'client' }
      const write = (entry: NewAuditEntry) => store.withAudit(entry).accounts.change('acc_2', { limits: {} }, NOW)
      await write(anEntry(1, 'key_1', { action: 'key.create', after: { scopes: ['read'] } }))
      await write(anEntry(1, 'ses_1', { action: 'session.create', after: { method: 'key', user_agent: 'Firefox' } }))
      await write(anEntry(2, 'acc_1', { by: { accountId: 'acc_2', keyId: null, name: 'Ọlá' }, after: person }))
      await write(anEntry(2, 'acc_2', { before: { name: 'Ada' }, after: { name: 'Ada Obi' } }))
      await store.withAudit(anEntry(1, 'acc_1', { action: 'account.delete' })).accounts.remove('acc_1', NOW)
      const entries = await store.audit.list(EVERYTHING, null, 10)
      assert.deepEqual(
        entries.toReversed().map(({ by, action, before, after }) => [by.accountId, by.name, action, before, after]),
        [
          ['acc_1', 'deleted account', 'key.create', null, { scopes: ['read'] }],
          ['acc_1', 'deleted account', 'session.create', null, { method: 'key' }],
          ['acc_2', 'Ọlá', 'account.change', null, { role: 'client' }],
          ['acc_2', 'Ada Obi', 'account.change', { name: 'Ada' }, { name: 'Ada Obi' }],
          // The entry of the deletion itself says what its writer says.
          ['acc_1', 'Ada Obi', 'account.delete', null, null],
        ],
      )
    })

    for (const role of ['reporter', 'editor', 'admin'] as const)
      it(`is refused to ${role}s, and changes nothing`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        await store.accounts.change('acc_1', { role }, NOW)
        const passkeys = await store.passkeys.list('acc_1')
        assert.equal(await store.accounts.remove('acc_1', NOW + 5), 'has_role')
        assert.equal((await store.accounts.find('acc_1'))!.status, 'active')
        assert.equal(await store.accounts.countWatches('acc_1'), 2)
        assert.deepEqual(await store.passkeys.list('acc_1'), passkeys)
        assert.deepEqual(await store.keys.find('key_1'), aKey(1))
      })

    it('happens once: the account cannot be changed or deleted again', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await filled(store)
      assert.equal(await store.accounts.remove('acc_9', NOW), null)
      await store.accounts.remove('acc_1', NOW + 5)
      assert.equal(await store.accounts.remove('acc_1', NOW + 9), null)
      assert.equal(await store.accounts.change('acc_1', { status: 'active', name: 'Ada', role: 'admin' }, NOW), null)
      await store.accounts.ensure(anAccount(1))
      assert.deepEqual(await store.accounts.find('acc_1'), anAccount(1, DELETED))
      assert.deepEqual(await store.accounts.deletedSince(NOW + 6), [])
    })

    const additions: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
      'a key': (store) => store.keys.add(aKey(8), CAP),
      'a session': (store) => store.sessions.open(aSession(8), 50),
      'a passkey': (store) => store.passkeys.add(aPasskey(8), 10),
      'an area': (store) => store.areas.add(anArea(8, 'acc_1'), 10),
      'a list of sites': (store) => store.siteLists.add(aSiteList(8, 'acc_1'), [SITE], 10),
      'a watch': (store) => store.watches.add(aWatch(8), 100),
    }
    for (const [what, add] of Object.entries(additions)) {
      it(`refuses ${what} afterwards`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        await store.accounts.remove('acc_1', NOW + 5)
        await assert.rejects(add(store), AccountDeleted)
      })

      it(`leaves no ${what.replace(/^an? /, '')} that is added at the same time`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        const added = Array.from({ length: 6 }, (_, turn) =>
          turn === 3 ? store.accounts.remove('acc_1', NOW + 5) : add(store).catch((error: unknown) => error),
        )
        await Promise.all(added)
        assert.equal(await store.accounts.countWatches('acc_1'), 0)
        assert.equal(await store.areas.count('acc_1'), 0)
        assert.equal(await store.siteLists.count('acc_1'), 0)
        assert.equal(await store.keys.countValid('acc_1', NOW + 6), 0)
        assert.deepEqual(await store.sessions.list('acc_1', NOW + 6, 0), [])
        assert.deepEqual(await store.passkeys.list('acc_1'), [])
      })
    }
  })
}
