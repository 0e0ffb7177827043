import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type KeyRequest, makeKey, openAccount } from '../../src/accounts/keys.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident, aReport } from '../support/incident.ts'

describe('store metrics', () => {
  async function read(app: TestApp, series: string): Promise<number> {
    const text = await (await app.get('/metrics', null)).text()
    const line = text.split('\n').find((one) => one.startsWith(`incident_feed_${series} `))
    assert.ok(line, series)
    return Number(line.split(' ')[1])
  }

  test('the reports that wait are counted by severity, with the age of the oldest, and the last confirmation has its time', async () => {
    let offset = 0
    await using app = await startTestApp({ RATE_LIMIT_ADDRESS: '1000000' }, { clock: () => Date.now() + offset })
    assert.equal(await read(app, 'desk_reports_waiting{severity="critical"}'), 0)
    assert.equal(await read(app, 'desk_oldest_report_seconds'), 0)
    assert.ok(Number.isNaN(await read(app, 'last_confirmation_timestamp_seconds')))
    const { text: operator } = await app.issue({ scopes: ['read', 'operate'] })
    const reports = [aReport(), aReport({ place: 'Kaduna', state: 'Kaduna', sources: [{ publisher: 'Other Daily' }] })]
    for (const report of reports) assert.equal((await app.post('/v1/reports', report, operator)).status, 201)
    const { data } = (await (await app.get('/v1/desk/incidents', operator)).json()) as { data: { id: string }[] }
    assert.equal(data.length, 2)
    await until(async () => (await read(app, 'desk_reports_waiting{severity="critical"}')) === 2, 'the two reports')
    offset = 3_600_000
    assert.ok((await read(app, 'desk_oldest_report_seconds')) >= 3600)
    for (const { id } of data)
      assert.equal((await app.post(`/v1/desk/incidents/${id}/confirm`, '', operator)).status, 200)
    await until(async () => (await read(app, 'desk_reports_waiting{severity="critical"}')) === 0, 'an empty queue')
    assert.equal(await read(app, 'desk_oldest_report_seconds'), 0)
    const confirmedAt = await read(app, 'last_confirmation_timestamp_seconds')
    assert.ok(Math.abs(confirmedAt * 1000 - (Date.now() + offset)) < 30_000, String(confirmedAt))
  })

  test('sign-ups are counted once each, repeated requests aside, and those that were refused', async () => {
    await using app = await startTestApp({ SIGNUP: 'open', SIGNUPS_PER_HOUR: '2' })
    const signUp = (key: string) =>
      app.post('/v1/keys', { email: 'ada@example.org' }, null, { 'idempotency-key': key }).then(({ status }) => status)
    assert.deepEqual(await Promise.all(['mailed', 'opened', 'refused'].map((step) => count(step))), [0, 0, 0])
    assert.equal(await signUp('one'), 201)
    assert.equal(await signUp('one'), 201)
    assert.equal(await signUp('two'), 201)
    assert.equal(await signUp('three'), 429)
    assert.deepEqual(await Promise.all(['mailed', 'opened', 'refused'].map((step) => count(step))), [0, 2, 1])

    function count(step: string): Promise<number> {
      return read(app, `sign_ups_total{step="${step}"}`)
    }
  })

  test('a scrape asks the store at most once in five seconds for each of its numbers', async () => {
    await using app = await startTestApp()
    await app.publish([anIncident(1)])
    let asked = 0
    const { pollStates } = app.store.sources
    Object.assign(app.store.sources, {
      pollStates: () => {
        asked++
        return pollStates()
      },
    })
    await Promise.all(Array.from({ length: 50 }, () => app.get('/metrics', null)))
    assert.equal(asked, 1)
  })
})

