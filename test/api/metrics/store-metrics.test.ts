import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident, aReport } from '../../support/incident.ts'

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
