import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { machine } from '../../src/lib/runtime.ts'
import { SCHEMA } from '../../src/version.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident, aReport } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

const NEWER = SCHEMA + 1
const NEWER_NODE = `another-machine/1/a/${NEWER}`

/** Its timers run twenty times as fast: heartbeats are 1.5 seconds apart. */
const runtime = { ...machine, setTimeout: (call: () => void, ms: number) => machine.setTimeout(call, ms / 20) }

interface Upgrading extends AsyncDisposable {
  readonly app: TestApp
  readonly key: string
  /** Does to the database as a newer build would. */
  migrate(sql: string): void
  /** Lets another node record heartbeats, until it is disposed of. */
  newerNode(): AsyncDisposable
}

async function upgrading(settings: Record<string, string> = {}): Promise<Upgrading> {
  const scope = new AsyncDisposableStack()
  const folder = scope.use(await temporaryFolder())
  const path = join(folder.path, 'feed.db')
  const app = scope.use(await startTestApp({ DATABASE_URL: `sqlite:${path}`, ...settings }, { runtime }))
  const { text: key } = await app.issue({ scopes: ['read', 'watch', 'report', 'review', 'operate'] })
  const database = new DatabaseSync(path, { timeout: 10_000 })
  scope.defer(() => database.close())
  return {
    app,
    key,
    migrate: (sql) => database.exec(sql),
    newerNode() {
      let isAlive = true
      const beating = (async () => {
        while (isAlive) {
          await app.store.owners.recordHeartbeat(NEWER_NODE)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        const { heartbeats } = await app.store.owners.recordHeartbeat(NEWER_NODE)
        const own = heartbeats.find(({ owner }) => owner === NEWER_NODE)!
        await app.store.owners.releaseLeases(own, Date.now(), false)
      })()
      return {
        async [Symbol.asyncDispose]() {
          isAlive = false
          await beating
        },
      }
    },
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

async function leads({ app }: Upgrading): Promise<boolean> {
  const text = await (await app.get('/metrics', null)).text()
  return /^incident_feed_fan_out_leader 1$/m.test(text)
}

const STARTED_AT = Date.now()

/** Whether a node has the lease of polling. By this time, it does not run out by itself. */
async function polls({ app }: Upgrading): Promise<boolean> {
  return !(await app.store.sources.lease(NEWER_NODE, STARTED_AT, STARTED_AT))
}

const readiness = async ({ app }: Upgrading) => {
  const response = await app.get('/readyz', null)
  const { status, reason, schema } = (await response.json()) as { status: string; reason?: string; schema: number }
  return { code: response.status, status, reason, schema }
}

test('beside a newer node, the service reads and writes and leaves deliveries alone, until that one is gone', async () => {
  await using endpoint = await startEndpoint()
  await using scene = await upgrading({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  const { app, key } = scene
  await until(() => leads(scene), 'the lead')
  assert.equal(
    (await app.post('/v1/admin/sources', { url: `${app.url}/healthz`, publisher: 'Herald' }, key)).status,
    201,
  )
  await until(() => polls(scene), 'the first poll')
  const newer = scene.newerNode()
  scene.migrate(`INSERT INTO later_versions VALUES (${NEWER}); ALTER TABLE events ADD COLUMN of_a_newer_build INTEGER`)
  await until(async () => !(await leads(scene)) && !(await polls(scene)), 'the hand-over')
  assert.notEqual(await app.store.fanOut.lease(NEWER_NODE, Date.now(), Date.now() + 1), null)

  assert.equal((await app.post('/v1/watches', { name: 'All', url: endpoint.url, filter: {} }, key)).status, 201)
  const report = await app.post('/v1/reports', aReport({}), key)
  assert.equal(report.status, 201)
  const { id } = (await report.json()) as { id: string }
  assert.equal((await app.post(`/v1/desk/incidents/${id}/confirm`, {}, key)).status, 200)
  await until(async () => (await app.get(`/v1/incidents/${id}`, key)).status === 200, 'the incident')
  const { code, status, schema } = await readiness(scene)
  assert.deepEqual([code, status, schema], [200, 'ready', NEWER])
  assert.deepEqual(endpoint.messages, [])

  await newer[Symbol.asyncDispose]()
  await until(() => endpoint.messages.length > 0, 'the delivery')
  assert.ok(await leads(scene))
  assert.equal(endpoint.messages.length, 1)
})

test('a database that needs a newer build is read, and not written to; its node is not ready once there is a newer one', async () => {
  await using scene = await upgrading()
  const { app, key } = scene
  await app.publish([anIncident(1)])
  scene.migrate(`INSERT INTO schema_version VALUES (${NEWER})`)
  const write = () => app.post('/v1/watches', { name: 'All', url: 'https://example.org/', filter: {} }, key)
  await until(async () => (await write()).status === 503, 'a refusal')
  const refused = await write()
  assert.equal(refused.headers.get('retry-after'), '2')
  const { code, detail } = await problemOf(refused)
  assert.equal(code, 'newer_schema')
  assert.equal(
    detail,
    `The database has schema version ${NEWER}, for builds that know ${NEWER} or later; this node knows up to ${SCHEMA}. Nothing was written; a newer node can do it.`,
  )
  const form = await fetch(`${app.url}/alerts`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'a@example.org' }),
  })
  assert.equal(form.status, 503)
  assert.equal((await app.get('/v1/incidents', key)).status, 200)
  assert.equal((await app.post('/v1/incidents/query', {}, key)).status, 200, 'a POST that only reads')
  await until(async () => !(await leads(scene)), 'the end of its lead')
  assert.equal((await readiness(scene)).code, 200, 'one that reads is better than none')

  await using _newer = scene.newerNode()
  await until(async () => (await readiness(scene)).code === 503, 'the readiness')
  const { status, reason } = await readiness(scene)
  assert.equal(status, 'outdated')
  assert.match(reason!, new RegExp(`schema version ${NEWER}.* ${SCHEMA}\\.$`))
  assert.equal((await app.get('/v1/incidents', key)).status, 200)
})

test('what a newer schema does not allow any more is 503 with the reason, and not an error of the service', async () => {
  await using scene = await upgrading()
  const { app, key } = scene
  scene.migrate(`INSERT INTO later_versions VALUES (${NEWER}); ALTER TABLE areas RENAME COLUMN name TO title`)
  const refused = await app.get('/v1/areas', key)
  assert.equal(refused.status, 503)
  assert.equal((await problemOf(refused)).code, 'newer_schema')
})
