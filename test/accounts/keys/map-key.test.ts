import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MapKey } from '../../../src/accounts/keys/map-key.ts'
import { startTestApp } from '../../support/app.ts'

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
