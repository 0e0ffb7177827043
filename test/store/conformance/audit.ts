import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AuditPosition,
  type AuditQuery,
  ClaimLost,
  type NewAuditEntry,
  type Store,
  type WritableStore,
} from '../../../src/store/store.ts'
import { incidentId } from '../../support/incident.ts'
import type { EmptyDatabase } from '../databases.ts'
import {
  aHistoryEntry,
  aKey,
  anAccount,
  anOwner,
  aPasskey,
  aSession,
  aSource,
  claimAs,
  MAX_SOURCES,
  NOW,
  reported,
  withAccounts,
} from '../fixtures.ts'

const ALL: AuditQuery = { accountId: null, incidentId: null, from: null, to: null }

function anEntry(at: number, changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const by = { accountId: 'acc_2', keyId: null, name: 'Ọlá' }
  return { at, by, action: 'account.change', subject: 'acc_9', note: null, before: null, after: null, ...changes }
}

export function auditConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the audit log', () => {
    it('has what people did and every step at the desk, newest first, page by page', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const changes = [{ field: 'status', old: 'reported', new: 'confirmed' }]
      for (let number = 1; number <= 4; number++) {
        const historyEntry = aHistoryEntry({ at: NOW + Math.floor(number / 2), changes, note: `step ${number}` })
        await store.incidents.save([{ ...reported(number), historyEntry }], NOW)
        const entry = anEntry(NOW + Math.floor(number / 2), { note: `entry ${number}` })
        await store.withAudit(entry).accounts.ensure(anAccount(number))
      }
      const all = await store.audit.list(ALL, null, 100)
      assert.deepEqual(
        all.map(({ at }) => at - NOW),
        [2, 2, 1, 1, 1, 1, 0, 0],
      )
      const paged: string[] = []
      let before: AuditPosition | null = null
      for (;;) {
        const page = await store.audit.list(ALL, before, 3)
        paged.push(...page.map(({ id }) => id))
        if (page.length < 3) break
        before = page.at(-1)!
      }
      assert.deepEqual(
        paged,
        all.map(({ id }) => id),
      )
      const step = all.find(({ note }) => note === 'step 1')!
      assert.deepEqual(
        [step.action, step.subject, step.by, step.before, step.after],
        [
          'incident.report',
          incidentId(1),
          { accountId: 'acc_1', keyId: 'key_1', name: 'Desk Kaduna' },
          { status: 'reported' },
          { status: 'confirmed' },
        ],
      )
    })

    it('is filtered by actor, incident and time', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([{ ...reported(1), historyEntry: aHistoryEntry({ at: NOW }) }], NOW)
      const change = anEntry(NOW + 5, { before: { role: 'client' }, after: { role: 'editor', 'ọ"': [1] } })
      await store.withAudit(change).accounts.ensure(anAccount(2))
      const subjects = async (query: Partial<AuditQuery>) =>
        (await store.audit.list({ ...ALL, ...query }, null, 10)).map(({ subject }) => subject)
      assert.deepEqual(await subjects({ accountId: 'acc_1' }), [incidentId(1)])
      assert.deepEqual(await subjects({ accountId: 'acc_2' }), ['acc_9'])
      assert.deepEqual(await subjects({ incidentId: incidentId(1) }), [incidentId(1)])
      assert.deepEqual(await subjects({ incidentId: incidentId(1), accountId: 'acc_2' }), [])
      assert.deepEqual(await subjects({ from: NOW + 1 }), ['acc_9'])
      assert.deepEqual(await subjects({ to: NOW + 5 }), [incidentId(1)])
      const [entry] = await store.audit.list({ ...ALL, accountId: 'acc_2' }, null, 10)
      assert.deepEqual([entry?.before, entry?.after], [{ role: 'client' }, { role: 'editor', 'ọ"': [1] }])
    })
  })
}

const CAP = { valid: 100, perDay: 100 }
const LINK = { tokenHash: 'token', accountId: 'acc_1', email: null, createdAt: NOW, expiresAt: NOW + 1000 }
const ANSWER = new Uint8Array([7])
const HOLDER = { id: 'a', token: 'holder' }

const ENTRY: NewAuditEntry = {
  at: NOW,
  by: { accountId: 'acc_2', keyId: null, name: 'Ọlá' },
  action: 'account.change',
  subject: 'acc_1',
  note: null,
  before: null,
  after: { role: 'client' },
}
/** No database holds this text: the entry is refused after the write that it is about. */
const IMPOSSIBLE: NewAuditEntry = { ...ENTRY, note: 'a NUL \0 in the text' }

interface AuditedWrite {
  readonly name: string
  readonly write: (store: WritableStore) => Promise<unknown>
  readonly isWritten: (store: Store) => Promise<boolean>
}

const openSessions = async (store: Store) =>
  (await store.sessions.list('acc_1', NOW, 0)).map(({ session }) => session.id).sort()

