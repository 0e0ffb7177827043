import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { withWatchesAt } from './deliveries/fixtures.ts'
import { proxyTo } from './store/databases.ts'
import { appendTo, newDelivery } from './store/fixtures.ts'
import { problemOf, startTestApp, type TestApp, until } from './support/app.ts'
import { testDatabase } from './support/databases/postgres.ts'
import { aReport } from './support/incident.ts'
import { readStream } from './support/readers.ts'
import { startEndpoint } from './support/receivers.ts'
import { postSession, SoftwarePasskey, sendByCookie, signIn } from './support/sign-in.ts'

const NODES = 3

/** Complete services that share only the database. */
let nodes: readonly TestApp[]
/** Between them and the database. */
let proxy: Awaited<ReturnType<typeof proxyTo>>
const scope = new AsyncDisposableStack()
before(async () => {
  const database = scope.use(await testDatabase())
  proxy = scope.use(await proxyTo(database.url))
  const settings = {
    DATABASE_URL: proxy.url,
    PUBLIC_URL: 'http://localhost:1',
    SIGNUPS_PER_HOUR: '2',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  // Heartbeats also check streams; here they come too late to affect the test.
  const options = { streams: { heartbeatIntervalMs: 3_600_000 } }
  const started: TestApp[] = []
  for (let node = 0; node < NODES; node++) started.push(scope.use(await startTestApp(settings, options)))
  nodes = started
})
after(() => scope.disposeAsync())

/** Counts the accepted requests, sent to the nodes in turn. */
async function letIn(key: string, requests: number, nodeOf = (request: number) => request) {
  const asked = Array.from({ length: requests }, async (_, request) => {
    const response = await nodes[nodeOf(request) % nodes.length]!.get('/v1/taxonomy', key)
    await response.arrayBuffer()
    return response.status
  })
  return (await Promise.all(asked)).filter((status) => status === 200).length
}

describe('three nodes on one database', () => {
  it('all send due deliveries, and each message once', async () => {
    await using endpoint = await startEndpoint()
    const watches = 500
    // The fan-out would hand its deliveries to its own node first; this one is due for any node.
    await withWatchesAt(nodes[0]!.store, watches, endpoint.url, { events: ['incident.retracted'] })
    await appendTo(nodes[0]!.store, 2)
    for (const seq of [1, 2]) {
      const all = Array.from({ length: watches }, (_, index) => newDelivery(index + 1, seq))
      await nodes[0]!.store.deliveries.add(all, Date.now())
    }
    await until(() => endpoint.messages.length >= 2 * watches, 'all messages')
    assert.equal(new Set(endpoint.messages.map(({ json }) => json.id)).size, 2 * watches)
    assert.equal(endpoint.messages.length, 2 * watches)
    for (const node of nodes) {
      const metrics = await (await fetch(`${node.url}/metrics`)).text()
      assert.match(metrics, /^incident_feed_delivery_attempts_total\{channel="webhook",outcome="delivered"\} [1-9]/m)
    }
  })

  it('allow a caller as many requests as one node would, concurrent or sequential, on all nodes or on one', async () => {
    for (const limit of [5, 60]) {
      const issue = async () => (await nodes[0]!.issue({ ratePerMinute: limit })).text
      assert.equal(await letIn(await issue(), limit * 4), limit, 'a burst on all')
      assert.equal(await letIn(await issue(), limit * 2, () => 1), limit, 'a burst on one')
      const key = await issue()
      let steady = 0
      for (let round = 0; round < limit; round++) steady += await letIn(key, 2, (request) => round + request)
      assert.ok(steady <= limit && steady >= limit * 0.9, `steady overload: ${steady} of ${limit}`)
    }
  })

  it('know a session and a challenge of another node, and end a session everywhere', async () => {
    const [here, there] = nodes as [TestApp, TestApp]
    const person = await signIn(here, 'editor')
    const on = (node: TestApp, method: string, path: string, body?: unknown) =>
      sendByCookie(node.url, person.cookie, method, path, body)
    const challengeAt = async (node: TestApp, purpose: string) =>
      ((await (await on(node, 'POST', '/v1/passkeys/options', { for: purpose })).json()) as { challenge: string })
        .challenge
    const passkey = new SoftwarePasskey('http://localhost:1')
    const credential = passkey.register(await challengeAt(here, 'registration'))
    assert.equal((await on(there, 'POST', '/v1/passkeys', { credential })).status, 201)
    const assertion = passkey.signIn(await challengeAt(there, 'sign_in'))
    assert.equal((await postSession(here.url, { passkey: assertion })).status, 201)
    assert.equal((await postSession(there.url, { passkey: assertion })).status, 401, 'a challenge was used twice')
    const stream = await fetch(`${there.url}/v1/stream`, { headers: { cookie: person.cookie } })
    assert.equal(stream.status, 200)
    assert.equal((await on(here, 'DELETE', '/v1/sessions')).status, 204)
    for await (const _chunk of stream.body!);
    // The other node knows a session for a second without asking.
    await until(async () => (await on(there, 'GET', '/v1/me')).status === 401, 'the end of the session')
    assert.equal((await problemOf(await on(there, 'GET', '/v1/me'))).code, 'session_ended')
  })

  it('report the same remaining quota, and refuse alike', async () => {
    const { text } = await nodes[0]!.issue({ ratePerMinute: 3 })
    const left: (string | undefined)[] = []
    for (const node of nodes) left.push((await node.get('/v1/taxonomy', text)).headers.get('ratelimit')?.slice(0, 12))
    assert.deepEqual(left, ['"minute";r=2', '"minute";r=1', '"minute";r=0'])
    for (const node of nodes) {
      const refused = await node.get('/v1/taxonomy', text)
      assert.match(refused.headers.get('retry-after')!, /^[1-5]?\d$|^60$/)
      assert.equal((await problemOf(refused)).code, 'rate_limited')
    }
  })

  it('issue an address as many keys per hour as one node would', async () => {
    const statuses: number[] = []
    for (const node of nodes) statuses.push((await node.post('/v1/keys', { email: 'a@example.org' }, null)).status)
    assert.deepEqual(statuses, [201, 201, 429])
  })

  it('all refuse a key revoked on one, and end its streams', async () => {
    const { text, key } = await nodes[0]!.issue()
    await using scope = new AsyncDisposableStack()
    const readers = []
    for (const node of nodes) readers.push(scope.use(await readStream(`${node.url}/v1/stream`, text)))
    assert.equal((await nodes[0]!.delete(`/v1/keys/${key.id}?confirm=last`, text)).status, 200)
    for (const node of nodes) await until(async () => (await node.get('/v1/me', text)).status === 401, 'a refusal')
    await Promise.all(readers.map(({ ended }) => ended))
  })

  it('all list and stream an incident confirmed on any of them, with the same bytes and the same seq', async () => {
    const { text } = await nodes[0]!.issue()
    await using scope = new AsyncDisposableStack()
    const readers = []
    for (const node of nodes) readers.push(scope.use(await readStream(`${node.url}/v1/stream`, text)))
    const { seq: before } = await nodes[0]!.store.events.head()
    const ids: string[] = []
    for (const node of nodes) ids.push(await confirmedOn(node))
    for (const node of nodes) await until(() => ids.every((id) => node.archive.slotOf(id) !== null))
    const lists = await Promise.all(nodes.map(async (node) => (await node.get('/v1/incidents', text)).text()))
    // Each node has its own time of being in step; every other byte is shared.
    assert.equal(new Set(lists.map((list) => list.replace(/"in_step_at":"[^"]+"/, ''))).size, 1)
    for (const reader of readers) {
      await until(() => reader.changes.length === NODES)
      assert.deepEqual(
        reader.changes.map(({ seq, incident_id }) => [seq, incident_id]),
        ids.map((id, index) => [before + index + 1, id]),
      )
    }
  })

  // The last, because no notification arrives from here on.
  it('learn of a revoked key and of an incident without notifications', async () => {
    const { text, key } = await nodes[0]!.issue()
    await using reader = await readStream(`${nodes[1]!.url}/v1/stream`, text)
    proxy.dropNotifications()
    const id = await confirmedOn(nodes[0]!)
    for (const node of nodes) await until(() => node.archive.slotOf(id) !== null, 'the incident')
    await until(() => reader.changes.length === 1, 'the incident in the stream')
    await nodes[2]!.store.keys.revoke(key.accountId, key.id, Date.now())
    for (const node of nodes) await until(async () => (await node.get('/v1/me', text)).status === 401, 'a refusal')
    await reader.ended
  })
})

async function confirmedOn(node: TestApp): Promise<string> {
  const { text } = await node.issue({ scopes: ['read', 'operate'] })
  const { id } = (await (await node.post('/v1/reports', aReport(), text)).json()) as { id: string }
  assert.equal((await node.post(`/v1/desk/incidents/${id}/confirm`, {}, text)).status, 200)
  return id
}
