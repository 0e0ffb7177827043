import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { WATCH_EVENTS } from '../../../src/domain/watch.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { Editor } from '../../support/desk.ts'
import { anIncident, aReport } from '../../support/incident.ts'
import { readListening } from '../../support/readers.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'

describe('headers', () => {
  const TOKEN = 'Bearer s3cret-of-the-endpoint'

  interface Watch {
    id: string
    secret: string
    headers: Record<string, string>
  }

  let app: TestApp
  let endpoint: TestEndpoint
  let key: string
  const offset = 0
  let numbers = 0
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock: () => Date.now() + offset })
    endpoint = await startEndpoint()
  })
  beforeEach(async () => {
    endpoint.messages.length = 0
    endpoint.answer = (response) => response.writeHead(204).end()
    key = (await app.issue()).text
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  const create = (headers: unknown) =>
    app.post('/v1/watches', { name: `Mine ${++numbers}`, url: endpoint.url, headers }, key)
  const change = (id: string, headers: unknown) => app.patch(`/v1/watches/${id}`, { headers }, key, null)

  async function watching(headers: unknown): Promise<Watch> {
    const response = await create(headers)
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as Watch
  }

  async function changed(id: string, headers: unknown): Promise<Watch['headers']> {
    const response = await change(id, headers)
    assert.equal(response.status, 200, await response.clone().text())
    return ((await response.json()) as Watch).headers
  }

  /** Sends a test and returns the headers that arrived. */
  async function arrivedHeaders(id: string) {
    const { length } = endpoint.messages
    assert.equal((await app.post(`/v1/watches/${id}/test`, {}, key)).status, 200)
    return endpoint.messages.slice(length).find(({ json }) => json.watch_id === id)!.headers
  }

  describe('headers of a watch', () => {
    it('arrive with messages and tests, which verify as before, and are shown masked', async () => {
      const { id, secret, headers } = await watching({ 'X-Team': 'roads', Authorization: TOKEN })
      assert.deepEqual(headers, { 'X-Team': '***', Authorization: '***' })
      await app.publish([anIncident(++numbers)])
      const arrived = () => endpoint.messages.find(({ json }) => json.watch_id === id)
      await until(() => arrived() !== undefined, 'the message')
      const message = arrived()!
      assert.equal(message.headers['x-team'], 'roads')
      assert.equal(message.headers.authorization, TOKEN)
      assert.equal(message.headers['content-type'], 'application/json')
      new Webhook(secret).verify(message.body, message.headers as Record<string, string>)
      assert.equal((await arrivedHeaders(id)).authorization, TOKEN)
      for (const path of [`/v1/watches/${id}`, '/v1/watches']) {
        const text = await (await app.get(path, key)).text()
        assert.match(text, /"headers":\{"X-Team":"\*\*\*","Authorization":"\*\*\*"\}/)
        assert.doesNotMatch(text, /s3cret|"roads"/)
      }
    })

    it('are in the log of deliveries by name only', async () => {
      const { id } = await watching({ 'X-Team': TOKEN })
      await app.publish([anIncident(++numbers)])
      const delivery = async () => {
        const { data } = (await (await app.get(`/v1/watches/${id}/deliveries?status=delivered`, key)).json()) as {
          data: { id: string }[]
        }
        return data[0]
      }
      await until(async () => (await delivery()) !== undefined, 'the delivery')
      const text = await (await app.get(`/v1/deliveries/${(await delivery())!.id}`, key)).text()
      const { log, next } = JSON.parse(text) as { log: Watch[]; next: Watch }
      assert.equal(log[0]!.headers['X-Team'], '***')
      assert.equal(next.headers['X-Team'], '***')
      assert.doesNotMatch(text, /s3cret/)
    })

    it('are not told to a listener', async () => {
      const { id } = await watching({ 'X-Team': TOKEN })
      await using reader = await readListening(`${app.url}/v1/listen?watch=${id}`, key, {})
      await until(() => reader.events().length > 0, 'the first event')
      await arrivedHeaders(id)
      await until(() => reader.messages().length > 0, 'the test')
      const [message] = reader.messages()
      assert.ok((message!.headers as Record<string, string>)['webhook-signature'])
      assert.doesNotMatch(JSON.stringify(message), /X-Team|s3cret/i)
    })

    it('are replaced by a change, in which *** keeps a value', async () => {
      const { id } = await watching({ 'X-Team': 'roads', 'X-Old': 'old' })
      assert.deepEqual(await changed(id, { 'x-team': '***', 'X-New': 'new' }), { 'x-team': '***', 'X-New': '***' })
      const arrived = await arrivedHeaders(id)
      assert.deepEqual([arrived['x-team'], arrived['x-new'], arrived['x-old']], ['roads', 'new', undefined])
      const { errors } = await problemOf(await change(id, { 'X-Old': '***' }))
      assert.deepEqual(errors, [{ pointer: '/headers/X-Old', message: 'has no value that *** could keep: send one' }])
      await problemOf(await create({ 'X-Team': '***' }))
      assert.equal((await arrivedHeaders(id))['x-team'], 'roads', 'a refused change changes nothing')
      await app.patch(`/v1/watches/${id}`, { description: 'Another' }, key, null)
      assert.equal((await arrivedHeaders(id))['x-team'], 'roads', 'another change leaves them')
      assert.deepEqual(await changed(id, null), {})
      assert.equal((await arrivedHeaders(id))['x-team'], undefined)
      await changed(id, { 'X-Team': 'again' })
      assert.deepEqual(await changed(id, {}), {})
    })

    it('are not sent to another origin unless they are given again', async () => {
      await using other = await startEndpoint()
      const { id } = await watching({ 'X-Team': 'roads', Authorization: TOKEN })
      const move = (body: object) => app.patch(`/v1/watches/${id}`, body, key, null)
      const { origin } = new URL(endpoint.url)
      const { code, errors } = await problemOf(await move({ url: other.url, name: 'Moved' }))
      assert.deepEqual([code, errors], [
      'invalid_body',
      [
        {
          pointer: '/headers',
          message: `must be sent with a URL of another origin: the values of X-Team, Authorization were given for ${origin}; send them again, or {} to remove them`,
        },
      ],
    ]) // biome-ignore format: one check
      const kept = { 'x-team': 'roads', Authorization: '***' }
      assert.deepEqual((await problemOf(await move({ url: other.url, headers: kept }))).errors, [
        {
          pointer: '/headers/Authorization',
          message: `cannot be kept with ***: the value was given for ${origin}; send it again, or leave the header out`,
        },
      ])
      assert.equal((await arrivedHeaders(id)).authorization, TOKEN, 'a refused change changes nothing')
      assert.equal((await move({ url: `${endpoint.url}/other` })).status, 200, 'the same origin')
      assert.equal((await arrivedHeaders(id)).authorization, TOKEN)
      assert.equal((await move({ url: other.url, headers: { 'X-Team': 'again' } })).status, 200)
      assert.equal((await app.post(`/v1/watches/${id}/test`, {}, key)).status, 200)
      const [{ headers }] = other.messages as [(typeof other.messages)[number]]
      assert.deepEqual([headers['x-team'], headers.authorization], ['again', undefined])
      assert.equal((await move({ url: endpoint.url, headers: null })).status, 200)
      assert.equal((await arrivedHeaders(id))['x-team'], undefined)
    })

    it('are those of the moment for a delivery that is pending already', async () => {
      endpoint.answer = (response) => response.writeHead(500).end()
      const { id } = await watching({ 'X-Team': 'before' })
      await app.publish([anIncident(++numbers)])
      const mine = () => endpoint.messages.filter(({ json }) => json.watch_id === id)
      const attempts = async () => {
        const { data } = (await (await app.get(`/v1/watches/${id}/deliveries`, key)).json()) as {
          data: { attempts: number }[]
        }
        return data[0]?.attempts
      }
      await until(async () => (await attempts()) === 1, 'the first attempt')
      await changed(id, { 'X-Team': 'after' })
      assert.equal((await app.post(`/v1/watches/${id}/retry`, undefined, key)).status, 200)
      await until(() => mine().length === 2, 'the second attempt')
      assert.deepEqual(
        mine().map(({ headers }) => headers['x-team']),
        ['before', 'after'],
      )
    })
  })

  describe('headers that are refused', () => {
    const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'a']))
    const reserved = ['Host', 'content-length', 'Content-Type', 'Webhook-Signature', 'webhook-id', 'User-Agent']
    const ofConnections = ['Connection', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Expect']
    const others = ['Proxy-Authorization', 'Cookie2', 'X-Forwarded-For', 'Accept-Encoding']
    const refused: [string, unknown, RegExp][] = [
      ['a line break in a value', { 'X-Team': 'a\r\nX-Evil: 1' }, /^\/headers\/X-Team must be a text of 1 to 1024/],
      ['a line feed at the end of a value', { 'X-Team': 'a\n' }, /printable ASCII/],
      ['a control character in a value', { 'X-Team': 'a\u0001' }, /printable ASCII/],
      ['other letters in a value', { 'X-Team': 'Şalgam' }, /printable ASCII/],
      ['an empty value', { 'X-Team': '' }, /printable ASCII/],
      ['a number as a value', { 'X-Team': 5 }, /printable ASCII/],
      ['a long value', { 'X-Team': 'a'.repeat(1025) }, /1 to 1024/],
      ['a line break in a name', { 'X-Team\r\nX-Evil': 'a' }, /has a name with other characters/],
      ['a colon in a name', { 'X-Team:': 'a' }, /has a name with other characters/],
      ['an empty name', { '': 'a' }, /has a name with other characters/],
      ['a long name', { ['X'.repeat(65)]: 'a' }, /more than 64 characters/],
      ['eleven', eleven, /^\/headers has 11 headers; a watch may have 10/],
      ['the same name in another case', { 'X-Team': 'a', 'x-tEAM': 'b' }, /^\/headers\/x-tEAM is there twice/],
      ['a list', ['X-Team'], /^\/headers must be an object/],
      ['a text', 'X-Team: a', /^\/headers must be an object/],
      ...[...reserved, ...ofConnections, ...others].map((name): [string, unknown, RegExp] => [
        name,
        { [name]: 'a' },
        new RegExp(`^/headers/${name} cannot be set: `),
      ]),
    ]
    for (const [name, headers, detail] of refused) {
      it(`${name}, when a watch is created and when it is changed`, async () => {
        const problem = await problemOf(await create(headers))
        assert.equal(problem.code, 'invalid_body')
        assert.match(problem.detail, detail)
        const { id } = await watching({ 'X-Team': 'roads' })
        assert.match((await problemOf(await change(id, headers))).detail, detail)
        assert.equal((await arrivedHeaders(id))['x-team'], 'roads')
      })
    }

    it('take names and values of the longest length, and names that JavaScript knows', async () => {
      const longest = 'X'.repeat(64)
      const { id } = await watching(
        JSON.parse(`{"${longest}":"${'~'.repeat(1024)}","__proto__":"own","constructor":"too"}`),
      )
      const arrived = await arrivedHeaders(id)
      assert.equal(arrived[longest.toLowerCase()], '~'.repeat(1024))
      assert.equal(Object.getOwnPropertyDescriptor(arrived, 'constructor')?.value, 'too')
    })
  })
})

