import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { AnswerTrimmer, enforceTotalBounds } from '../../src/accounts/idempotency-bounds.ts'
import { KeyCache } from '../../src/accounts/key-cache.ts'
import { hashSecret, MapKey, OperatorKeyRefused, openAccount, setOperatorKey } from '../../src/accounts/keys.ts'
import { dayOf, UsageMeter } from '../../src/accounts/usage-meter.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { machine } from '../../src/lib/runtime.ts'
import { type Keys, StoreUnavailable } from '../../src/store/store.ts'
import { claimAs, NOW } from '../store/fixtures.ts'
import { startTestApp } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'

const DAY = 86_400_000

test('the map’s key can only read, and is renewed before the old one expires', async () => {
  let now = Date.UTC(2026, 10, 15)
  await using app = await startTestApp({}, { clock: () => now })
  const mapKey = new MapKey()
  assert.equal(mapKey.text, null)
  await mapKey.renew(app.store, now)
  const first = mapKey.text!
  assert.match(first, /^inf_pub_/)
  assert.equal((await app.get('/v1/incidents', first)).status, 200)
  assert.equal((await app.get('/v1/desk/incidents', first)).status, 403)

  now += 2 * DAY
  await mapKey.renew(app.store, now)
  assert.equal(mapKey.text, first)

  now += 2 * DAY
  await mapKey.renew(app.store, now)
  assert.notEqual(mapKey.text, first)
  assert.equal((await app.get('/v1/incidents', first)).status, 200)
  now += 4 * DAY
  assert.equal((await app.get('/v1/incidents', first)).status, 401)
  assert.equal((await app.get('/v1/incidents', mapKey.text)).status, 200)
})

const aKey = () => generateKey('live', randomBytes)

test('replacing OPERATOR_KEY revokes the one before, in the same account', async () => {
  await using store = await openMemoryStore()
  const [old, next] = [aKey(), aKey()]
  await setOperatorKey(store, old, 1000)
  await setOperatorKey(store, old, 2000)
  const before = (await store.keys.findByHash(hashSecret(old)))!
  assert.deepEqual([before.key.revokedAt, before.account.role], [null, 'admin'])
  const manual = await openAccount(store, { email: null, name: null }, { scopes: ['read', 'operate'] }, 2000)
  await setOperatorKey(store, next, 3000)
  assert.equal((await store.keys.findByHash(hashSecret(old)))!.key.revokedAt, 3000)
  const after = (await store.keys.findByHash(hashSecret(next)))!
  assert.deepEqual([after.key.revokedAt, after.account.id], [null, before.account.id])
  assert.equal((await store.keys.find(manual.key.id))!.revokedAt, null)
})

test('a revoked, expired or weaker key as OPERATOR_KEY is refused with a sentence', async () => {
  await using store = await openMemoryStore()
  const [old, next] = [aKey(), aKey()]
  await setOperatorKey(store, old, 1000)
  await setOperatorKey(store, next, 2000)
  const refuses = (text: string, message: RegExp) =>
    assert.rejects(setOperatorKey(store, text, 9000), (error) => {
      assert.ok(error instanceof OperatorKeyRefused)
      assert.match(error.message, message)
      return true
    })
  await refuses(old, /was revoked; generate another with: incident-feed keys generate/)
  const client = await openAccount(store, { email: null, name: null }, {}, 1000)
  await refuses(client.text, /lacks the scope operate/)
  const operate = { scopes: ['read', 'operate'], expiresAt: 5000 } as const
  await refuses((await openAccount(store, { email: null, name: null }, operate, 1000)).text, /expired/)
  assert.equal((await store.keys.findByHash(hashSecret(next)))!.key.revokedAt, null)
})

test('an empty setting without a default counts as absent', () => {
  const config = readConfig({ OPERATOR_KEY: '', SMTP_URL: '', PUBLIC_URL: '' }, [])
  assert.deepEqual([config.OPERATOR_KEY, config.SMTP_URL, config.PUBLIC_URL], [null, null, null])
  assert.equal(readConfig({ STREAMS_PER_KEY: '7' }, []).STREAMS_PER_ACCOUNT, 7)
})

