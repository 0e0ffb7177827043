import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp, until } from '../../../support/app.ts'
import { Editor } from '../../../support/desk.ts'
import { startEndpoint, type TestEndpoint } from '../../../support/receivers.ts'

const EVENTS = ['incident.created', 'incident.updated', 'incident.retracted']

let app: TestApp
let ada: Editor
let endpoint: TestEndpoint
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  ada = await Editor.join(app, 'Ada')
  endpoint = await startEndpoint()
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

async function watching(name: string, events: readonly string[], state: string, key: string) {
  const response = await app.post('/v1/watches', { name, url: endpoint.url, filter: { state }, events }, key)
  assert.equal(response.status, 201, await response.clone().text())
  return ((await response.json()) as { id: string }).id
}

const told = (watch: string) =>
  endpoint.messages
    .filter(({ json }) => json.watch_id === watch)
    .map(({ json }) => [json.event, json.incident.id, (json.incident as { status?: string }).status])

describe('webhooks of what the desk decides', () => {
  it('arrive for what was confirmed, merged, unmerged, retracted and restored, each once', async () => {
    const { text } = await app.issue({ scopes: ['read', 'watch'] })
    const all = await watching('all', EVENTS, 'Zamfara', text)
    const only = await watching('created only', ['incident.created'], 'Zamfara', text)
    const one = await ada.confirmed()
    const two = await ada.confirmed()
    await until(() => told(all).length === 2 && told(only).length === 2)
    const steps: [string, string, unknown, string[][]][] = [
      [
        two.id,
        'merge',
        { into: one.id },
        [
          ['incident.retracted', two.id, 'merged'],
          ['incident.updated', one.id, 'confirmed'],
        ],
      ],
      [
        two.id,
        'unmerge',
        {},
        [
          ['incident.updated', two.id, 'confirmed'],
          ['incident.updated', one.id, 'confirmed'],
        ],
      ],
      [one.id, 'retract', {}, [['incident.retracted', one.id, 'retracted']]],
      [one.id, 'restore', {}, [['incident.updated', one.id, 'confirmed']]],
    ]
    let count = 2
    for (const [id, move, body, expected] of steps) {
      await ada.done(id, move, body)
      count += expected.length
      await until(() => told(all).length >= count, move)
      assert.deepEqual(told(all).slice(-expected.length).sort(), expected.toSorted())
    }
    const rejected = await ada.report()
    await ada.done(rejected.id, 'reject')
    await ada.done(rejected.id, 'reopen')
    const last = await ada.confirmed()
    await until(() => told(all).length === count + 1)
    assert.deepEqual(told(all).at(-1), ['incident.created', last.id, 'confirmed'])
    assert.deepEqual(
      told(only).map(([, id]) => id),
      [one.id, two.id, last.id],
    )
  })

  for (const [away, back] of [
    ['retract', 'restore'],
    ['merge', 'unmerge'],
  ] as const)
    it(`an alert that a ${away} cancelled is sent after all with the ${back}`, async () => {
      const { text } = await app.issue({ scopes: ['read', 'watch'] })
      const watch = await watching('late', ['incident.created'], 'Kaduna', text)
      const other = await ada.confirmed({ state: 'Lagos', place: null })
      endpoint.answer = (response) => {
        response.statusCode = 503
        response.end()
      }
      const incident = await ada.confirmed({ state: 'Kaduna', place: null })
      await until(() => told(watch).length === 1)
      await ada.done(incident.id, away, away === 'merge' ? { into: other.id } : {})
      const statusOf = async () => {
        const response = await app.get(`/v1/watches/${watch}/deliveries`, text)
        return ((await response.json()) as { data: { status: string }[] }).data.map(({ status }) => status)
      }
      assert.equal((await app.post(`/v1/watches/${watch}/retry`, {}, text)).status, 200)
      await until(async () => (await statusOf())[0] === 'cancelled')
      endpoint.answer = (response) => {
        response.statusCode = 204
        response.end()
      }
      await ada.done(incident.id, back)
      await until(async () => (await statusOf())[0] === 'delivered')
      assert.deepEqual(told(watch).at(-1), ['incident.created', incident.id, 'confirmed'])
    })
})
