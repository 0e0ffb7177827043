import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { Editor } from '../../../support/desk.ts'
import { readStream, type StreamReader } from '../../../support/readers.ts'

let app: TestApp
let ada: Editor
before(async () => {
  app = await startTestApp({}, { streams: { heartbeatIntervalMs: 50 } })
  ada = await Editor.join(app, 'Ada')
})
after(() => app[Symbol.asyncDispose]())

interface Change {
  revision: number
  id: string
  status: string
  claim: { by: { name: string } } | null
}

function changesIn({ blocks }: StreamReader): Change[] {
  return blocks
    .filter((block) => block.includes('event: desk.changed'))
    .map((block) => {
      const change = JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as Change
      assert.match(block, new RegExp(`^id: ${change.revision}$`, 'm'))
      return change
    })
}

describe('the stream of the desk', () => {
  it('tells of arrivals, claims, decisions and notes, and sends heartbeats', async () => {
    await using stream = await readStream(`${app.url}/v1/desk/stream`, ada.key)
    assert.equal(stream.response.status, 200)
    const seen = async (what: (change: Change) => boolean) =>
      until(() => changesIn(stream).some(what), JSON.stringify(changesIn(stream)))
    const { id } = await ada.report()
    await seen((change) => change.id === id && change.status === 'reported')
    await ada.done(id, 'claim')
    await seen((change) => change.id === id && change.claim?.by.name === 'Ada')
    await ada.done(id, 'release')
    await until(() => changesIn(stream).findLast((change) => change.id === id)!.claim === null)
    await ada.done(id, 'notes', { note: 'Seen' })
    await ada.done(id, 'confirm')
    await seen((change) => change.id === id && change.status === 'confirmed' && change.claim === null)
    await until(() => stream.blocks.some((block) => block.includes('event: heartbeat')))
    const revisions = changesIn(stream).map(({ revision }) => revision)
    assert.deepEqual(
      revisions,
      revisions.toSorted((one, other) => one - other),
    )
  })

  it('continues after the last event: what changed meanwhile comes first, once, in its current state', async () => {
    const counts = (await (await app.get('/v1/desk/counts', ada.key)).json()) as { revision: number }
    const { id } = await ada.report()
    await ada.done(id, 'reject')
    await using stream = await readStream(`${app.url}/v1/desk/stream?last_event_id=${counts.revision}`, ada.key)
    await until(() => changesIn(stream).length > 0)
    assert.deepEqual(
      changesIn(stream).map((change) => [change.id, change.status]),
      [[id, 'rejected']],
    )
    await using ahead = await readStream(`${app.url}/v1/desk/stream`, ada.key, { 'last-event-id': '999999' })
    await until(() => changesIn(ahead).length > 0)
    const { revision } = (await (await app.get('/v1/desk/counts', ada.key)).json()) as { revision: number }
    const headers = { 'last-event-id': String(revision) }
    await using again = await readStream(`${app.url}/v1/desk/stream?last_event_id=0`, ada.key, headers)
    const next = await ada.report()
    await until(() => changesIn(again).length > 0)
    assert.equal(changesIn(again)[0]!.id, next.id, 'the header has the later position')
    const wrong = await app.get('/v1/desk/stream?last_event_id=x', ada.key)
    assert.equal((await problemOf(wrong)).code, 'invalid_parameter')
  })

  it('ends when its key is revoked', async () => {
    const bola = await Editor.join(app, 'Bola')
    await using stream = await readStream(`${app.url}/v1/desk/stream`, bola.key)
    await app.delete(`/v1/admin/keys/${bola.keyId}`, ada.key)
    await stream.ended
  })
})
