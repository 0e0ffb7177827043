import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../../support/receivers.ts'

let app: TestApp
let endpoint: TestEndpoint
let key: string
let numbers = 0
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  endpoint = await startEndpoint()
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

/** A watch of a new account that has been told of `count` incidents. */
async function told(count: number) {
  key = (await app.issue()).text
  const watch = await watching('Mine')
  const incidents = Array.from({ length: count }, () => anIncident(++numbers))
  await app.publish(incidents)
  await until(() => receivedBy(watch).length === count, 'the messages')
  await until(async () => (await delivered()).length === count, 'their record')
  return { watch, incidents }
}

async function watching(name: string): Promise<string> {
  const response = await app.post('/v1/watches', { name, url: endpoint.url }, key)
  return ((await response.json()) as { id: string }).id
}

const receivedBy = (watch: string) => endpoint.messages.filter(({ json }) => json.watch_id === watch)

async function delivered(): Promise<object[]> {
  const response = await app.get('/v1/deliveries?status=delivered&limit=100', key)
  return ((await response.json()) as { data: object[] }).data
}

async function redelivered(filters: object, owner = key) {
  const response = await app.post('/v1/deliveries/redeliver', filters, owner)
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as { redelivered: number; skipped: object; has_more: boolean }
}

const NONE = { tests: 0, retracted: 0, inactive: 0 }

describe('sending all again that a filter matches', () => {
  it('sends what matches, under the same ids', async () => {
    const { watch, incidents } = await told(3)
    const first = receivedBy(watch).map(({ json }) => json.id)
    const one = await redelivered({ incident: incidents[1]!.id })
    assert.deepEqual([one.redelivered, one.skipped, one.has_more], [1, NONE, false])
    await until(() => receivedBy(watch).length === 4, 'one message')
    assert.equal(receivedBy(watch)[3]?.json.incident.id, incidents[1]!.id)
    await until(async () => (await delivered()).length === 3, 'its record')
    assert.equal((await redelivered({ watch: [watch], since: '1h', status: 'delivered' })).redelivered, 3)
    await until(() => receivedBy(watch).length === 7, 'three messages')
    assert.deepEqual(new Set(receivedBy(watch).map(({ json }) => json.id)), new Set(first))
    assert.equal((await redelivered({ status: 'failed' })).redelivered, 0)
  })

  it('leaves out tests, what was retracted, and watches that are not active', async () => {
    const { watch, incidents } = await told(2)
    await app.post(`/v1/watches/${watch}/test`, '', key)
    await app.publish([{ ...incidents[0]!, version: 2, status: 'retracted' }], 'incident.retracted')
    const { redelivered: count, skipped } = await redelivered({ event: 'incident.created' })
    assert.deepEqual([count, skipped], [1, { tests: 1, retracted: 1, inactive: 0 }])
    await until(() => receivedBy(watch).length === 4, 'the messages')
    await app.patch(`/v1/watches/${watch}`, { status: 'paused' }, key, null)
    assert.deepEqual((await redelivered({ watch: [watch] })).skipped, { tests: 1, retracted: 0, inactive: 2 })
  })

  it("never touches another account's", async () => {
    const { watch, incidents } = await told(1)
    const stranger = (await app.issue()).text
    for (const filters of [{ watch: [watch] }, { incident: incidents[0]!.id }, { status: 'delivered' }])
      assert.deepEqual([(await redelivered(filters, stranger)).redelivered, receivedBy(watch).length], [0, 1])
  })

  it('says what is wrong, and needs a filter', async () => {
    key = (await app.issue()).text
    for (const [body, pointer] of [
      [{}, ''],
      [{ cursor: '1.' }, ''],
      [{ status: 'lost' }, '/status'],
      [{ since: 'yesterday' }, '/since'],
      [{ incident: 'wat_1' }, '/incident'],
      [{ watch: ['inc_1'] }, '/watch'],
      [{ status: 'failed', everything: true }, '/everything'],
    ] as const) {
      const problem = await problemOf(await app.post('/v1/deliveries/redeliver', body, key))
      assert.deepEqual([problem.status < 500, problem.errors?.[0]?.pointer], [true, pointer], JSON.stringify(body))
    }
  })
})