async function storeWithKey() {
  const store = await openMemoryStore()
  const { key } = await openAccount(store, { email: null, name: null }, {}, 0)
  let reads = 0
  let away = false
  const keys = {
    findByHash(hash: string) {
      reads++
      return away ? Promise.reject(new StoreUnavailable('away')) : store.keys.findByHash(hash)
    },
  } as Keys
  return { store, key, keys: () => keys, reads: () => reads, makeUnavailable: () => (away = true) }
}

test('a key is read from the store once per second, even with many requests', async () => {
  const { store, key, keys, reads } = await storeWithKey()
  await using _store = store
  let now = 10_000
  const cache = new KeyCache(
    () => now,
    machine,
    () => false,
  )
  const found = await Promise.all(Array.from({ length: 50 }, () => cache.find(key.hash, keys)))
  assert.ok(found.every((holder) => holder?.key.id === key.id))
  assert.equal(reads(), 1)
  assert.equal(cache.peek(key.hash)?.key.id, key.id)
  now += 999
  assert.ok(cache.peek(key.hash))
  now += 1
  assert.equal(cache.peek(key.hash), undefined)
})

test('an unknown key is cached too', async () => {
  const { store, keys } = await storeWithKey()
  await using _store = store
  const cache = new KeyCache(
    () => 0,
    machine,
    () => false,
  )
  assert.equal(cache.peek('nothing'), undefined)
  assert.equal(await cache.find('nothing', keys), null)
  assert.equal(cache.peek('nothing'), null)
})

test('during an outage of the store cached keys are found, and other keys are refused', async () => {
  const { store, key, keys, makeUnavailable } = await storeWithKey()
  await using _store = store
  let now = 0
  const cache = new KeyCache(
    () => now,
    machine,
    () => false,
  )
  await cache.find(key.hash, keys)
  makeUnavailable()
  now += 60_000
  assert.equal((await cache.find(key.hash, keys))?.key.id, key.id)
  await assert.rejects(cache.find('stranger', keys), StoreUnavailable)
})

test('while the store hangs, a cached key is found without waiting', async () => {
  const { store, key } = await storeWithKey()
  await using _store = store
  let now = 0
  const cache = new KeyCache(
    () => now,
    machine,
    () => false,
  )
  await cache.find(key.hash, () => store.keys)
  const hanging = { findByHash: () => new Promise(() => {}) } as unknown as Keys
  now += 60_000
  assert.equal(cache.peek(key.hash), undefined)
  assert.equal((await cache.find(key.hash, () => hanging))?.key.id, key.id)
  now += 500
  assert.equal(cache.peek(key.hash)?.key.id, key.id, 'found at once, while the read is still pending')
})

test('while the store is away, cached keys are found without asking it, and asked for once it is back', async () => {
  const { store, key, keys, reads } = await storeWithKey()
  await using _store = store
  let now = 0
  let isAway = false
  const cache = new KeyCache(
    () => now,
    machine,
    () => isAway,
  )
  await cache.find(key.hash, keys)
  await cache.find('unknown', keys)
  now += 60_000
  isAway = true
  for (let request = 0; request < 3; request++) assert.equal(cache.peek(key.hash)?.key.id, key.id)
  assert.equal(reads(), 2)
  assert.equal(cache.peek('unknown'), undefined, 'it may have been issued meanwhile')
  isAway = false
  assert.equal(cache.peek(key.hash), undefined)
})

test('many unknown keys do not evict a known key', async () => {
  const { store, key } = await storeWithKey()
  await using _store = store
  const cache = new KeyCache(
    () => 0,
    machine,
    () => false,
  )
  await cache.find(key.hash, () => store.keys)
  const none = { findByHash: () => Promise.resolve(null) } as unknown as Keys
  for (let guess = 0; guess < 120_000; guess++) await cache.find(String(guess), () => none)
  assert.equal(cache.peek(key.hash)?.key.id, key.id)
})

test('the cache holds at most 40,000 known and 10,000 unknown keys', async () => {
  const { store, key } = await storeWithKey()
  await using _store = store
  const holder = (await store.keys.findByHash(key.hash))!
  const cache = new KeyCache(
    () => 0,
    machine,
    () => false,
  )
  const all = { findByHash: () => Promise.resolve(holder) } as unknown as Keys
  const none = { findByHash: () => Promise.resolve(null) } as unknown as Keys
  for (let number = 0; number < 40_100; number++) await cache.find(`known ${number}`, () => all)
  for (let number = 0; number < 10_100; number++) await cache.find(`unknown ${number}`, () => none)
  assert.deepEqual(cache.size, { known: 40_000, unknown: 10_000 })
  assert.equal(cache.peek('known 99'), undefined)
  assert.ok(cache.peek('known 100'))
})

