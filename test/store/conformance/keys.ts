import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Key } from '../../../src/domain/keys.ts'
import { EMPTY_MODERATION_RECORD } from '../../../src/domain/moderation.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import type { EmptyDatabase } from '../databases.ts'
import { aHistoryEntry, aKey, anAccount, aSignup, NOW, reported } from '../fixtures.ts'

const NO_CAP = { valid: 1_000, perDay: 1_000 }

export function keysConform(newDatabase: () => Promise<EmptyDatabase>): void {
  const openWith = async (database: EmptyDatabase, ...keys: Key[]) => {
    const store = await database.open()
    await store.accounts.open(anAccount(1), aKey(100))
    await store.accounts.open(anAccount(2), aKey(200, { accountId: 'acc_2' }))
    for (const key of keys) await store.keys.add(key, NO_CAP)
    return store
  }

  describe('keys', () => {
    it('are found by their hash, with their account', async () => {
      await using database = await newDatabase()
      const full = aKey(1, {
        kind: 'publishable',
        name: null,
        scopes: ['read', 'watch', 'operate'],
        origins: ['https://a.example', 'https://xn--b-gga.example:8443'],
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
      const ids = (await store.keys.list('acc_1', 100, null)).map((key) => key.id)
      assert.deepEqual(ids, ['key_4', 'key_3', 'key_2', 'key_100', 'key_1'])
      assert.deepEqual(await store.keys.list('acc_9', 100, null), [])
    })

    it('are refused if the account is unknown or the hash is taken, with an error other than StoreUnavailable', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1))
      const isPlain = (error: unknown) => error instanceof Error && !(error instanceof StoreUnavailable)
      await assert.rejects(store.keys.add(aKey(2, { accountId: 'acc_9' }), NO_CAP), isPlain)
      await assert.rejects(store.keys.add(aKey(2, { hash: aKey(1).hash }), NO_CAP), isPlain)
      assert.equal((await store.keys.list('acc_1', 100, null)).length, 2)
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
      assert.equal(await store.keys.rotate('acc_1', 'key_1', aKey(2, { createdAt: NOW }), NOW + 10, NO_CAP), true)
      assert.equal((await store.keys.findByHash(aKey(1).hash))?.key.expiresAt, NOW + 10)
      assert.deepEqual((await store.keys.findByHash(aKey(2).hash))?.key, aKey(2, { createdAt: NOW }))
    })

    it('keep an expiry that is earlier than that of the rotation', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1, { expiresAt: NOW + 3 }))
      assert.equal(await store.keys.rotate('acc_1', 'key_1', aKey(2, { createdAt: NOW }), NOW + 10, NO_CAP), true)
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
        assert.equal(await store.keys.rotate(account, id, aKey(2, { createdAt: NOW }), NOW + 10, NO_CAP), 'not_valid')
        assert.equal(await store.keys.findByHash(aKey(2).hash), null)
        assert.equal((await store.keys.findByHash(key.hash))?.key.expiresAt, key.expiresAt)
      })
    }

    it('keep the old one unchanged if the successor cannot be added', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1))
      await assert.rejects(store.keys.rotate('acc_1', 'key_1', aKey(2, { hash: aKey(1).hash }), NOW + 10, NO_CAP))
      assert.equal((await store.keys.findByHash(aKey(1).hash))?.key.expiresAt, null)
    })

    it('are capped by valid keys and by keys a day, whatever many callers add at once', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database)
      const cap = { valid: 5, perDay: 7 }
      const adds = Array.from({ length: 20 }, (_, index) => store.keys.add(aKey(index, { createdAt: NOW }), cap))
      const outcomes = await Promise.all(adds)
      assert.equal(outcomes.filter((outcome) => outcome === true).length, 4, 'and the first key of the account')
      assert.equal(outcomes.filter((outcome) => outcome === 'too_many').length, 16)
      assert.equal(await store.keys.countValid('acc_1', NOW), 5)
      const ids = (await store.keys.list('acc_1', 100, null)).map(({ id }) => id)
      for (const id of ids.slice(1)) await store.keys.revoke('acc_1', id, NOW)
      const again = [50, 51, 52].map((number) => store.keys.add(aKey(number, { createdAt: NOW }), cap))
      assert.deepEqual((await Promise.all(again)).toSorted(), ['too_many_today', true, true])
      assert.equal(await store.keys.add(aKey(60, { createdAt: NOW + 86_400_200 }), cap), true)
    })

    it('of a rotation count too, and a refused one changes nothing', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1))
      const rotate = (successor: number, valid: number) =>
        store.keys.rotate('acc_1', 'key_1', aKey(successor, { createdAt: NOW }), NOW + 10, { valid, perDay: 100 })
      assert.equal(await rotate(2, 2), 'too_many')
      assert.equal((await store.keys.findByHash(aKey(1).hash))?.key.expiresAt, null)
      assert.equal(await rotate(2, 3), true)
    })

    it('are paged, of one account or of all', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1), aKey(2), aKey(3))
      const idsOf = (keys: Key[]) => keys.map(({ id }) => id)
      assert.deepEqual(idsOf(await store.keys.list('acc_1', 2, null)), ['key_3', 'key_2'])
      assert.deepEqual(idsOf(await store.keys.list('acc_1', 2, 'key_2')), ['key_100', 'key_1'])
      assert.deepEqual(idsOf(await store.keys.list(null, 3, null)), ['key_3', 'key_200', 'key_2'])
      assert.deepEqual(await store.keys.find('key_200'), aKey(200, { accountId: 'acc_2' }))
      assert.equal(await store.keys.find('key_9'), null)
    })

    it('change their name and origins, and nothing else', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database, aKey(1, { origins: ['https://a.example'] }))
      const renamed = aKey(1, { name: null, origins: ['https://a.example'] })
      assert.deepEqual(await store.keys.change('acc_1', 'key_1', { name: null }), renamed)
      const moved = { ...renamed, origins: ['https://b.example'] }
      assert.deepEqual(await store.keys.change('acc_1', 'key_1', { origins: ['https://b.example'] }), moved)
      assert.equal(await store.keys.change('acc_2', 'key_1', { name: 'mine' }), null)
    })

    it('keep the last valid live one unless told otherwise, even if two are revoked at once', async () => {
      await using database = await newDatabase()
      const others = [aKey(1), aKey(2, { kind: 'publishable' }), aKey(3, { expiresAt: NOW })]
      await using store = await openWith(database, ...others)
      const outcomes = await Promise.all(
        ['key_1', 'key_100'].map((id) => store.keys.revoke('acc_1', id, NOW, 'refuse')),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'last_key').length, 1)
      for (const id of ['key_2', 'key_3'])
        assert.notEqual(await store.keys.revoke('acc_1', id, NOW, 'refuse'), 'last_key')
      for (const id of ['key_1', 'key_100']) await store.keys.revoke('acc_1', id, NOW, 'allow')
      assert.equal(await store.keys.countValid('acc_1', NOW), 0)
    })

    it('from the environment replace their predecessor, in its account', async () => {
      await using database = await newDatabase()
      await using store = await openWith(database)
      const fromEnvironment = (number: number) =>
        aKey(number, { accountId: 'acc_7', fromEnvironment: true, createdAt: NOW + number })
      const account = anAccount(7, { role: 'admin', email: null })
      await Promise.all([1, 1, 1].map(() => store.keys.setEnvironmentKey(account, fromEnvironment(1), NOW)))
      assert.deepEqual((await store.keys.findByHash(aKey(1).hash))?.key, fromEnvironment(1))
      const another = anAccount(8, { role: 'admin', email: null })
      await store.keys.setEnvironmentKey(another, { ...fromEnvironment(2), accountId: 'acc_8' }, NOW + 5)
      assert.equal((await store.keys.findByHash(aKey(1).hash))?.key.revokedAt, NOW + 5)
      assert.deepEqual((await store.keys.findByHash(aKey(2).hash))?.key, fromEnvironment(2))
      assert.equal(await store.accounts.find('acc_8'), null)
      assert.equal((await store.keys.findByHash(aKey(100).hash))?.key.revokedAt, null)
    })

    it('that are dead are deleted, but not if they reported something', async () => {
      await using database = await newDatabase()
      const dead = { revokedAt: NOW - 10 }
      await using store = await openWith(
        database,
        aKey(1, dead),
        aKey(2, { expiresAt: NOW - 10 }),
        aKey(3, dead),
        aKey(4),
      )
      const history = aHistoryEntry({ by: { key_id: 'key_3', account_id: 'acc_1', name: 'Ada' } })
      await store.incidents.save([{ ...reported(1), moderation: EMPTY_MODERATION_RECORD, historyEntry: history }], NOW)
      assert.equal(await store.keys.deleteDead(NOW - 10, 10), 0)
      assert.equal(await store.keys.deleteDead(NOW, 1), 1)
      assert.equal(await store.keys.deleteDead(NOW, 10), 1)
      const left = (await store.keys.list('acc_1', 100, null)).map(({ id }) => id)
      assert.deepEqual(left, ['key_4', 'key_3', 'key_100'])
      const [id] = await store.accounts.listReports('acc_1', 10, null)
      assert.equal(await store.accounts.hasReported('acc_1', id!), true)
      assert.equal(await store.accounts.hasReported('acc_2', id!), false)
      assert.deepEqual(await store.accounts.listReports('acc_1', 10, id!), [])
      assert.deepEqual(await store.accounts.listReports('acc_2', 10, null), [])
    })
  })
}