describe('schedules', () => {
  let app: TestApp
  let key: string
  let numbers = 0
  before(async () => {
    app = await startTestApp()
    key = (await app.issue()).text
  })
  after(() => app[Symbol.asyncDispose]())

  const NONE = { every: 'none', hour: null, break_severity: null }
  const create = (more: object) =>
    app.post(
      '/v1/watches',
      { name: `Scheduled ${++numbers}`, url: 'https://192.0.43.8/hook', filter: {}, ...more },
      key,
    )

  async function made(more: object): Promise<{ id: string; digest: unknown; quiet_hours: unknown }> {
    const response = await create(more)
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as { id: string; digest: unknown; quiet_hours: unknown }
  }
  const scheduleOf = ({ digest, quiet_hours }: { digest: unknown; quiet_hours: unknown }) => [digest, quiet_hours]

  describe('the schedule of a watch', () => {
    it('is at once unless something else is asked for', async () => {
      assert.deepEqual(scheduleOf(await made({})), [NONE, null])
      assert.deepEqual(scheduleOf(await made({ digest: { every: 'none' }, quiet_hours: null })), [NONE, null])
    })

    it('has defaults, is shown as it is kept, and is changed part by part', async () => {
      const watch = await made({ digest: { every: 'daily' }, quiet_hours: { from: '22:30', until: '06:00' } })
      const digest = { every: 'daily', hour: 7, break_severity: null }
      assert.deepEqual(scheduleOf(watch), [digest, { from: '22:30', until: '06:00', break_severity: 'critical' }])
      const change = async (body: object) => {
        const response = await app.patch(`/v1/watches/${watch.id}`, body, key, null)
        assert.equal(response.status, 200, await response.clone().text())
        return scheduleOf((await response.json()) as typeof watch)
      }
      assert.deepEqual(await change({ quiet_hours: null }), [digest, null])
      assert.deepEqual(await change({ digest: { every: 'hourly', break_severity: 'high' } }), [
        { every: 'hourly', hour: null, break_severity: 'high' },
        null,
      ])
      const quiet = { from: '00:00', until: '05:30', break_severity: null }
      const hourly = { every: 'hourly', hour: null, break_severity: 'high' }
      assert.deepEqual(await change({ digest: hourly }), [hourly, null], 'as it was read')
      assert.deepEqual((await change({ quiet_hours: quiet }))[1], quiet)
      assert.deepEqual(await change({ digest: { every: 'none' } }), [NONE, quiet])
    })

    const wrong: readonly (readonly [string, object, string])[] = [
      ['an unknown interval', { digest: { every: 'weekly' } }, '/digest/every'],
      ['an hour that no day has', { digest: { every: 'daily', hour: 24 } }, '/digest/hour'],
      ['an hour of an hourly digest', { digest: { every: 'hourly', hour: 3 } }, '/digest/hour'],
      [
        'a severity that breaks no digest',
        { digest: { every: 'none', break_severity: 'high' } },
        '/digest/break_severity',
      ],
      ['an unknown severity', { digest: { every: 'hourly', break_severity: 'awful' } }, '/digest/break_severity'],
      ['an unknown member', { digest: { every: 'hourly', minute: 3 } }, '/digest/minute'],
      ['a time that no clock shows', { quiet_hours: { from: '24:00', until: '06:00' } }, '/quiet_hours/from'],
      ['quiet hours without an end', { quiet_hours: { from: '22:00' } }, '/quiet_hours/until'],
      ['quiet hours without length', { quiet_hours: { from: '22:00', until: '22:00' } }, '/quiet_hours/until'],
      [
        'a digest in the quiet hours',
        { digest: { every: 'daily', hour: 5 }, quiet_hours: { from: '22:00', until: '06:00' } },
        '/digest/hour',
      ],
    ]
    for (const [name, body, pointer] of wrong)
      it(`is refused: ${name}`, async () => {
        const problem = await problemOf(await create(body))
        assert.equal(problem.status, 422)
        assert.equal((problem.errors![0] as { pointer?: string }).pointer, pointer)
      })
  })
})

describe('following', () => {
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
          assert.equal(
            problem.errors![0]!.message,
            `names no public incident: ${unknown}; GET /v1/incidents has the ids`,
          )
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
})

describe('explain', () => {
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
})
