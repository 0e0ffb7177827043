import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { hashSecret, MapKey, OperatorKeyRefused, openAccount, setOperatorKey } from '../../src/accounts/keys.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { startTestApp } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/memory-store.ts'

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