export function usageConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('usage', () => {
    it("adds up over an account's keys, per day", async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.open(anAccount(1), aKey(1))
      await store.keys.add(aKey(2), NO_CAP)
      await store.accounts.open(anAccount(2), aKey(3, { accountId: 'acc_2' }))
      const count = (keyId: string, day: string, requests: number) => ({
        keyId,
        day,
        requests,
        lastAt: Date.parse(day) + requests,
      })
      await store.usage.addCounts([])
      await store.usage.addCounts([
        count('key_1', '2026-11-15', 5),
        count('key_2', '2026-11-15', 7),
        count('key_3', '2026-11-15', 100),
        count('key_1', '2026-11-14', 1_000),
        count('key_1', '2026-11-15', 3_000_000_000),
        count('key_unknown', '2026-11-15', 1),
      ])
      await store.usage.addCounts([count('key_2', '2026-11-15', 1)])
      assert.equal(await store.usage.countRequests('acc_1', '2026-11-15'), 3_000_000_013)
      assert.equal(await store.usage.countRequests('acc_1', '2026-11-14'), 1_000)
      assert.equal(await store.usage.countRequests('acc_2', '2026-11-15'), 100)
      assert.equal(await store.usage.countRequests('acc_1', '2026-11-13'), 0)
      assert.equal(await store.usage.countRequests('acc_9', '2026-11-15'), 0)
      assert.deepEqual(await store.usage.byDay('acc_1', '2026-11-14'), [
        { day: '2026-11-14', requests: 1_000 },
        { day: '2026-11-15', requests: 3_000_000_013 },
      ])
      assert.deepEqual(await store.usage.byDay('acc_1', '2026-11-16'), [])
      const byKey = await store.usage.byKey(['key_1', 'key_3', 'key_none'], '2026-11-15')
      assert.deepEqual(
        byKey.toSorted((one, other) => one.keyId.localeCompare(other.keyId)),
        [
          { keyId: 'key_1', requests: 3_000_000_005, lastUsedAt: Date.parse('2026-11-15') + 3_000_000_000 },
          { keyId: 'key_3', requests: 100, lastUsedAt: Date.parse('2026-11-15') + 100 },
        ],
      )
      assert.deepEqual(await store.usage.byAccount(['acc_2', 'acc_9'], '2026-11-15'), [
        { accountId: 'acc_2', requests: 100 },
      ])
    })

    it('loses no counts when many callers add at once, in any order', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.accounts.open(anAccount(1), aKey(1))
      await store.keys.add(aKey(2), NO_CAP)
      const counts = ['key_1', 'key_2'].map((keyId) => ({ keyId, day: '2026-11-15', requests: 1, lastAt: 1 }))
      const adds = Array.from({ length: 30 }, (_, index) => (index % 2 ? counts : counts.toReversed()))
      await Promise.all(adds.map((each) => store.usage.addCounts(each)))
      assert.equal(await store.usage.countRequests('acc_1', '2026-11-15'), 60)
    })
  })
}

