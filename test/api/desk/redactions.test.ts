import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { Editor } from '../../support/desk.ts'
import { anIncident, aReport, incidentId } from '../../support/incident.ts'
import { readStream } from '../../support/readers.ts'
import { startEndpoint } from '../../support/receivers.ts'

describe('redactions', () => {
  const NAME = 'Hauwa Tsamiya'
  const REASON = 'The family asked for it.'

  let app: TestApp
  let editor: string
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    editor = (await app.issue({ scopes: ['read', 'report', 'review'] })).text
  })
  after(() => app[Symbol.asyncDispose]())

  interface Found {
    id: string
    version: number
    status: string
    summary: string
    lat: number
    location: { precision: string }
    desk: { text: string | null }
  }

  async function submit(changes: Record<string, unknown> = {}): Promise<Found> {
    const report = aReport({ summary: `Gunmen took ${NAME}.`, text: `${NAME} was taken.`, ...changes })
    return (await (await app.post('/v1/reports', report, editor)).json()) as Found
  }

  const redact = (id: string, body: unknown) => app.post(`/v1/desk/incidents/${id}/redact`, body, editor)
  const find = async (id: string) => (await (await app.get(`/v1/desk/incidents/${id}`, editor)).json()) as Found
  const changesText = async () => (await app.get(`/v1/changes?limit=1000`)).text()

  describe('a redaction', () => {
    it('of a report that was never public tells nobody', async () => {
      const { id } = await submit()
      const { seq } = app.archive.head
      const response = await redact(id, { words: [NAME], reason: REASON })
      assert.deepEqual([response.status, ((await response.json()) as { found: number[] }).found], [200, [2]])
      const found = await find(id)
      assert.deepEqual(
        [found.summary, found.desk.text, found.version, found.status],
        ['Gunmen took [redacted].', '[redacted] was taken.', 2, 'reported'],
      )
      assert.equal((await app.store.events.head()).seq, seq)
    })

    it('of a retracted incident tells copies by another retraction', async () => {
      const { id } = await submit()
      await app.post(`/v1/desk/incidents/${id}/confirm`, '', editor)
      await app.post(`/v1/desk/incidents/${id}/retract`, '', editor)
      assert.equal((await redact(id, { words: [NAME], reason: REASON })).status, 200)
      const { seq } = await app.store.events.head()
      const [event] = await app.store.events.after(seq - 1, 1)
      assert.deepEqual([event!.kind, event!.incidentId, event!.redacted], ['incident.retracted', id, true])
      assert.ok(!event!.document.includes('Tsamiya'))
    })

    it('of the point leaves the centre of the LGA', async () => {
      const report = await submit({ lat: 12.17, lng: 6.66, place: undefined, precision: 'exact' })
      assert.equal(report.location.precision, 'exact')
      assert.equal((await redact(report.id, { fields: ['point'], reason: REASON })).status, 200)
      const { lat, location } = await find(report.id)
      assert.equal(location.precision, 'lga')
      assert.notEqual(lat, report.lat)
    })

    it('takes a name out of /v1/changes that a PATCH has left there', async () => {
      const { id, version } = await submit()
      await app.post(`/v1/desk/incidents/${id}/confirm`, '', editor)
      const summary = 'Gunmen took a woman.'
      assert.equal((await app.patch(`/v1/desk/incidents/${id}`, { summary }, editor, `"${version}"`)).status, 200)
      await until(async () => (await changesText()).includes(summary))
      assert.match(await changesText(), /Hauwa Tsamiya/)
      assert.equal((await redact(id, { words: [NAME], reason: REASON })).status, 200)
      await until(async () => (await changesText()).includes('"redacted":true'))
      assert.doesNotMatch(await changesText(), /Tsamiya/)
    })

    it('makes earlier steps impossible to undo, and keeps no old value in its own step', async () => {
      const { id, version } = await submit()
      const path = `/v1/desk/incidents/${id}`
      assert.equal((await app.patch(path, { summary: 'A woman was taken.' }, editor, `"${version}"`)).status, 200)
      const steps = async () =>
        (
          (await (await app.get(`${path}/history`, editor)).json()) as {
            data: { id: string; step: string; changes: object[] }[]
          }
        ).data
      const correction = (await steps()).at(-1)!
      assert.match(JSON.stringify(correction.changes), /Tsamiya/)
      assert.equal((await redact(id, { words: [NAME], reason: REASON })).status, 200)
      const history = await steps()
      assert.doesNotMatch(JSON.stringify(history), /Tsamiya/)
      assert.deepEqual([history.at(-1)!.step, history.at(-1)!.changes], ['redact', []])
      for (const step of [correction.id, history.at(-1)!.id]) {
        const undone = await app.post(`${path}/undo`, { step }, editor)
        assert.equal(undone.status, 409, await undone.text())
      }
      assert.equal((await find(id)).summary, 'A woman was taken.')
    })

    it('is not stopped by the claim of another editor', async () => {
      const { id } = await submit()
      const another = (await app.issue({ scopes: ['read', 'report', 'review'] })).text
      assert.equal((await app.post(`/v1/desk/incidents/${id}/claim`, {}, another)).status, 200)
      assert.equal((await redact(id, { words: [NAME], reason: REASON })).status, 200)
    })

    for (const [what, body, pointer, message] of [
      ['nothing to take out', { reason: REASON }, '', /fields, words, or all/],
      ['no reason', { words: [NAME] }, '/reason', /missing/],
      ['an empty reason', { words: [NAME], reason: ' ' }, '/reason', /empty/],
      ['a reason with the word', { words: [NAME], reason: 'About HAUWA-TSAMIYA.' }, '/reason', /must not contain/],
      ['a word without letters', { words: ['. .'], reason: REASON }, '/words/0', /two letters or digits/],
      ['a word that is nowhere', { words: ['Nobody Here'], reason: REASON }, '/words', /in no stored text/],
      ['an unknown field', { fields: ['type'], reason: REASON }, '/fields/0', /one of/],
      ['a word that is too long', { words: ['x'.repeat(101)], reason: REASON }, '/words/0', /100/],
    ] as const) {
      it(`is refused with ${what}, and changes nothing`, async () => {
        const { id } = await submit()
        const response = await redact(id, body)
        const problem = await problemOf(response)
        assert.equal(response.status, 422, problem.detail)
        assert.equal(problem.errors![0]!.pointer, pointer)
        assert.match(String(problem.errors![0]!.message), message)
        assert.equal((await find(id)).version, 1)
      })
    }

    it('is refused to a reporter, for an unknown incident and for another version', async () => {
      const { id } = await submit()
      const reporter = (await app.issue({ scopes: ['read', 'report'] })).text
      const path = `/v1/desk/incidents/${id}/redact`
      const body = { words: [NAME], reason: REASON }
      assert.equal((await app.post(path, body, reporter)).status, 403)
      assert.equal((await redact(incidentId(99), body)).status, 404)
      assert.equal((await app.post(path, body, editor, { 'if-match': '"7"' })).status, 412)
    })
  })

  it('a message about a retracted incident is not sent again by redeliver', async () => {
    await using endpoint = await startEndpoint()
    const client = (await app.issue()).text
    const watch = { name: 'Mine', url: endpoint.url, filter: {}, events: ['incident.created'] }
    const { id: watchId } = (await (await app.post('/v1/watches', watch, client)).json()) as { id: string }
    const incident = anIncident(50, { summary: NAME })
    await app.publish([incident])
    const delivery = async () => {
      const list = (await (await app.get(`/v1/watches/${watchId}/deliveries`, client)).json()) as {
        data: { id: string; status: string }[]
      }
      return list.data[0]
    }
    await until(async () => (await delivery())?.status === 'delivered')
    assert.match(endpoint.messages[0]!.body, /Tsamiya/)
    await app.publish([{ ...incident, version: 2, status: 'retracted' }], 'incident.retracted')
    const again = await app.post(`/v1/deliveries/${(await delivery())!.id}/redeliver`, '', client)
    assert.equal((await problemOf(again)).code, 'not_redeliverable')
    assert.equal(endpoint.messages.length, 1)
  })
})

describe('names', () => {
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
})
