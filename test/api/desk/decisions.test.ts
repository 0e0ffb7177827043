import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Incident } from '../../../src/domain/incident.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { Editor } from '../../support/desk.ts'
import { anIncident, aReport, incidentId } from '../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'

describe('routes', () => {
  let app: TestApp
  let operator: string
  let now = Date.UTC(2026, 10, 15, 12)
  before(async () => {
    app = await startTestApp({}, { clock: () => now })
    operator = (await app.issue({ name: 'Desk Kaduna', scopes: ['read', 'operate'] })).text
  })
  after(() => app[Symbol.asyncDispose]())

  type Desk = Incident & {
    desk: { official_sources: number[]; merged_into: string | null; possible_duplicates: { id: string }[] }
  }

  async function reported(changes: Record<string, unknown> = {}): Promise<Desk> {
    return (await (await app.post('/v1/reports', aReport(changes), operator)).json()) as Desk
  }

  const transition = (id: string, name: string, body: unknown = '', headers = {}) =>
    app.post(`/v1/desk/incidents/${id}/${name}`, body, operator, headers)
  const patch = (id: string, body: unknown, ifMatch: string | null) =>
    app.patch(`/v1/desk/incidents/${id}`, body, operator, ifMatch)

  async function succeeded(answer: Promise<Response>): Promise<Desk> {
    const response = await answer
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Desk
  }

  async function eventsOf(id: string) {
    const events = await app.store.events.after(0, 100_000)
    return events.filter((event) => event.incidentId === id).map(({ kind }) => kind)
  }

  async function historyOf(id: string) {
    const response = await app.get(`/v1/desk/incidents/${id}/history`, operator)
    const { data } = (await response.json()) as {
      data: { step: string; version: number; by: { name: string }; note: string | null; fields: string[] }[]
    }
    return data
  }

  describe('the life of an incident', () => {
    it('goes from reported to confirmed, corrected and retracted; the log and the history have each step', async () => {
      const { id } = await reported()
      now += 60_000
      const confirmed = await succeeded(transition(id, 'confirm', { note: 'The police confirm it' }))
      assert.equal(confirmed.status, 'confirmed')
      assert.equal(confirmed.version, 1)
      assert.equal(confirmed.published_at, new Date(now).toISOString().replace('.000', ''))
      await until(() => app.archive.slotOf(id) !== null)
      const { desk: _, ...document } = confirmed
      assert.deepEqual(await (await app.get(`/v1/incidents/${id}`)).json(), document)

      const corrected = await succeeded(patch(id, { casualties: { killed: 2 }, note: 'Two have died' }, '"1"'))
      assert.equal(corrected.version, 2)
      assert.deepEqual(corrected.casualties, { killed: 2, injured: null, abducted: 11 })
      assert.equal(corrected.published_at, confirmed.published_at)

      const retracted = await succeeded(transition(id, 'retract', { note: 'It was another day' }))
      assert.deepEqual([retracted.status, retracted.version], ['retracted', 3])
      await until(() => app.archive.isRetracted(id))
      assert.equal((await app.get(`/v1/incidents/${id}`)).status, 410)

      assert.deepEqual(await eventsOf(id), ['incident.created', 'incident.updated', 'incident.retracted'])
      assert.deepEqual(
        (await historyOf(id)).map(({ step, version, by, note, fields }) => [step, version, by.name, note, fields]),
        [
          ['report', 1, 'Desk Kaduna', null, []],
          ['confirm', 1, 'Desk Kaduna', 'The police confirm it', []],
          ['update', 2, 'Desk Kaduna', 'Two have died', ['casualties']],
          ['retract', 3, 'Desk Kaduna', 'It was another day', []],
        ],
      )
    })

    it('publishes no event for a report that is corrected, rejected or merged into another report', async () => {
      const { id } = await reported()
      await succeeded(patch(id, { severity: 'low' }, '"1"'))
      assert.equal((await succeeded(transition(id, 'reject'))).status, 'rejected')
      const other = await reported()
      const into = await reported()
      await succeeded(transition(other.id, 'merge', { into: into.id }))
      for (const each of [id, other.id, into.id]) assert.deepEqual(await eventsOf(each), [])
    })

    const transitions = ['confirm', 'reject', 'retract', 'merge'] as const
    const allowed: Record<string, readonly string[]> = {
      reported: ['confirm', 'reject', 'merge'],
      confirmed: ['retract'],
      rejected: [],
      retracted: [],
      merged: [],
    }
    const ways: Record<string, (id: string) => Promise<unknown>> = {
      reported: async () => {},
      confirmed: (id) => succeeded(transition(id, 'confirm')),
      rejected: (id) => succeeded(transition(id, 'reject')),
      retracted: async (id) => {
        await succeeded(transition(id, 'confirm'))
        await succeeded(transition(id, 'retract'))
      },
      merged: async (id) => succeeded(transition(id, 'merge', { into: (await reported()).id })),
    }
    for (const [state, way] of Object.entries(ways)) {
      for (const name of transitions.filter((each) => !allowed[state]!.includes(each))) {
        it(`cannot ${name} an incident that is ${state}`, async () => {
          const { id } = await reported()
          await way(id)
          const body = name === 'merge' ? { into: (await reported()).id } : ''
          const problem = await problemOf(await transition(id, name, body))
          assert.deepEqual([problem.status, problem.code], [409, 'not_in_this_state'])
          assert.match(problem.detail, new RegExp(`is (already )?${state}[; ]`))
        })
      }
    }

    for (const state of ['rejected', 'retracted', 'merged']) {
      it(`cannot correct an incident that is ${state}`, async () => {
        const { id } = await reported()
        await ways[state]!(id)
        const problem = await problemOf(await patch(id, { severity: 'low' }, '*'))
        assert.equal(problem.code, 'not_in_this_state')
      })
    }

    it('responds 404 for an unknown incident', async () => {
      for (const id of [incidentId(999), 'inc_x', '..%2f..'])
        assert.equal((await problemOf(await transition(id, 'confirm'))).code, 'not_found')
    })
  })

  describe('the version in If-Match', () => {
    it('is required for a correction', async () => {
      const { id } = await reported()
      assert.equal((await problemOf(await patch(id, { severity: 'low' }, null))).code, 'version_required')
      for (const header of ['1', 'W/"1"', '"one"', '""'])
        assert.equal((await problemOf(await patch(id, { severity: 'low' }, header))).code, 'malformed_request')
    })

    it("refuses a correction after somebody else's change", async () => {
      const { id } = await reported()
      const first = await patch(id, { severity: 'low' }, '"1"')
      assert.equal(first.headers.get('etag'), '"2"')
      const problem = await problemOf(await patch(id, { severity: 'critical' }, '"1"'))
      assert.deepEqual([problem.status, problem.code], [412, 'stale_version'])
      assert.match(problem.detail, /version 2, not 1/)
      assert.equal((await succeeded(patch(id, { severity: 'critical' }, '*'))).version, 3)
    })

    it('is optional for a confirmation', async () => {
      const { id } = await reported()
      await succeeded(patch(id, { severity: 'low' }, '"1"'))
      assert.equal((await problemOf(await transition(id, 'confirm', '', { 'if-match': '"1"' }))).code, 'stale_version')
      await succeeded(transition(id, 'confirm', '', { 'if-match': '"2"' }))
    })

    it('loses no correction when many are made at once', async () => {
      const { id } = await reported({ casualties: {} })
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => patch(id, { summary: `Told by ${index}.` }, '"1"')),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(412)])
      await Promise.all(Array.from({ length: 12 }, (_, index) => succeeded(patch(id, { text: `Words ${index}` }, '*'))))
      assert.equal((await succeeded(app.get(`/v1/desk/incidents/${id}`, operator))).version, 14)
    })
  })

  describe('a correction', () => {
    it('that changes nothing makes no version and no event', async () => {
      const { id } = await reported()
      const { version, summary } = await succeeded(transition(id, 'confirm'))
      assert.equal((await succeeded(patch(id, { summary, casualties: { abducted: 11 } }, '*'))).version, version)
      assert.deepEqual(await eventsOf(id), ['incident.created'])
      assert.equal((await historyOf(id)).length, 2)
    })

    it('of what only the desk knows is no event', async () => {
      const { id } = await reported()
      await succeeded(transition(id, 'confirm'))
      const { version } = await succeeded(patch(id, { text: 'As the witness told it' }, '*'))
      assert.equal(version, 2)
      assert.deepEqual(await eventsOf(id), ['incident.created'])
    })

    it('replaces the whole place', async () => {
      const { id } = await reported()
      const byPoint = await succeeded(patch(id, { lat: 10.4512, lng: 7.3391, precision: 'exact' }, '*'))
      assert.deepEqual([byPoint.state, byPoint.lga, byPoint.location.place], ['Kaduna', 'Chikun', null])
      assert.equal(byPoint.location.precision, 'exact')
      const byName = await succeeded(patch(id, { lga: 'Kajuru' }, '*'))
      assert.deepEqual([byName.state, byName.lga, byName.location.precision], ['Kaduna', 'Kajuru', 'lga'])
      const problem = await problemOf(await patch(id, { lat: 10.4512, lng: 7.3391, state: 'Kano' }, '*'))
      assert.match(problem.detail, /lies in Chikun, Kaduna, not in Kano/)
      assert.deepEqual((await historyOf(id)).at(-1)?.fields, ['location', 'confidence'])
    })

    it('computes the severity again, unless an editor has set it', async () => {
      const { id } = await reported({ type: 'protest', casualties: {} })
      assert.equal((await succeeded(patch(id, { casualties: { killed: 12 } }, '*'))).severity, 'critical')
      assert.equal((await succeeded(patch(id, { severity: 'medium' }, '*'))).severity, 'medium')
      assert.equal((await succeeded(patch(id, { casualties: { killed: 13 } }, '*'))).severity, 'medium')
      assert.equal((await succeeded(patch(id, { severity: null }, '*'))).severity, 'critical')
    })

    it('may override the confidence; the reasons name the desk until the override is removed', async () => {
      const { id, confidence } = await reported()
      const overridden = await succeeded(patch(id, { confidence: 0.95 }, '*'))
      assert.equal(overridden.confidence, 0.95)
      assert.deepEqual(
        overridden.confidence_reasons.filter(({ reason }) => reason === 'operator_override').map(({ value }) => value),
        ['the desk'],
      )
      const more = [{ publisher: 'Punch' }, { publisher: 'Reuters' }]
      assert.equal((await succeeded(patch(id, { sources: more }, '*'))).confidence, 0.95)
      const back = await succeeded(patch(id, { confidence: null }, '*'))
      assert(back.confidence > confidence && back.confidence < 0.95)
    })

    it('is checked like a report', async () => {
      const { id } = await reported()
      for (const [body, message] of [
        [{ occurred_at: '2030-01-01' }, /future/],
        [{ occurred_at: new Date(now + 1_800_000).toISOString() }, /future/],
        [{ occurred_until: new Date(now + 1_800_000).toISOString() }, /future/],
        [{ summary: '' }, /\/summary/],
        [{ sources: [{ url: 'ftp://x' }] }, /http or https/],
        [{ confidence: 2 }, /confidence/],
        [{ id: 'inc_x' }, /is not a field here/],
      ] as const)
        assert.match((await problemOf(await patch(id, body, '*'))).detail, message)
    })
  })

  describe('merging', () => {
    it('moves the sources, each once, and computes the confidence again', async () => {
      const story = { url: 'https://punchng.com/a', publisher: 'Punch' }
      const police = { publisher: 'Zamfara command', official: true }
      const into = await reported({ sources: [story] })
      await succeeded(transition(into.id, 'confirm'))
      const other = await reported({ sources: [{ ...story, url: 'https://www.punchng.com/a/' }, police] })
      const merged = await succeeded(transition(other.id, 'merge', { into: into.id }))
      assert.equal(merged.id, into.id)
      assert.deepEqual(
        merged.sources.map(({ publisher }) => publisher),
        ['Punch', 'Zamfara command'],
      )
      assert.deepEqual(merged.desk.official_sources, [1])
      assert(merged.confidence > into.confidence)
      assert.equal(merged.version, 2)
      assert.deepEqual(await eventsOf(into.id), ['incident.created', 'incident.updated'])
      const gone = await succeeded(app.get(`/v1/desk/incidents/${other.id}`, operator))
      assert.deepEqual([gone.status, gone.desk.merged_into], ['merged', into.id])
      assert.match((await historyOf(into.id)).at(-1)!.note!, new RegExp(other.id))
    })

    it('refuses the incident itself, an unknown one and one that is not open', async () => {
      const { id } = await reported()
      assert.equal((await problemOf(await transition(id, 'merge', { into: id }))).code, 'invalid_body')
      assert.equal((await problemOf(await transition(id, 'merge', { into: incidentId(998) }))).code, 'not_found')
      assert.equal((await problemOf(await transition(id, 'merge', {}))).code, 'invalid_body')
      const rejected = await reported()
      await succeeded(transition(rejected.id, 'reject'))
      const problem = await problemOf(await transition(id, 'merge', { into: rejected.id }))
      assert.match(problem.detail, /is rejected; the incident that remains must be reported or confirmed/)
      assert.equal((await succeeded(app.get(`/v1/desk/incidents/${id}`, operator))).status, 'reported')
    })

    it('of many into one at the same moment loses no source', async () => {
      const into = await reported({ sources: [] })
      const others = await Promise.all(
        Array.from({ length: 12 }, (_, index) => reported({ sources: [{ publisher: `Paper ${index}` }] })),
      )
      await Promise.all(others.map(({ id }) => succeeded(transition(id, 'merge', { into: into.id }))))
      const { sources } = await succeeded(app.get(`/v1/desk/incidents/${into.id}`, operator))
      assert.equal(new Set(sources.map(({ publisher }) => publisher)).size, 12)
    })
  })

  describe('the queue', () => {
    it('lists reports newest first, page by page', async () => {
      await using fresh = await startTestApp({}, { clock: () => now++ })
      const key = (await fresh.issue({ scopes: ['read', 'operate'] })).text
      const ids: string[] = []
      for (let index = 0; index < 5; index++) {
        const response = await fresh.post('/v1/reports', aReport({ occurred_at: `202${index}-01-01` }), key)
        ids.unshift(((await response.json()) as Desk).id)
      }
      const page = async (query: string) =>
        (await (await fresh.get(`/v1/desk/incidents?${query}`, key)).json()) as {
          data: Desk[]
          next_cursor: string | null
          has_more: boolean
        }
      const first = await page('limit=3')
      assert.deepEqual(
        first.data.map(({ id }) => id),
        ids.slice(0, 3),
      )
      const second = await page(`limit=3&cursor=${first.next_cursor}`)
      assert.deepEqual(
        second.data.map(({ id }) => id),
        ids.slice(3),
      )
      assert.deepEqual([second.has_more, second.next_cursor], [false, null])
    })

    it('lists confirmed ones by publication, page by page', async () => {
      await using fresh = await startTestApp()
      const key = (await fresh.issue({ scopes: ['read', 'operate'] })).text
      await fresh.publish([1, 2, 3, 4, 5].map((number) => anIncident(number)))
      let cursor = ''
      const seen: string[] = []
      do {
        const response = await fresh.get(`/v1/desk/incidents?status=confirmed&limit=2${cursor}`, key)
        const page = (await response.json()) as { data: Desk[]; next_cursor: string | null }
        seen.push(...page.data.map(({ id }) => id))
        cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
      } while (cursor !== '')
      assert.deepEqual(seen, [5, 4, 3, 2, 1].map(incidentId))
      const counts = (await (await fresh.get('/v1/desk/counts', key)).json()) as { status: Record<string, number> }
      assert.equal(counts.status.confirmed, 5, 'also those that the queue has no entry of')
    })

    it('refuses unknown parameters', async () => {
      for (const [query, code] of [
        ['status=confirmd', 'invalid_parameter'],
        ['limit=0', 'invalid_parameter'],
        ['limit=201', 'invalid_parameter'],
        ['cursor=xyz', 'invalid_cursor'],
        ['status=confirmed&cursor=xyz', 'invalid_cursor'],
        ['state=kadunna', 'invalid_parameter'],
        ['colour=red', 'invalid_parameter'],
      ] as const)
        assert.equal((await problemOf(await app.get(`/v1/desk/incidents?${query}`, operator))).code, code, query)
    })
  })

  describe("the operator's table of publishers", () => {
    it('overrides the built-in class, under any of its names, until the entry is removed', async () => {
      const sources = [{ publisher: 'The PUNCH Newspapers' }]
      const before = (await reported({ sources })).confidence
      await succeeded(app.post('/v1/desk/publishers', { name: 'Punch', class: 'social' }, operator))
      assert((await reported({ sources })).confidence < before)
      const { data } = (await (await app.get('/v1/desk/publishers', operator)).json()) as { data: { name: string }[] }
      assert.deepEqual(
        data.map(({ name }) => name),
        ['Punch'],
      )
      assert.equal((await app.delete('/v1/desk/publishers/punchng.com', operator)).status, 204)
      assert.equal((await reported({ sources })).confidence, before)
      assert.equal((await problemOf(await app.delete('/v1/desk/publishers/punchng.com', operator))).code, 'not_found')
    })

    it('accepts only known classes and valid names', async () => {
      for (const body of [{ name: 'A', class: 'tabloid' }, { name: '\u200b…', class: 'local' }, { class: 'local' }])
        assert.equal((await problemOf(await app.post('/v1/desk/publishers', body, operator))).code, 'invalid_body')
    })
  })
})

describe('webhooks', () => {
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
      await until(() => told(all).length === count + 1 && told(only).length >= 3)
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
})
