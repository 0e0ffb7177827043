import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pino from 'pino'
import { openAccount } from '../../src/accounts/keys/issue.ts'
import { start } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { generateKey } from '../../src/domain/key.ts'
import { problemOf, startTestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { startServer } from '../support/postgres-server.ts'

test('without the database reads work and writes are 503; writes work again once it is back', async () => {
  await using server = await startServer()
  await using app = await startTestApp({ DATABASE_URL: server.url })
  await app.publish([anIncident(1)])
  const { text } = await app.issue()
  assert.equal((await app.get('/v1/incidents', text)).status, 200)
  await server.stop()
  await until(async () => {
    const response = await app.post('/v1/keys', { email: 'a@example.org' }, null)
    return (
      response.status === 503 &&
      response.headers.get('retry-after') === '5' &&
      (await problemOf(response)).code === 'store_unavailable'
    )
  }, 'a clear 503')
  assert.equal((await app.get('/v1/incidents', text)).status, 200)
  assert.equal((await fetch(`${app.url}/readyz`)).status, 200)
  await server.start()
  await until(
    async () => (await app.post('/v1/keys', { email: 'a@example.org' }, null)).status === 201,
    'the first write after',
  )
  await until(
    () =>
      app.publish([anIncident(2)]).then(
        () => true,
        () => false,
      ),
    'the first incident after',
  )
  const { data } = (await (await app.get('/v1/incidents', text)).json()) as { data: { id: string }[] }
  assert.deepEqual(
    data.map(({ id }) => id),
    [anIncident(2).id, anIncident(1).id],
  )
})

test('a service that starts before its database responds 503 `starting`, and is ready once the database is', async () => {
  await using server = await startServer()
  await server.stop()
  const config = readConfig({ DATABASE_URL: server.url, PORT: '0' }, [])
  await using app = await start(config, { logger: pino({ level: 'silent' }) })
  assert.equal((await fetch(`${app.url}/healthz`)).status, 200)
  assert.equal((await fetch(`${app.url}/readyz`)).status, 503)
  const page = await fetch(app.url)
  assert.equal(page.status, 503)
  assert.match(await page.text(), /The service is starting/)
  const key = generateKey('live', randomBytes)
  assert.equal(
    (await problemOf(await fetch(`${app.url}/v1/incidents`, { headers: { authorization: `Bearer ${key}` } }))).code,
    'starting',
  )
  await server.start()
  const { store } = await app.ready
  const { text } = await openAccount(store, { email: null, name: null }, {}, Date.now())
  assert.equal((await fetch(`${app.url}/v1/incidents`, { headers: { authorization: `Bearer ${text}` } })).status, 200)
})

test('a SQLite file that another process has locked is 503, and works again once it is unlocked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-'))
  try {
    const file = join(folder, 'held.db')
    await using app = await startTestApp({ DATABASE_URL: `sqlite:${file}` })
    const holder = new DatabaseSync(file)
    holder.exec('BEGIN EXCLUSIVE')
    assert.equal(
      (await problemOf(await app.post('/v1/keys', { email: 'a@example.org' }, null))).code,
      'store_unavailable',
    )
    holder.exec('ROLLBACK')
    holder.close()
    assert.equal((await app.post('/v1/keys', { email: 'a@example.org' }, null)).status, 201)
  } finally {
    await rm(folder, { recursive: true })
  }
})