describe('metrics port', () => {
  test('METRICS_PORT moves /metrics to a port of its own, which has nothing else', async () => {
    await using app = await startTestApp({ METRICS_PORT: '0' })
    assert.equal((await problemOf(await app.get('/metrics', null))).code, 'not_found')
    const { metricsUrl } = app.app
    assert.match(metricsUrl!, /^http:\/\/127\.0\.0\.1:\d+$/)
    const metrics = await fetch(`${metricsUrl}/metrics`)
    assert.match(await metrics.text(), /^incident_feed_responses_total\{status="404"\} 1$/m)
    for (const path of ['/', '/docs', '/v1/incidents'])
      assert.equal((await problemOf(await fetch(metricsUrl + path))).code, 'not_found')
  })

  test('without METRICS_PORT, /metrics is for secret keys of admins, with the scope read', async () => {
    await using app = await startTestApp({ METRICS_PUBLIC: 'false' })
    const { key } = await openAccount(app.store, { email: null, name: 'Ada' }, { scopes: ['admin'] }, Date.now())
    const addKey = async (request: KeyRequest) => {
      const made = makeKey(key.accountId, request, Date.now())
      assert.equal(await app.store.keys.add(made.key, { valid: 20, perDay: 20 }), true)
      return made
    }
    const admin = await addKey({ scopes: ['read'] })
    const published = await addKey({ kind: 'publishable' })
    assert.equal((await problemOf(await app.get('/metrics', null))).code, 'missing_key')
    assert.equal((await problemOf(await app.get('/metrics', 'inf_live_x'))).code, 'mistyped_key')
    for (const key of [(await app.issue()).text, published.text])
      assert.equal((await problemOf(await app.get('/metrics', key))).code, 'insufficient_scope')
    const answer = await app.get('/metrics', admin.text)
    assert.match(await answer.text(), /^incident_feed_connections_open [1-9]/m)
  })

  test('with METRICS_PUBLIC, /metrics is public', async () => {
    await using app = await startTestApp({ METRICS_PUBLIC: 'true' })
    assert.equal(app.app.metricsUrl, null)
    const text = await (await app.get('/metrics', null)).text()
    assert.match(text, /^incident_feed_connections_open 1$/m)
    assert.match(text, /^incident_feed_connections_refused_total\{limit="address"\} 0$/m)
  })
})

describe('request metrics', () => {
  test('answers are counted by route, method and status, streams without their duration', async () => {
    await using app = await startTestApp()
    for (const path of ['/v1/incidents', '/v1/incidents?limit=5', '/incidents']) await (await app.get(path)).text()
    await app.get('/nowhere')
    const { url } = app
    const authorization = `Bearer ${(await app.issue()).text}`
    await fetch(`${url}/v1/incidents`, { method: 'HEAD', headers: { authorization } })
    await fetch(`${url}/v1/stream`, { method: 'HEAD', headers: { authorization } })
    await fetch(`${url}/v1/stream?limit=5`, { headers: { authorization } })
    const text = await (await app.get('/metrics', null)).text()
    const durations = (labels: string) =>
      new RegExp(`^incident_feed_request_duration_seconds_${labels} (.+)$`, 'm').exec(text)?.[1]
    const list = 'method="GET",route="/v1/incidents"'
    assert.equal(durations(`count\\{${list}\\}`), '2')
    assert.equal(durations(`bucket\\{le="\\+Inf",${list}\\}`), '2')
    assert.ok(Number(durations(`sum\\{${list}\\}`)) > 0)
    assert.ok(Number(durations(`bucket\\{le="0.001",${list}\\}`)) <= 2)
    assert.equal(durations('count\\{method="GET",route="/incidents"\\}'), '1')
    assert.equal(durations('count\\{method="HEAD",route="/v1/incidents"\\}'), '1')
    assert.equal(durations('count\\{method="GET",route="none"\\}'), '1')
    assert.equal(durations('count\\{method="HEAD",route="/v1/stream"\\}'), undefined)
    assert.equal(durations('count\\{method="GET",route="/v1/stream"\\}'), '1', 'a refused stream has a duration')
    assert.match(text, /^incident_feed_responses_total\{status="200"\} 5$/m)
    assert.match(text, /^incident_feed_responses_total\{status="400"\} 1$/m)
    assert.match(text, /^incident_feed_responses_total\{status="404"\} 1$/m)
  })
})

describe('metric names', () => {
  test('every metric is described, and its name tells a counter from a gauge, as promtool wants', async () => {
    await using app = await startTestApp()
    const text = await (await fetch(`${app.url}/metrics`)).text()
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name: name!, type: type! }))
    assert.ok(types.length > 30)
    for (const { name, type } of types) {
      assert.match(name, /^[a-z][a-z0-9_]*$/)
      assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
      assert.doesNotMatch(name, /_(count|sum|bucket|milliseconds|ms|info_info)$/)
      assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'))
    }
  })
})
