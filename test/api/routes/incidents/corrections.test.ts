import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { anIncident, aReport } from '../../../support/incident.ts'

let app: TestApp
let operator: string
let now = Date.UTC(2026, 10, 15, 12)
before(async () => {
  app = await startTestApp({}, { clock: () => now })
  operator = (await app.issue({ name: 'Ada', scopes: ['read', 'operate'] })).text
})
after(() => app[Symbol.asyncDispose]())

test('the public sees when an incident was published and corrected, not by whom or why', async () => {
  const { id } = (await (await app.post('/v1/reports', aReport(), operator)).json()) as { id: string }
  await app.patch(`/v1/desk/incidents/${id}`, { summary: 'Before anyone saw it.' }, operator, '"1"')
  assert.equal((await problemOf(await app.get(`/v1/incidents/${id}/history`))).status, 404)
  now += 60_000
  await app.post(`/v1/desk/incidents/${id}/confirm`, { note: 'a secret' }, operator)
  now += 60_000
  await app.patch(`/v1/desk/incidents/${id}`, { casualties: { killed: 2 }, note: 'a secret' }, operator, '"2"')
  await until(() => app.archive.slotOf(id) !== null)
  const text = await (await app.get(`/v1/incidents/${id}/history`)).text()
  const { data } = JSON.parse(text) as { data: { change: string; version: number; at: string; fields: string[] }[] }
  assert.deepEqual(
    data.map(({ change, at }) => [change, at]),
    [
      ['published', '2026-11-15T12:01:00Z'],
      ['corrected', '2026-11-15T12:02:00Z'],
    ],
  )
  assert.ok(data[1]!.fields.includes('casualties'))
  assert.doesNotMatch(text, /Ada|secret|key_/)
  await app.post(`/v1/desk/incidents/${id}/retract`, '', operator)
  await until(() => app.archive.isRetracted(id))
  assert.equal((await problemOf(await app.get(`/v1/incidents/${id}/history`))).status, 410)
})

test('imported incidents have no corrections', async () => {
  await app.publish([anIncident(1)], 'incident.imported')
  assert.deepEqual(await (await app.get(`/v1/incidents/${anIncident(1).id}/history`)).json(), { data: [] })
})
