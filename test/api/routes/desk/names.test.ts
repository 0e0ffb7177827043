import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp, until } from '../../../support/app.ts'
import { Editor } from '../../../support/desk.ts'
import { readStream } from '../../../support/readers.ts'
import { startEndpoint } from '../../../support/receivers.ts'

const NAME = 'Nkechi Okonjo-Adeyemi'
const NOTE = 'Heard from a cousin in Gusau'

let app: TestApp
let editor: Editor
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  editor = await Editor.join(app, NAME)
})
after(() => app[Symbol.asyncDispose]())

describe('names and notes of editors', () => {
  it('never leave the desk: not in reads, feeds, downloads, changes, streams or webhooks', async () => {
    await using endpoint = await startEndpoint()
    const { text: client } = await app.issue({ scopes: ['read', 'watch'] })
    const watch = {
      name: 'all',
      url: endpoint.url,
      filter: {},
      events: ['incident.created', 'incident.updated', 'incident.retracted'],
    }
    assert.equal((await app.post('/v1/watches', watch, client)).status, 201)
    await using stream = await readStream(`${app.url}/v1/stream`, client)

    const { id } = await editor.report()
    const twin = await editor.report()
    await editor.done(id, 'claim')
    await editor.done(id, 'confirm', { note: NOTE })
    await editor.corrected(id, { confidence: 0.91, note: NOTE })
    await editor.done(twin.id, 'confirm')
    await editor.done(twin.id, 'merge', { into: id, note: NOTE })
    await editor.done(id, 'retract', { note: NOTE })
    await editor.done(id, 'restore', { note: NOTE })
    await until(() => stream.changes.length >= 7 && endpoint.messages.length >= 5, 'messages')
    assert.ok(app.archive.slotOf(id) !== null)

    const month = new Date().toISOString().slice(0, 7)
    const paths = [
      '/v1/incidents',
      '/v1/incidents?format=geojson',
      '/v1/incidents?format=csv',
      '/v1/incidents?format=ndjson',
      `/v1/incidents/${id}`,
      `/v1/incidents/${twin.id}`,
      `/v1/incidents/${id}/history`,
      `/v1/incidents/${id}.cap`,
      '/v1/feeds/incidents.atom',
      '/v1/changes',
      '/v1/stats?group_by=state',
      ...['ndjson', 'csv', 'geojson'].map((format) => `/v1/archive/${month}.${format}`),
      '/v1/deliveries',
    ]
    let read = 0
    for (const path of paths) {
      const response = await app.get(path, client)
      const body = await response.text()
      if (response.status === 200) read++
      for (const secret of [NAME, NOTE, editor.accountId]) assert.ok(!body.includes(secret), `${path}: ${body}`)
    }
    assert.ok(read >= 10, `${read} paths were readable`)
    for (const text of [...stream.blocks, ...endpoint.messages.map(({ body }) => body)])
      for (const secret of [NAME, NOTE]) assert.ok(!text.includes(secret), text)
    const page = await app.get(`/incidents/${id}`, null, { accept: 'text/html' })
    assert.ok(!(await page.text()).includes(NAME))
  })

  it('are in the audit log of admins, with what changed', async () => {
    const { id } = await editor.report()
    await editor.done(id, 'reject', { note: NOTE })
    const list = async (query: string) =>
      (await (await app.get(`/v1/admin/audit?${query}`, editor.key)).json()) as {
        data: { action: string; by: { name: string }; note: string; before: object; after: object; subject: string }[]
        next_cursor: string | null
      }
    const { data } = await list(`incident=${id}`)
    assert.deepEqual(
      data.map(({ action, by, note, before, after }) => [action, by.name, note, before, after]),
      [
        ['incident.reject', NAME, NOTE, { status: 'reported' }, { status: 'rejected' }],
        ['incident.report', NAME, null, null, null],
      ],
    )
    const { key, text } = await app.issue({ name: 'Client', scopes: ['read'] })
    await app.patch(`/v1/admin/accounts/${key.accountId}`, { status: 'blocked' }, editor.key, null)
    await app.delete(`/v1/admin/keys/${key.id}`, editor.key)
    const acts = (await list(`actor=${editor.accountId}&limit=2`)).data
    assert.deepEqual(
      acts.map(({ action, subject, before, after }) => [action, subject, before, after]),
      [
        ['key.revoke', key.id, { account_id: key.accountId, scopes: ['read'] }, null],
        ['account.change', key.accountId, { status: 'active' }, { status: 'blocked' }],
      ],
    )
    assert.ok(!JSON.stringify(acts).includes(text))
    const { next_cursor } = await list('limit=1')
    assert.equal((await list(`limit=1&cursor=${next_cursor}`)).data.length, 1)
    for (const query of ['actor=me', 'incident=inc_x', 'from=yesterday', 'limit=0', 'cursor=1', 'what=1'])
      assert.equal((await app.get(`/v1/admin/audit?${query}`, editor.key)).status, 400, query)
  })
})
