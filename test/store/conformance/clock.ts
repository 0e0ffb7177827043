import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_MODERATION_RECORD } from '../../../src/domain/moderation.ts'
import { GROWING_TABLES, type Store } from '../../../src/store/store.ts'
import type { EmptyDatabase } from '../databases.ts'
import {
  aKey,
  anAccount,
  anItem,
  anItemWrite,
  aPasskey,
  appendTo,
  aSession,
  aSignup,
  aSource,
  aWatch,
  claimAs,
  MAX_SOURCES,
  NOW,
  newDelivery,
  reported,
  result,
  watchId,
  withWatches,
} from '../fixtures.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = { 'an hour': HOUR, 'fourteen years': 14 * 365 * DAY }

interface Kind {
  /** Makes it while the clock says `at`, which is wrong. */
  make(store: Store, at: number): Promise<unknown>
  /** Whether it is as if it had been made at NOW. */
  recovered(store: Store): Promise<boolean>
}

const CAP = { valid: 100, perDay: 2 }

/** Everything that has a due time, an end, or is kept for a time. */
const KINDS: Readonly<Record<string, Kind>> = {
  'the next poll of a source': {
    make: (store, at) => store.sources.add(aSource(1, { createdAt: at, dueAt: at + MINUTE }), MAX_SOURCES),
    recovered: async ({ sources }) =>
      (await sources.due(NOW, 1)).length === 0 && (await sources.due(NOW + MINUTE, 1)).length === 1,
  },
  'the lease of polling': {
    make: (store, at) => store.sources.lease('a', at, at + MINUTE),
    recovered: async ({ sources }) =>
      !(await sources.lease('b', NOW + MINUTE - 1, NOW + DAY)) && (await sources.lease('b', NOW + MINUTE, NOW + DAY)),
  },
  'the lease of the fan-out': {
    make: (store, at) => store.fanOut.lease('a', at, at + MINUTE),
    recovered: async ({ fanOut }) =>
      (await fanOut.lease('b', NOW + MINUTE - 1, NOW + DAY)) === null &&
      (await fanOut.lease('b', NOW + MINUTE, NOW + DAY)) !== null,
  },
  'a claim at the desk': {
    make: async ({ incidents, desk }, at) => {
      await incidents.save([reported(50)], at)
      const claim = { accountId: 'acc_1', name: 'Ada', until: at + MINUTE }
      await desk.claim(
        { incident: reported(50).incident, moderation: EMPTY_MODERATION_RECORD, claim, takeOver: null },
        at,
      )
    },
    recovered: async ({ desk }) =>
      (await desk.claimCounts(NOW)).length === 1 && (await desk.claimCounts(NOW + MINUTE)).length === 0,
  },
  'a watch that is being resumed': {
    make: async ({ watches }, at) => {
      await watches.change('acc_1', watchId(1), { status: 'paused' }, at)
      await watches.change('acc_1', watchId(1), { status: 'active' }, at)
    },
    recovered: async ({ watches }) => (await watches.resuming(NOW + 1, 10)).length === 1,
  },
  'a message that waits for its retry': {
    make: async (store, at) => {
      await store.deliveries.add([newDelivery(1, 1)], at)
      await store.deliveries.lease('node', at, at + MINUTE, 9, { accountIds: [], watchIds: [] })
      const failed = result(newDelivery(1, 1).id, { at, outcome: 'refused', statusCode: 500, retryAt: at + MINUTE })
      await store.deliveries.recordAttempts('node', [failed], at)
    },
    recovered: async ({ deliveries }) => {
      const due = (now: number) => deliveries.lease('b', now, now + 1, 9, { accountIds: [], watchIds: [] })
      const early = (await due(NOW + MINUTE - 1)).dispatches
      const [late] = (await due(NOW + MINUTE)).dispatches
      return early.length === 0 && late?.delivery.createdAt === NOW
    },
  },
  'a message that is being sent': {
    make: async ({ deliveries }, at) => {
      await deliveries.add([newDelivery(1, 1)], at)
      await deliveries.lease('node', at, at + MINUTE, 9, { accountIds: [], watchIds: [] })
    },
    recovered: async ({ deliveries }) => {
      const now = NOW + MINUTE
      const [again] = (await deliveries.lease('b', now, now + 1, 9, { accountIds: [], watchIds: [] })).dispatches
      return again?.delivery.createdAt === NOW
    },
  },
  'a session, its end and its last use': {
    make: (store, at) => store.sessions.open(aSession(1, { createdAt: at, seenAt: at, expiresAt: at + DAY }), 10),
    recovered: async ({ sessions }) => {
      const { createdAt, seenAt, expiresAt, endedAt } = (await sessions.findByHash('session-hash-1'))!.session
      assert.deepEqual([createdAt, seenAt, expiresAt, endedAt], [NOW, NOW, NOW + DAY, null])
      return true
    },
  },
  'a session that has ended': {
    make: async ({ sessions }, at) => {
      await sessions.open(aSession(1, { createdAt: NOW - 1, seenAt: NOW - 1, expiresAt: NOW + 99 * DAY }), 10)
      await sessions.end('acc_1', 'ses_1', at)
    },
    recovered: async ({ sessions }) => (await sessions.deleteExpired(NOW + 1, 9)) === 1,
  },
  'a link to sign in': {
    make: ({ signInLinks }, at) =>
      signInLinks.add({
        tokenHash: 'link',
        accountId: 'acc_1',
        email: null,
        createdAt: at,
        expiresAt: at + 15 * MINUTE,
      }),
    recovered: async ({ signInLinks }) => {
      const session = aSession(1, { createdAt: NOW + 15 * MINUTE })
      return (await signInLinks.redeem('link', anAccount(1), session, 9)) === 'expired'
    },
  },
  'a link to a new account': {
    make: ({ signups }, at) => signups.add(aSignup(1, { createdAt: at, expiresAt: at + HOUR })),
    recovered: async ({ signups }) =>
      (await signups.find('token-1', 'sign_up', NOW + HOUR - 1)) !== null &&
      (await signups.find('token-1', 'sign_up', NOW + HOUR)) === null,
  },
  'a challenge for a passkey': {
    make: ({ challenges }, at) => challenges.add({ hash: 'challenge', accountId: null, expiresAt: at + MINUTE }, at),
    recovered: async ({ challenges }) => !(await challenges.consume('challenge', null, NOW + MINUTE)),
  },
  'the answer to an Idempotency-Key': {
    make: async ({ idempotency }, at) => {
      await claimAs(idempotency, 'request', at)
      await idempotency.finish({ id: 'request', token: 'token' }, new Uint8Array(1))
    },
    recovered: async ({ idempotency }) =>
      (await claimAs(idempotency, 'request', NOW + DAY)).state === 'finished' &&
      (await idempotency.deleteExpired(NOW + 1, 9)) === 1,
  },
  'the keys that an account may make in a day': {
    make: async ({ keys }, at) => {
      for (const number of [12, 13]) await keys.add(aKey(number, { createdAt: at }), CAP)
    },
    recovered: async ({ keys }) =>
      (await keys.add(aKey(14, { createdAt: NOW + DAY - 1 }), CAP)) === 'too_many_today' &&
      (await keys.add(aKey(14, { createdAt: NOW + DAY + 1 }), CAP)) === true,
  },
  'a revoked key': {
    make: async ({ keys }, at) => {
      await keys.add(aKey(12, { createdAt: NOW - 1 }), { valid: 9, perDay: 9 })
      await keys.revoke('acc_1', 'key_12', at, 'allow')
    },
    recovered: async ({ keys }) => {
      const { revokedAt, expiresAt } = (await keys.find('key_12'))!
      assert.deepEqual([revokedAt, expiresAt], [NOW, null])
      assert.equal((await keys.find('key_1'))!.revokedAt, null, 'another stays valid')
      return (await keys.deleteDead(NOW + 1, 9)) > 0
    },
  },
  'the contact of a tip': {
    make: ({ tips }, at) =>
      tips.add(
        { referenceHash: 'tip', incidentId: reported(50).incident.id, receivedAt: at, contact: 'Amina' },
        reported(50),
        { challengeHash: 'challenge', fingerprint: 'content' },
      ),
    recovered: async ({ tips }) => (await tips.deleteExpired(NOW + 1, NOW + 1, 9)) === 2,
  },
  'an item of a feed': {
    make: async ({ sources }, at) => {
      await sources.add(aSource(1), MAX_SOURCES)
      await sources.lease('a', NOW, NOW + MINUTE)
      const item = anItem(1, { firstSeenAt: at })
      await sources.saveItem('a', anItemWrite(1, { item }), at)
    },
    recovered: async ({ sources }) => (await sources.deleteExpired(NOW + 1, 9)) === 1,
  },
  'a message that was delivered': {
    make: async ({ deliveries }, at) => {
      await deliveries.add([newDelivery(1, 1)], NOW - 1)
      await deliveries.lease('node', NOW, NOW + MINUTE, 9, { accountIds: [], watchIds: [] })
      await deliveries.recordAttempts('node', [result(newDelivery(1, 1).id, { at })], at)
    },
    recovered: async ({ deliveries }) => (await deliveries.deleteExpired(NOW + 1, 9)) === 1,
  },
  'an alert that nobody has confirmed, and who was asked': {
    make: ({ alerts }, at) => alerts.add(aWatch(5, { status: 'paused', createdAt: at }), 'ada', at - DAY),
    recovered: async ({ alerts }) =>
      (await alerts.confirm(watchId(5), NOW + 1, 9, NOW + 1)) === null &&
      (await alerts.toRemove(NOW + 1, '', 9)).length === 1 &&
      (await alerts.add(aWatch(6, { status: 'paused', createdAt: NOW + 2 }), 'ada', NOW + 1)),
  },
  'the mails of an hour to come': {
    make: async ({ mails }, at) => {
      for (const day of [new Date(at).toISOString().slice(0, 13), '2026-11-15'])
        assert.equal(await mails.countMail('alerts low', day, 1), true)
    },
    recovered: async ({ mails }) =>
      (await mails.countMail('alerts low', '2026-11-15T01', 1)) &&
      !(await mails.countMail('alerts low', '2026-11-15', 1)),
  },
  'the last uses of a key and of a passkey': {
    make: async ({ usage, passkeys }, at) => {
      await usage.addCounts([{ keyId: 'key_1', day: '2026-11-15', requests: 1, lastAt: at }])
      await passkeys.add(aPasskey(1, { counter: 0 }), 9)
      await passkeys.recordUse('pas_1', 0, at)
    },
    recovered: async ({ usage, passkeys }) =>
      (await usage.byKey(['key_1'], '2026-11-15'))[0]!.lastUsedAt === NOW &&
      (await passkeys.list('acc_1'))[0]!.lastUsedAt === NOW,
  },
}