const MIDNIGHT = Date.parse('2026-11-15T00:00:00Z')

/** Sums the counts by key and day: the meter may split them. */
function totals(meter: UsageMeter): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { keyId, day, requests } of meter.drain())
    sums[`${keyId} ${day}`] = (sums[`${keyId} ${day}`] ?? 0) + requests
  return sums
}

test('requests are counted per key and day, and drained once', () => {
  const meter = new UsageMeter()
  const requests = [
    ['a', -1],
    ['a', -1],
    ['b', -1],
    ['a', 0],
    ['a', 5],
  ] as const
  for (const [key, time] of requests) meter.countRequest(key, MIDNIGHT + time)
  assert.deepEqual(totals(meter), { 'a 2026-11-14': 2, 'b 2026-11-14': 1, 'a 2026-11-15': 2 })
  assert.deepEqual(meter.drain(), [])
})

test('counts of requests that could not be stored are added again', () => {
  const meter = new UsageMeter()
  meter.countRequest('a', MIDNIGHT)
  const counts = meter.drain()
  meter.countRequest('a', MIDNIGHT)
  meter.restore([...counts, { keyId: 'a', day: '2026-11-01', requests: 7, lastAt: 0 }])
  meter.countRequest('a', MIDNIGHT)
  assert.deepEqual(totals(meter), { 'a 2026-11-01': 7, 'a 2026-11-15': 3 })
})

test('the day of a request is in UTC, even if the clock goes back', () => {
  const days = [MIDNIGHT, MIDNIGHT - 1, MIDNIGHT].map(dayOf)
  assert.deepEqual(days, ['2026-11-15', '2026-11-14', '2026-11-15'])
})

const BOUNDS = { entries: 10, bytes: 1_000 }

test("a subject's idempotent answers are trimmed after a hundred of them, or a mebibyte", async () => {
  const trimmed: string[] = []
  const idempotency = {
    trim: async (subject: string) => {
      trimmed.push(subject)
      return 0
    },
  }
  const trimmer = new AnswerTrimmer()
  for (let count = 1; count <= 99; count++) await trimmer.countAnswer(idempotency, 'many', BOUNDS, 10)
  await trimmer.countAnswer(idempotency, 'large', BOUNDS, 1 << 19)
  assert.deepEqual(trimmed, [])
  await trimmer.countAnswer(idempotency, 'many', BOUNDS, 10)
  await trimmer.countAnswer(idempotency, 'large', BOUNDS, 1 << 19)
  await trimmer.countAnswer(idempotency, 'many', BOUNDS, 10)
  assert.deepEqual(trimmed, ['many', 'large'])
})

test('above the total, the subjects with the most answers lose their oldest, and others nothing', async () => {
  await using store = await openMemoryStore()
  const { idempotency } = store
  const store100 = async (subject: string, count: number) => {
    for (let number = 1; number <= count; number++) {
      const holder = { id: `${subject} ${number}`, token: 'token' }
      await claimAs(idempotency, holder.id, NOW + number, { subject, ...holder })
      await idempotency.finish(holder, new Uint8Array(100))
    }
  }
  for (let number = 1; number <= 25; number++) await store100(`small ${number}`, 2)
  await store100('attacker 1', 80)
  await store100('attacker 2', 80)
  await enforceTotalBounds(idempotency, { entries: 150, bytes: 1_000_000 })
  const { entries, largest } = await idempotency.usage(30)
  assert.ok(entries <= 150, `${entries} entries`)
  const small = largest.filter(({ subject }) => subject.startsWith('small'))
  assert.equal(small.length, 25)
  assert.equal((await claimAs(idempotency, 'attacker 1 80', NOW)).state, 'finished')
  await enforceTotalBounds(idempotency, { entries: 10_000, bytes: 5_000 })
  assert.ok((await idempotency.usage(1)).bytes <= 5_000)
})