/** On two editors and a client, with a key, a session, a passkey and a link of the first. */
const WRITES: readonly AuditedWrite[] = [
  {
    name: 'sources.add',
    write: (store) => store.sources.add(aSource(2), MAX_SOURCES),
    isWritten: async (store) => (await store.sources.find('src_2')) !== null,
  },
  {
    name: 'accounts.open',
    write: (store) => store.accounts.open(anOwner(8), null),
    isWritten: async (store) => (await store.accounts.find('acc_8')) !== null,
  },
  {
    name: 'accounts.ensure',
    write: (store) => store.accounts.ensure(anAccount(9)),
    isWritten: async (store) => (await store.accounts.find('acc_9')) !== null,
  },
  {
    name: 'accounts.change',
    write: (store) => store.accounts.change('acc_1', { role: 'client', status: 'blocked' }, NOW),
    isWritten: async (store) => (await store.accounts.find('acc_1'))!.status === 'blocked',
  },
  {
    name: 'accounts.remove',
    write: (store) => store.accounts.remove('acc_3', NOW),
    isWritten: async (store) => (await store.accounts.find('acc_3'))!.status === 'deleted',
  },
  {
    name: 'keys.add',
    write: (store) => store.keys.add(aKey(8), CAP),
    isWritten: async (store) => (await store.keys.find(aKey(8).id)) !== null,
  },
  {
    name: 'keys.rotate',
    write: (store) => store.keys.rotate('acc_1', aKey(1).id, aKey(7), NOW + 1, CAP),
    isWritten: async (store) => (await store.keys.find(aKey(7).id)) !== null,
  },
  {
    name: 'keys.revoke',
    write: (store) => store.keys.revoke('acc_1', aKey(1).id, NOW, 'allow'),
    isWritten: async (store) => (await store.keys.find(aKey(1).id))!.revokedAt !== null,
  },
  {
    name: 'sessions.open',
    write: (store) => store.sessions.open(aSession(2), 50),
    isWritten: async (store) => (await openSessions(store)).includes('ses_2'),
  },
  {
    name: 'sessions.end',
    write: (store) => store.sessions.end('acc_1', 'ses_1', NOW),
    isWritten: async (store) => !(await openSessions(store)).includes('ses_1'),
  },
  {
    name: 'sessions.endAll',
    write: (store) => store.sessions.endAll('acc_1', NOW, null),
    isWritten: async (store) => (await openSessions(store)).length === 0,
  },
  {
    name: 'signInLinks.add',
    write: (store) => store.signInLinks.add({ ...LINK, tokenHash: 'another' }),
    isWritten: async (store) => (await store.signInLinks.find('another')) !== null,
  },
  {
    name: 'signInLinks.redeem',
    write: (store) => store.signInLinks.redeem('token', anAccount(1), aSession(2), 50),
    isWritten: async (store) => (await openSessions(store)).includes('ses_2'),
  },
  {
    name: 'passkeys.add',
    write: (store) => store.passkeys.add(aPasskey(2), 10),
    isWritten: async (store) => (await store.passkeys.list('acc_1')).length === 2,
  },
  {
    name: 'passkeys.remove',
    write: (store) => store.passkeys.remove('acc_1', 'pas_1', NOW, null),
    isWritten: async (store) => (await store.passkeys.list('acc_1')).length === 0,
  },
]

const REFUSALS: readonly [name: string, write: (store: WritableStore) => Promise<unknown>, result: unknown][] = [
  ['an unknown account', (store) => store.accounts.change('acc_9', { name: 'X' }, NOW), null],
  [
    'an address that is taken',
    (store) => store.accounts.open(anOwner(5, { email: anOwner(4).email }), null),
    'address_taken',
  ],
  ['an account with a role', (store) => store.accounts.remove('acc_1', NOW), 'has_role'],
  ['too many keys', (store) => store.keys.add(aKey(8), { valid: 1, perDay: 1 }), 'too_many'],
  ['a session of another account', (store) => store.sessions.end('acc_2', 'ses_1', NOW), null],
  ['an unknown link', (store) => store.signInLinks.redeem('unknown', anAccount(1), aSession(2), 50), 'unknown'],
  ['a known passkey', (store) => store.passkeys.add(aPasskey(2, { credentialId: 'credential-1' }), 10), 'known'],
]

async function filled(store: Store): Promise<void> {
  await withAccounts(store)
  await store.accounts.ensure(anAccount(3))
  await store.accounts.ensure(anOwner(4))
  await store.sessions.open(aSession(1), 50)
  await store.passkeys.add(aPasskey(1), 10)
  await store.signInLinks.add(LINK)
}

async function entriesIn(store: Store): Promise<number> {
  return (await store.audit.list({ accountId: null, incidentId: null, from: null, to: null }, null, 10)).length
}

export function auditedWritesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('a write on record', () => {
    for (const { name, write, isWritten } of WRITES) {
      it(`${name} is stored together with its entry, or not at all`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        await assert.rejects(write(store.withAudit(IMPOSSIBLE)), TypeError)
        assert.deepEqual([await isWritten(store), await entriesIn(store)], [false, 0])
        await write(store.withAudit(ENTRY))
        assert.deepEqual([await isWritten(store), await entriesIn(store)], [true, 1])
      })
    }

    for (const [name, write, result] of REFUSALS) {
      it(`that is refused for ${name} leaves no entry`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await filled(store)
        assert.equal(await write(store.withAudit(ENTRY)), result)
        assert.equal(await entriesIn(store), 0)
      })
    }

    it('and with a receipt is stored with both, or not at all', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await filled(store)
      await claimAs(store.idempotency, 'a', NOW, HOLDER)
      const receiptStore = store.withReceipt({ ...HOLDER, answer: ANSWER })
      await assert.rejects(receiptStore.withAudit(IMPOSSIBLE).keys.add(aKey(8), CAP), TypeError)
      assert.deepEqual([receiptStore.receiptStored, await entriesIn(store)], [false, 0])
      const lost = store.withReceipt({ id: 'a', token: 'another', answer: ANSWER })
      await assert.rejects(lost.withAudit(ENTRY).keys.add(aKey(8), CAP), ClaimLost)
      assert.deepEqual([await store.keys.find(aKey(8).id), await entriesIn(store)], [null, 0])
      assert.equal(await receiptStore.withAudit(ENTRY).keys.add(aKey(8), CAP), true)
      assert.deepEqual([receiptStore.receiptStored, await entriesIn(store)], [true, 1])
    })
  })
}
