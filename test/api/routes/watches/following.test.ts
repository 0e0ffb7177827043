import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { WATCH_EVENTS } from '../../../../src/domain/watch.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { Editor } from '../../../support/desk.ts'
import { anIncident } from '../../../support/incident.ts'
import { readListening } from '../../../support/readers.ts'
import { startEndpoint, type TestEndpoint } from '../../../support/receivers.ts'

const [MERGED, SURVIVING, RETRACTED, REPORTED, OTHER] = [1, 2, 3, 4, 5].map((number) =>
  anIncident(number, { published_at: new Date().toISOString() }),
) as [
  ReturnType<typeof anIncident>,
  ReturnType<typeof anIncident>,
  ReturnType<typeof anIncident>,
  ReturnType<typeof anIncident>,
  ReturnType<typeof anIncident>,
]
const UNKNOWN = `inc_${'0'.repeat(26)}`
let app: TestApp
let endpoint: TestEndpoint
let key: string
let editor: Editor
let numbers = 0
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  endpoint = await startEndpoint()
  key = (await app.issue()).text
  editor = await Editor.join(app, 'Ada')
  await app.publish([MERGED, SURVIVING, RETRACTED, OTHER])
  const report = { ...REPORTED, status: 'reported' as const, confirmed_at: null, published_at: null }
  await app.store.incidents.save([{ incident: report, event: null }], Date.now())
  await editor.done(RETRACTED.id, 'retract')
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

const make = (filter: object, more: object = {}) =>
  app.post('/v1/watches', { name: `Watch ${++numbers}`, url: endpoint.url, filter, ...more }, key)
const preview = (filter: object) => app.post('/v1/watches/preview', { filter }, key)

describe('a watch that follows incidents', () => {
  it('is refused for what was never public, in the same words for reports and for nothing', async () => {
    const made = (await (await make({ incident: [OTHER.id] })).json()) as { id: string }
    for (const unknown of [REPORTED.id, UNKNOWN]) {
      const filter = { incident: [OTHER.id, unknown] }
      for (const response of [
        await make(filter),
        await preview(filter),
        await app.patch(`/v1/watches/${made.id}`, { filter }, key, null),
      ]) {
        const problem = await problemOf(response)
        assert.deepEqual([problem.status, problem.errors![0]!.pointer], [422, '/filter/incident'])
        assert.equal(problem.errors![0]!.message, `names no public incident: ${unknown}; GET /v1/incidents has the ids`)
      }
      const listened = await problemOf(await app.get(`/v1/listen?incident=${unknown}`, key))
      assert.deepEqual([listened.status, listened.errors![0]!.parameter], [400, 'incident'])
    }
    assert.equal((await make({ incident: RETRACTED.id })).status, 201, 'it may be restored')
  })

  it('is refused by lists and streams, which say what to do', async () => {
    const stream = await problemOf(await app.get(`/v1/stream?incident=${OTHER.id}`, key))
    assert.match(String(stream.errors![0]!.message), /\/v1\/listen/)
    assert.equal((await app.get(`/v1/incidents?incident=${OTHER.id}`, key)).status, 400)
  })

  it('sends all three events unless others are given, and previews what it follows', async () => {
    const made = (await (await make({ incident: [MERGED.id] })).json()) as { events: string[]; filter: object }
    assert.deepEqual([made.events, made.filter], [WATCH_EVENTS, { incident: [MERGED.id] }])
    const events = ['incident.retracted']
    const given = (await (await make({ incident: [MERGED.id] }, { events })).json()) as { events: string[] }
    assert.deepEqual(given.events, events)
    const shown = async (filter: object) => {
      const body = (await (await preview({ ...filter })).json()) as { matches: number; newest: { id: string }[] }
      return [body.matches, ...body.newest.map(({ id }) => id)]
    }
    assert.deepEqual(await shown({ incident: [OTHER.id] }), [1, OTHER.id])
    assert.deepEqual(await shown({ incident: [OTHER.id], state: ['Lagos'] }), [0])
    assert.deepEqual(await shown({ incident: [RETRACTED.id] }), [0])
  })

  it('hears of a merge and goes on with the incident that remains; so does who listens', async () => {
    const before = endpoint.messages.length
    const { id } = (await (await make({ incident: [MERGED.id] }, { name: 'Merged' })).json()) as { id: string }
    await using reader = await readListening(`${app.url}/v1/listen?incident=${MERGED.id}`, key)
    await until(() => reader.events().length > 0, 'the first event')
    await editor.done(MERGED.id, 'merge', { into: SURVIVING.id })
    await editor.corrected(SURVIVING.id, { summary: 'Corrected.' })
    const messages = () => endpoint.messages.slice(before).filter(({ json }) => json.watch_id === id)
    const expected = [
      ['incident.retracted', MERGED.id],
      ['incident.updated', SURVIVING.id],
      ['incident.updated', SURVIVING.id],
    ]
    await until(() => messages().length === 3 && reader.messages().length === 3, 'the messages')
    const told = messages().map(({ json }) => [json.event, json.incident.id])
    assert.deepEqual(told.sort(), expected)
    const heard = reader.messages().map(({ body }) => JSON.parse(body) as { event: string; incident: { id: string } })
    assert.deepEqual(heard.map(({ event, incident }) => [event, incident.id]), expected) // biome-ignore format: one check
    const shown = (await (await preview({ incident: [MERGED.id] })).json()) as { newest: { id: string }[] }
    assert.deepEqual(shown.newest.map((each) => each.id), [SURVIVING.id]) // biome-ignore format: one check
  })
})