export function clockConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  for (const [length, by] of Object.entries(STEPS))
    describe(`a clock that was set back by ${length}`, () => {
      for (const [name, { make, recovered }] of Object.entries(KINDS))
        it(`leaves nothing ahead of ${name}`, async () => {
          await using database = await newDatabase()
          await using store = await database.open()
          await withWatches(store, 1)
          await appendTo(store, 1)
          await store.clock.record(NOW, null, 0)
          const ahead = NOW + by
          await store.clock.record(ahead, NOW + 1, 0)
          await make(store, ahead)
          assert.deepEqual(await store.clock.record(NOW, NOW + 2, 0), { agedAt: NOW, setBackBy: by })
          await store.deliveries.reschedule(by, NOW, NOW + MINUTE)
          assert.equal(await recovered(store), true)
          assert.deepEqual(await store.clock.read(), { seenAt: NOW, agedAt: NOW })
        })
    })

  describe('tables that grow', () => {
    it('lose old entries of the audit and old counts, in batches, but not the last of a key', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      const by = { accountId: 'acc_1', keyId: 'key_1', name: 'Ada' }
      for (const at of [NOW - 3, NOW - 2, NOW - 1, NOW]) {
        const entry = { at, by, action: 'session.end_all', subject: 'acc_1', note: null, before: null, after: null }
        await store.withAudit(entry).sessions.endAll('acc_1', NOW, null)
      }
      assert.deepEqual([await store.audit.deleteBefore(NOW, 2), await store.audit.deleteBefore(NOW, 2)], [2, 1])
      assert.equal(await store.audit.deleteBefore(NOW, 2), 0)
      const left = await store.audit.list({ accountId: 'acc_1', incidentId: null, from: null, to: null }, null, 9)
      assert.deepEqual(
        left.map(({ at }) => at),
        [NOW],
      )
      const days = ['2025-01-01', '2025-01-02', '2025-01-03']
      await store.usage.addCounts([
        ...days.map((day) => ({ keyId: 'key_1', day, requests: 1, lastAt: NOW - DAY })),
        { keyId: 'key_2', day: '2025-01-01', requests: 1, lastAt: NOW - DAY },
        { keyId: 'key_1', day: '2026-11-15', requests: 1, lastAt: NOW },
      ])
      assert.deepEqual(
        [await store.usage.deleteBefore('2026-01-01', 2), await store.usage.deleteBefore('2026-01-01', 9)],
        [2, 1],
      )
      assert.equal(await store.usage.deleteBefore('2026-01-01', 9), 0)
      assert.equal((await store.usage.byKey(['key_2'], '2026-01-01'))[0]!.lastUsedAt, NOW - DAY)
    })

    it('have a number of rows', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await appendTo(store, 3)
      const rows = await store.tables.rows()
      assert.deepEqual(Object.keys(rows).sort(), [...GROWING_TABLES].sort())
      // PostgreSQL knows them after it has looked at the table.
      if (store.quotas === null) assert.equal(rows.events, 3)
      for (const count of Object.values(rows)) assert.ok(Number.isInteger(count) && count >= 0)
    })
  })

  describe('readings of the clock', () => {
    it('correct nothing while it goes on, jumps ahead or is set back by less than a minute', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.equal(await store.clock.read(), null)
      assert.deepEqual(await store.clock.record(NOW, null, 0), { agedAt: NOW, setBackBy: 0 })
      await store.sources.add(aSource(1, { dueAt: NOW + DAY }), MAX_SOURCES)
      for (const now of [NOW + 1, NOW + 2 * HOUR, NOW + 2 * HOUR - MINUTE, NOW + 2 * HOUR])
        assert.equal((await store.clock.record(now, null, 0)).setBackBy, 0)
      assert.equal((await store.sources.find('src_1'))!.dueAt, NOW + DAY)
    })

    it('end waits that are longer than any can be, planned within a moment that nobody noticed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 2)
      for (const [number, days] of [
        [1, 2],
        [2, 4],
      ] as const) {
        await store.sources.add(aSource(number, { dueAt: NOW + days * DAY }), MAX_SOURCES)
        await store.deliveries.add([newDelivery(1, number)], NOW + days * DAY)
      }
      await store.watches.change('acc_1', watchId(1), { status: 'paused' }, NOW)
      await store.clock.record(NOW, null, 0)
      const due = async (number: number) => (await store.sources.find(`src_${number}`))!.dueAt - NOW
      assert.deepEqual([await due(1), await due(2)], [2 * DAY, 0])
      await store.watches.change('acc_1', watchId(1), { status: 'active' }, NOW)
      const { dispatches } = await store.deliveries.lease('b', NOW, NOW + 1, 9, { accountIds: [], watchIds: [] })
      assert.deepEqual(
        dispatches.map(({ delivery }) => [delivery.eventSeq, delivery.createdAt]),
        [[2, NOW]],
      )
    })

    it('are corrected by once, by the process that sees it first, with the longer of two steps', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.open(anAccount(1), aKey(1))
      await store.clock.record(NOW + HOUR, null, 0)
      await store.sources.add(aSource(1, { dueAt: NOW + 3 * HOUR }), MAX_SOURCES)
      const found = await Promise.all([1, 2, 3].map(() => store.clock.record(NOW, NOW, HOUR + 5_000)))
      assert.deepEqual(found.map(({ setBackBy }) => setBackBy).sort(), [0, 0, HOUR + 5_000])
      assert.equal((await store.sources.find('src_1'))!.dueAt, NOW + 2 * HOUR - 5_000)
    })

    it('count ages to the latest that a process knows, and never beyond the clock', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const aged = async (now: number, agedAt: number | null) => (await store.clock.record(now, agedAt, 0)).agedAt
      assert.equal(await aged(NOW, null), NOW)
      assert.equal(await aged(NOW + 365 * DAY, NOW + HOUR), NOW + HOUR)
      assert.equal(await aged(NOW + 365 * DAY, NOW + 1), NOW + HOUR, 'another process, which is behind')
      assert.equal(await aged(NOW + 365 * DAY, null), NOW + HOUR, 'a process that starts')
      assert.equal(await aged(NOW + 5, NOW + HOUR), NOW + 5)
    })
  })
}
