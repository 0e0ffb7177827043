import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { anIncident, aReport } from '../../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../../support/receivers.ts'

let app: TestApp
let endpoint: TestEndpoint
let key: string
let numbers = 0
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  endpoint = await startEndpoint()
  key = (await app.issue()).text
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

async function watching(filter: object, events = ['incident.created']): Promise<string> {
  const body = { name: `Watch ${++numbers}`, url: endpoint.url, filter, events }
  const response = await app.post('/v1/watches', body, key)
  assert.equal(response.status, 201, await response.clone().text())
  return ((await response.json()) as { id: string }).id
}

interface Explanation {
  matches: boolean | null
  conditions: { condition: string; wanted: unknown; actual: unknown; holds: boolean }[]
  events: { event: string; outcome: string; delivery: { id: string; status: string } | null }[]
  watch: { status: string }
  verdict: string
}

const explained = async (watch: string, incident: string) =>
  (await (await app.get(`/v1/watches/${watch}/explain?incident=${incident}`, key)).json()) as Explanation

const published = async (changes = {}) => {
  const incident = { ...anIncident(++numbers), ...changes }
  await app.publish([incident])
  return incident
}

const outcomes = ({ events }: Explanation) => events.map(({ event, outcome }) => [event, outcome])

describe('why a watch matched, or not', () => {
  it('names each condition, and the delivery', async () => {
    const watch = await watching({ type: 'kidnapping' })
    const other = await watching({ type: 'protest', min_confidence: 0 })
    const incident = await published({ type: 'kidnapping' })
    await until(async () => (await explained(watch, incident.id)).events[0]?.outcome === 'delivered', 'the delivery')
    const told = await explained(watch, incident.id)
    assert.deepEqual(told.conditions, [
      { condition: 'type', wanted: ['kidnapping'], actual: 'kidnapping', holds: true },
    ])
    const message = endpoint.messages.find(({ json }) => json.incident.id === incident.id)!
    assert.deepEqual([told.matches, told.events[0]?.delivery], [true, { id: message.json.id, status: 'delivered' }])
    const not = await explained(other, incident.id)
    assert.deepEqual([not.matches, outcomes(not)], [false, [['incident.created', 'not_matched']]])
    assert.deepEqual(not.conditions[0], {
      condition: 'type',
      wanted: ['protest'],
      actual: 'kidnapping',
      holds: false,
    })
    assert.match(not.verdict, /does not match/)
  })

  it('tells what the filter does not: the time of creation, the events, a pause', async () => {
    const incident = await published()
    const watch = await watching({})
    assert.deepEqual(outcomes(await explained(watch, incident.id)), [['incident.created', 'before_watch']])
    await app.publish([{ ...incident, version: 2 }], 'incident.updated')
    assert.deepEqual(outcomes(await explained(watch, incident.id)), [
      ['incident.created', 'before_watch'],
      ['incident.updated', 'not_listed'],
    ])
    await app.patch(`/v1/watches/${watch}`, { status: 'paused' }, key, null)
    const missed = await published()
    await until(async () => (await explained(watch, missed.id)).events[0]?.outcome === 'missed', 'the fan-out')
    const { verdict, watch: shown } = await explained(watch, missed.id)
    assert.deepEqual([/recover sends it\. The watch is paused\.$/.test(verdict), shown.status], [true, 'paused'])
  })

  it('does not repeat a retracted incident, and knows none that was never public', async () => {
    const watch = await watching({ type: 'kidnapping' })
    const incident = await published({ type: 'kidnapping' })
    await app.publish([{ ...incident, version: 2, status: 'retracted' }], 'incident.retracted')
    const { matches, conditions, verdict } = await explained(watch, incident.id)
    assert.deepEqual([matches, conditions, /not public any more/.test(verdict)], [null, [], true])
    const reporter = (await app.issue({ scopes: ['read', 'report'] })).text
    const report = (await (await app.post('/v1/reports', aReport(), reporter)).json()) as { id: string }
    for (const id of [report.id, `inc_${'0'.repeat(26)}`]) {
      const response = await app.get(`/v1/watches/${watch}/explain?incident=${id}`, key)
      assert.equal((await problemOf(response)).code, 'not_found')
    }
  })

  it("refuses another account's watch and a wrong id", async () => {
    const watch = await watching({})
    const incident = await published()
    const stranger = (await app.issue()).text
    const theirs = await app.get(`/v1/watches/${watch}/explain?incident=${incident.id}`, stranger)
    assert.equal((await problemOf(theirs)).code, 'not_found')
    for (const query of ['', '?incident=wat_1']) {
      const problem = await problemOf(await app.get(`/v1/watches/${watch}/explain${query}`, key))
      assert.deepEqual([problem.code, problem.errors?.[0]?.parameter], ['invalid_parameter', 'incident'])
    }
  })
})
