import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { openAccount } from '../../src/accounts/keys.ts'
import { start } from '../../src/app.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { machine } from '../../src/lib/runtime.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { proxyTo } from '../store/databases.ts'
import { override, problemOf, startTestApp, until } from '../support/app.ts'
import { execute } from '../support/databases/postgres.ts'
import { type Server, startServer } from '../support/databases/postgres-server.ts'
import { TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { anIncident } from '../support/incident.ts'
import { readStream } from '../support/readers.ts'

let server: Server
before(async () => {
  server = await startServer()
})
after(() => server[Symbol.asyncDispose]())

async function newDatabase(name: string): Promise<string> {
  await execute(server.url, `CREATE DATABASE ${name}`)
  return server.url.replace(/[^/]+$/, name)
}

test('without the database reads work and writes are 503; writes work again once it is back', async () => {
  await using app = await startTestApp({ DATABASE_URL: await newDatabase('one') })
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

test('a node that cannot read the log says so: in headers, in heartbeats, and then by not being ready', async () => {
  let offset = 0
  const runtime = { ...machine, elapsed: () => machine.elapsed() + offset }
  await using app = await startTestApp(
    { DATABASE_URL: await newDatabase('two'), READY_MAX_BEHIND: '60' },
    { streams: { heartbeatIntervalMs: 60 }, runtime },
  )
  await app.publish([anIncident(1)])
  const { text } = await app.issue()
  const read = async (path: string, headers = {}) => {
    const response = await app.get(path, text, headers)
    const stale = response.headers.get('stale-seconds')
    return { status: response.status, stale, etag: response.headers.get('etag'), body: await response.text() }
  }
  const inStepAt = (body: string) => (JSON.parse(body) as { meta: { in_step_at: string } }).meta.in_step_at
  await using stream = await readStream(`${app.url}/v1/stream`, text)
  const inStep = await read('/v1/incidents')
  assert.equal(inStep.stale, null)
  await server.stop()
  offset += 30_000
  await until(async () => (await read('/v1/incidents')).stale !== null, 'a stale answer')
  const behind = await read('/v1/incidents')
  assert.ok(Number(behind.stale) > 4)
  assert.equal(behind.etag, inStep.etag)
  const lastInStep = inStepAt(behind.body)
  assert.ok(lastInStep >= inStepAt(inStep.body))
  for (const path of ['/v1/stats?group_by=state', '/v1/changes?after=0', '/v1/archive'])
    assert.equal(inStepAt((await read(path)).body), lastInStep, path)
  const unchanged = await read('/v1/incidents', { 'if-none-match': inStep.etag! })
  assert.equal(unchanged.status, 304)
  assert.ok(Number(unchanged.stale) > 4)
  await until(() => stream.blocks.at(-1)!.includes(`"in_step_at":"${lastInStep}"`), 'the heartbeat')
  assert.equal((await fetch(`${app.url}/readyz`)).status, 200)
  offset += 30_000
  await until(async () => (await fetch(`${app.url}/readyz`)).status === 503, 'a node that is not ready')
  const ready = (await (await fetch(`${app.url}/readyz`)).json()) as Record<string, unknown>
  assert.deepEqual([ready.status, ready.in_step_at], ['behind', lastInStep])
  assert.match(String(ready.reason), /could not read the log for \d+ s; at most 60 s are allowed/)
  assert.equal((await fetch(`${app.url}/readyz?max_behind=1000`)).status, 200)
  await server.start()
  await until(async () => (await fetch(`${app.url}/readyz`)).status === 200, 'a ready node')
  const after = await read('/v1/incidents', { 'if-none-match': inStep.etag! })
  assert.deepEqual([after.status, after.stale], [304, '0'])
  assert.ok(inStepAt((await read('/v1/incidents')).body) > lastInStep)
})

test('a node that knows of the outage asks the database nothing for a key it has seen, and notices the return by itself', async () => {
  await using proxy = await proxyTo(await newDatabase('four'))
  let offset = 0
  await using app = await startTestApp({ DATABASE_URL: proxy.url }, { clock: () => Date.now() + offset })
  const { store } = app
  await app.publish([anIncident(1)])
  const keys = await Promise.all(Array.from({ length: 5 }, async () => (await app.issue()).text))
  for (const key of keys) assert.equal((await app.get('/v1/incidents', key)).status, 200)
  proxy.freeze()
  await until(() => store.isAway(), 'a node that knows of the outage')
  const asked: string[] = []
  const refuse = (what: string) => () => {
    asked.push(what)
    return Promise.reject(new StoreUnavailable('away'))
  }
  const { keys: storedKeys, quotas } = store
  override(store, 'keys', { findByHash: refuse('key') })
  override(store, 'quotas', { reserve: refuse('quota') })
  // By then, keys are to be read again and limits to be counted anew.
  offset += 120_000
  for (const key of keys) assert.equal((await app.get('/v1/incidents', key)).status, 200)
  assert.deepEqual(asked, [])
  Object.assign(store, { keys: storedKeys, quotas })
  proxy.thaw()
  await until(() => !store.isAway(), 'a node that knows of the return')
})

test('a service that starts before its database responds 503 `starting`, and is ready once the database is', async () => {
  const DATABASE_URL = await newDatabase('three')
  await server.stop()
  const config = readConfig({ DATABASE_URL, PORT: '0', SECRETS_KEY: TEST_SECRETS_KEY }, [])
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
