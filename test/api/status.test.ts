import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { PROBE_HEADER, type ProbeAnswer, proofFor, signProbe } from '../../src/api/status.ts'
import { newTipSecret } from '../../src/desk/tips/challenges.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

describe('status', () => {
  const DAY_MS = 24 * 3_600_000

  interface Status {
    readonly status: string
    readonly at: string
    readonly in_step_since: string | null
    readonly in_step_at: string
    readonly last_confirmed_at: string | null
    readonly incidents_24h: number
    readonly deliveries_24h: { measured: number; p50_seconds: number | null; p99_seconds: number | null }
    readonly sources: Record<string, number>
  }

  async function statusOf(app: TestApp): Promise<Status> {
    const response = await app.get('/v1/status', null)
    assert.equal(response.status, 200)
    return (await response.json()) as Status
  }

  test('an empty service is in step since its start, and has neither confirmed nor delivered anything', async () => {
    const before = Date.now()
    await using app = await startTestApp()
    const status = await statusOf(app)
    const since = Date.parse(status.in_step_since!)
    assert.ok(since >= before && since <= Date.now())
    assert.ok(Date.parse(status.in_step_at) >= since)
    const { at: _, in_step_since: __, in_step_at: ___, ...rest } = status
    assert.deepEqual(rest, {
      status: 'ok',
      last_confirmed_at: null,
      incidents_24h: 0,
      deliveries_24h: { measured: 0, p50_seconds: null, p99_seconds: null },
      sources: { new: 0, healthy: 0, failing: 0, paused: 0 },
    })
  })

  test('it counts the incidents of a day, names the last confirmation, measures deliveries and counts sources', async () => {
    await using endpoint = await startEndpoint()
    await using app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    const { text } = await app.issue()
    assert.equal((await app.post('/v1/watches', { name: 'All', url: endpoint.url, filter: {} }, text)).status, 201)
    const { text: operator } = await app.issue({ scopes: ['read', 'operate'] })
    const source = { url: `${endpoint.url}/feed`, publisher: 'Herald', paused: true }
    assert.equal((await app.post('/v1/admin/sources', source, operator)).status, 201)
    const published = (ago: number) => ({ published_at: new Date(Date.now() - ago).toISOString() })
    const newest = published(60_000)
    await app.publish([
      anIncident(1, published(2 * DAY_MS)),
      anIncident(2, published(DAY_MS / 2)),
      anIncident(3, newest),
    ])
    await until(async () => {
      const recorded = await app.store.deliveries.recentLatencies(0, 100)
      return recorded.length === 3
    }, 'the deliveries')
    const status = await statusOf(app)
    assert.equal(status.last_confirmed_at, newest.published_at)
    assert.equal(status.incidents_24h, 2)
    const { measured, p50_seconds, p99_seconds } = status.deliveries_24h
    assert.equal(measured, 3)
    assert.ok(p50_seconds! >= 0 && p50_seconds! <= p99_seconds! && p99_seconds! < 60, JSON.stringify(status))
    assert.deepEqual(status.sources, { new: 0, healthy: 0, failing: 0, paused: 1 })
    // Nothing that belongs to a tenant.
    const words = JSON.stringify(status)
    for (const secret of [endpoint.url, 'Herald', 'acc_', 'wat_', 'key_']) assert.ok(!words.includes(secret), secret)
  })

  test('a flood gets the same bytes; caches may keep them for ten seconds and revalidate', async () => {
    await using app = await startTestApp()
    const answers = await Promise.all(Array.from({ length: 100 }, () => app.get('/v1/status', null)))
    const etags = new Set(answers.map(({ headers }) => headers.get('etag')))
    assert.equal(etags.size, 1)
    assert.equal(answers[0]!.headers.get('cache-control'), 'public, max-age=10')
    const again = await app.get('/v1/status', null, { 'if-none-match': [...etags][0]! })
    assert.equal(again.status, 304)
  })

  test('a parameter is refused by name', async () => {
    await using app = await startTestApp()
    const problem = await problemOf(await app.get('/v1/status?verbose=1', null))
    assert.deepEqual([problem.status, problem.code], [400, 'invalid_parameter'])
  })
})

describe('probe', () => {
  const PATH = '/healthz/probe'
  const nonce = () => randomBytes(16).toString('base64url')

  test('who knows the secret of the database learns how a request arrived, with a proof', async () => {
    await using service = await startTestApp({ TRUST_PROXY: 'loopback' })
    const secret = await service.store.tips.secret(newTipSecret())
    const token = signProbe(secret, Date.now(), nonce())
    const headers = { [PROBE_HEADER]: token, 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
    const response = await service.get(PATH, null, headers)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.deepEqual((await response.json()) as ProbeAnswer, {
      client_address: '198.51.100.7',
      connection_address: '127.0.0.1',
      connection_is_trusted: true,
      forwarded_for: '203.0.113.9, 198.51.100.7',
      proof: proofFor(secret, token, Date.now()),
    })
  })

  test('for everybody else the path does not exist', async () => {
    await using service = await startTestApp()
    const secret = await service.store.tips.secret(newTipSecret())
    const valid = signProbe(secret, Date.now(), nonce())
    const tokens = [
      null,
      '',
      'x',
      signProbe('another secret', Date.now(), nonce()),
      signProbe(secret, Date.now() - 10 * 60_000, nonce()),
      signProbe(secret, Date.now() + 10 * 60_000, nonce()),
      `${valid.slice(0, -1)}${valid.endsWith('A') ? 'B' : 'A'}`,
      valid.replace(/^\d+/, String(Date.now() + 1)),
    ]
    for (const token of tokens) {
      const response = await service.get(PATH, null, token === null ? {} : { [PROBE_HEADER]: token })
      assert.equal((await problemOf(response)).code, 'not_found', String(token))
    }
  })

  test('a proof belongs to one request: it is no token, and no other request has it', () => {
    const token = signProbe('secret', 1_800_000_000_000, nonce())
    const other = signProbe('secret', 1_800_000_000_000, nonce())
    const proof = proofFor('secret', token, 1_800_000_000_000)
    assert.notEqual(proof, null)
    assert.notEqual(proof, proofFor('secret', other, 1_800_000_000_000))
    assert.ok(!token.includes(proof!))
  })

  test('probes count for the address as everything without a key', async () => {
    await using service = await startTestApp({ RATE_LIMIT_ADDRESS: '2' })
    const statuses = []
    for (let number = 0; number < 3; number++)
      statuses.push((await service.get(PATH, null, { [PROBE_HEADER]: 'x' })).status)
    assert.deepEqual(statuses, [404, 404, 429])
  })
})