export function signupsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('signups', () => {
    it('are deleted once expired, when the next one is added', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.signups.add(aSignup(1))
      await store.signups.add(aSignup(2, { createdAt: aSignup(1).expiresAt }))
      assert.equal(await store.signups.find('token-1', 'sign_up', NOW), null)
    })

    it('are found without being used, and only for their purpose', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const link = aSignup(1, { purpose: 'recovery' })
      await store.signups.add(link)
      assert.deepEqual(await store.signups.find('token-1', 'recovery', NOW), link)
      assert.equal(await store.signups.find('token-1', 'recovery', link.expiresAt), null)
      assert.equal(await store.signups.find('token-1', 'sign_up', NOW), null)
    })
  })
}

export function mailsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('mails', () => {
    it('are counted per subject and day up to the maximum, whatever many callers do at once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const counted = await Promise.all(Array.from({ length: 12 }, () => store.mails.countMail('ada', '2026-11-15', 5)))
      assert.equal(counted.filter(Boolean).length, 5)
      assert.equal(await store.mails.countMail('ada', '2026-11-16', 5), true)
      assert.equal(await store.mails.countMail('obi', '2026-11-15', 5), true)
      assert.equal(await store.mails.countMail('none', '2026-11-15', 0), false)
    })

    it('stay counted when the store is opened again, until their day is deleted', async () => {
      await using database = await newDatabase()
      if (!database.shared) return
      {
        await using store = await database.open()
        assert.equal(await store.mails.countMail('ada', '2026-11-15', 1), true)
      }
      await using store = await database.open()
      assert.equal(await store.mails.countMail('ada', '2026-11-15', 1), false)
      await store.mails.deleteBefore('2026-11-15')
      assert.equal(await store.mails.countMail('ada', '2026-11-15', 1), false)
      await store.mails.deleteBefore('2026-11-16')
      assert.equal(await store.mails.countMail('ada', '2026-11-15', 1), true)
    })
  })
}
