import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Incident } from '../../../src/domain/incident.ts'
import { places } from '../../../src/geo/places.ts'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'
import { anIncident, incidentId } from '../../support/incident.ts'
import { connect } from './connect.ts'

describe('protocol', () => {
  let app: TestApp
  let key: string
  before(async () => {
    app = await startTestApp({ RATE_LIMIT: '1000' })
    await app.publish([anIncident(1)])
    key = (await app.issue()).text
  })
  after(() => app[Symbol.asyncDispose]())

  const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
  const LIST = message('tools/list')

  const errorOf = async (response: Response) => {
    const { error, id } = (await response.json()) as { error: { code: number; message: string }; id: unknown }
    return { status: response.status, id, ...error }
  }

  test('a client with curl gets JSON, without a handshake and with any Accept that takes JSON', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/event-stream', 'application/*;q=0.5']) {
      const response = await app.post('/mcp', LIST, key, { accept })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(((await response.json()) as { result: { tools: unknown[] } }).result.tools.length, 6)
    }
  })

  test('no key, a wrong key and a key of another scope are refused as on every route', async () => {
    const missing = await app.post('/mcp', LIST, null)
    assert.match(missing.headers.get('www-authenticate')!, /^Bearer/)
    assert.deepEqual((await problemOf(missing)).code, 'missing_key')
    assert.equal((await problemOf(await app.post('/mcp', LIST, 'inf_live_wrong'))).code, 'mistyped_key')
    const { text } = await app.issue({ scopes: ['watch'] })
    assert.equal((await problemOf(await app.post('/mcp', LIST, text))).code, 'insufficient_scope')
  })

  test('a publishable key may ask, and each request counts', async () => {
    const { text } = await app.issue({ kind: 'publishable', scopes: ['read'] })
    const response = await app.post('/mcp', LIST, text)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('ratelimit')!, /r=\d+/)
  })

  test('above the limit of the account an assistant gets 429 and when to come back', async () => {
    await using slow = await startTestApp({ RATE_LIMIT: '2' })
    const { text } = await slow.issue()
    const answers = [
      await slow.post('/mcp', LIST, text),
      await slow.post('/mcp', LIST, text),
      await slow.post('/mcp', LIST, text),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 429],
    )
    assert(Number(answers[2]!.headers.get('retry-after')) > 0)
  })

  test('other methods are refused with what is allowed, and other formats too', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(`${app.url}/mcp`, { method, headers: { authorization: `Bearer ${key}` } })
      assert.equal(response.headers.get('allow'), 'POST')
      assert.equal((await problemOf(response)).code, 'method_not_allowed')
    }
    assert.equal((await problemOf(await app.post('/mcp', LIST, key, { accept: 'text/html' }))).code, 'not_acceptable')
    assert.equal((await problemOf(await app.post('/mcp', 'x', key, { 'content-type': 'text/plain' }))).status, 415)
  })

  test('a notification is accepted without an answer', async () => {
    const response = await app.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }, key)
    assert.deepEqual([response.status, await response.text()], [202, ''])
  })

  test('a batch is refused whole, however long', async () => {
    for (const length of [0, 1, 3000]) {
      const refused = await errorOf(await app.post('/mcp', Array(length).fill(LIST), key))
      assert.deepEqual([refused.status, refused.code, refused.id], [400, -32600, null])
      assert.match(refused.message, /not a batch/)
    }
    // 10,000 messages are more than any body may have.
    assert.equal((await problemOf(await app.post('/mcp', Array(10_000).fill(LIST), key))).code, 'body_too_large')
  })

  test('an id that no answer may carry is refused, and not repeated', async () => {
    for (const id of [0.5, null, true, {}, []])
      for (const method of ['tools/list', 'subscriptions/listen', 'Text 1']) {
        const refused = await errorOf(await app.post('/mcp', { jsonrpc: '2.0', id, method }, key))
        assert.deepEqual([refused.status, refused.code, refused.id], [400, -32600, null])
        assert.match(refused.message, /string or a whole number/)
      }
  })

  test('bodies that are too large, too deep or no message are refused', async () => {
    const huge = message('tools/call', { name: 'locate', arguments: { place: 'x'.repeat(300_000) } })
    assert.equal((await problemOf(await app.post('/mcp', huge, key))).code, 'body_too_large')
    assert.equal(
      (await problemOf(await app.post('/mcp', `${'['.repeat(100)}${']'.repeat(100)}`, key))).code,
      'invalid_body',
    )
    assert.equal((await problemOf(await app.post('/mcp', '{', key))).code, 'malformed_json')
    for (const body of ['null', '1', '"tools/list"', ''])
      assert.deepEqual((await errorOf(await app.post('/mcp', body, key))).code, -32600)
    for (const body of [{}, { jsonrpc: '1.0', id: 1, method: 'tools/list' }, { jsonrpc: '2.0', id: {}, method: 'x' }])
      assert.equal((await app.post('/mcp', body, key)).status, 400)
  })

  test('unknown methods, wrong parameters and open subscriptions are refused', async () => {
    assert.equal((await errorOf(await app.post('/mcp', message('tools/burn'), key))).code, -32601)
    assert.equal((await errorOf(await app.post('/mcp', message('tools/call', { name: 5 }), key))).code, -32602)
    assert.equal(
      (await errorOf(await app.post('/mcp', message('tools/call', { name: 'locate', arguments: [] }), key))).code,
      -32602,
    )
    const subscribed = await errorOf(await app.post('/mcp', message('subscriptions/listen'), key))
    assert.deepEqual([subscribed.status, subscribed.code, subscribed.id], [404, -32601, 1])
  })

  test('a name from the prototype is no argument', async () => {
    const given =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"locate","arguments":{"__proto__":{"place":"Jos"},"toString":1}}}'
    const { result } = (await (await app.post('/mcp', given, key)).json()) as { result: { isError: boolean } }
    assert.equal(result.isError, true)
  })
})

describe('tools', () => {
  const COUNT = 45
  const NOW = Date.UTC(2026, 0, 2)
  let app: TestApp
  const clients: Record<string, Client> = {}
  before(async () => {
    app = await startTestApp({}, { clock: () => NOW })
    const incidents = Array.from({ length: COUNT }, (_, number) => anIncident(number + 1))
    incidents[0] = anIncident(1, {
      state: 'Lagos',
      lga: null,
      severity: 'low',
      location: { ...anIncident().location, state_code: 'NG-LA', lga_code: null, lga_basis: null },
    })
    incidents[1] = anIncident(2, { summary: 'ọ̀ '.repeat(500) })
    incidents[2] = anIncident(3, {
      sources: Array.from({ length: 50 }, (_, number) => ({
        url: `https://example.org/${number}`,
        publisher: `Paper ${number}`,
        published_at: null,
      })),
    })
    await app.publish(incidents)
    await app.publish([anIncident(3000)])
    await app.publish([anIncident(3000, { status: 'retracted', version: 2 })], 'incident.retracted')
    const { text } = await app.issue()
    clients.newest = await connect(app, text)
    clients.older = await connect(app, text, 'legacy')
  })
  after(async () => {
    for (const client of Object.values(clients)) await client.close()
    await app[Symbol.asyncDispose]()
  })

  interface Result {
    readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[]
    readonly structuredContent: Record<string, never>
    readonly isError?: boolean
  }

  /**
   * The client itself validates against `outputSchema`, and throws where the content does not fit.
   */
  async function call(name: string, given: object, client = clients.newest!): Promise<Result> {
    return (await client.callTool({ name, arguments: given as Record<string, unknown> })) as unknown as Result
  }

  const CALLS: [string, object][] = [
    ['search_incidents', { state: ['Kaduna'], since: '7d', limit: 3 }],
    ['search_incidents', { near: '10.45,7.34', radius_km: 5, order: 'oldest' }],
    ['get_incident', { id: incidentId(2) }],
    ['area_summary', { state: ['kaduna'] }],
    ['area_summary', {}],
    ['statistics', { group_by: ['severity', 'day'] }],
    [
      'statistics',
      {
        group_by: ['type'],
        polygon: {
          type: 'Polygon',
          coordinates: [
            [
              [7, 10],
              [8, 10],
              [8, 11],
              [7, 10],
            ],
          ],
        },
      },
    ],
    ['trends', { period: 'month' }],
    ['trends', { group_by: 'lga', only: ['Chikun'], period: 'week', periods: 5 }],
    ['locate', { place: 'Kafanchan' }],
    ['locate', { lat: 10.52, lng: 7.44 }],
  ]

  for (const era of ['newest', 'older']) {
    test(`the official client lists and calls every tool, in the ${era} revision`, async () => {
      const client = clients[era]!
      assert.equal(client.getServerVersion()?.name, 'incident-feed')
      const { tools } = await client.listTools()
      assert.deepEqual(new Set(CALLS.map(([name]) => name)), new Set(tools.map(({ name }) => name)))
      const ajv = formats.default(new Ajv2020({ strict: false }))
      for (const { name, annotations, inputSchema, outputSchema, description } of tools) {
        assert.equal(annotations?.readOnlyHint, true)
        assert(description && outputSchema, name)
        const [takes, gives] = [ajv.compile(inputSchema), ajv.compile(outputSchema as object)]
        for (const [, given] of CALLS.filter(([called]) => called === name)) {
          assert(takes(given), `${name}: ${ajv.errorsText(takes.errors)}`)
          const { structuredContent, content, isError } = await call(name, given, client)
          assert.notEqual(isError, true, JSON.stringify(content))
          assert(gives(structuredContent), `${name}: ${ajv.errorsText(gives.errors)}`)
          assert.deepEqual(JSON.parse(content[0]!.text!), structuredContent)
        }
      }
    })
  }

  test('the revisions differ, and both are served', () => {
    assert.match(clients.newest!.getNegotiatedProtocolVersion()!, /^2026-/)
    assert.match(clients.older!.getNegotiatedProtocolVersion()!, /^2025-/)
  })

  test('pages of up to 20 lead to every incident once, by cursor', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { structuredContent } = await call('search_incidents', { limit: 20, ...(cursor ? { cursor } : {}) })
      const { incidents, next_cursor } = structuredContent as unknown as { incidents: Incident[]; next_cursor: string }
      assert(incidents.length <= 20)
      seen.push(...incidents.map(({ id }) => id))
      cursor = next_cursor
    } while (cursor)
    assert.deepEqual(
      seen,
      Array.from({ length: COUNT }, (_, number) => incidentId(COUNT - number)),
    )
  })

  test('a search gives what the list of the API gives', async () => {
    const { structuredContent } = await call('search_incidents', { severity: ['high'], limit: 5, min_confidence: 0.5 })
    const listed = (await (await app.get('/v1/incidents?severity=high&limit=5&min_confidence=0.5')).json()) as {
      data: Incident[]
    }
    const { incidents } = structuredContent as unknown as { incidents: Incident[] }
    assert.deepEqual(
      incidents.map(({ id, summary }) => [id, summary]),
      listed.data.map(({ id, summary }) => [id, summary]),
    )
  })

  test('an answer is bounded: long summaries are cut, sources counted, buckets limited', async () => {
    const { structuredContent } = await call('search_incidents', { limit: 20, order: 'oldest' })
    const { incidents } = structuredContent as unknown as { incidents: Incident[] }
    assert.equal(incidents[1]!.summary.length, 400)
    const one = await call('get_incident', { id: incidentId(3) })
    assert.equal((one.structuredContent as unknown as { incident: Incident }).incident.sources.length, 20)
    assert.equal(one.structuredContent.sources_total, 50)
    const refused = await call('statistics', { group_by: ['lga', 'hour'], since: '1d' })
    assert.equal(refused.isError, true)
    assert.match(refused.content[0]!.text!, /the maximum is 100 buckets/)
  })

  test('places with the most incidents come first, and what is left out is said', async () => {
    await using many = await startTestApp()
    const spread = places.lgas.slice(0, 150).map((lga, number) =>
      anIncident(number + 1, {
        state: lga.state.name,
        lga: lga.name,
        location: { ...anIncident().location, state_code: lga.state.code, lga_code: lga.code },
      }),
    )
    await many.publish(spread)
    const client = await connect(many, (await many.issue()).text)
    const { structuredContent } = await call('statistics', { group_by: ['lga'] }, client)
    const { data, buckets, truncated, total } = structuredContent as unknown as {
      data: unknown[]
      buckets: number
      truncated: boolean
      total: { count: number }
    }
    assert.deepEqual([data.length, buckets, truncated, total.count], [100, 150, true, 150])
    const compared = (await call('trends', { group_by: 'lga', period: 'month' }, client)).structuredContent
    const {
      data: shown,
      groups,
      truncated: isCut,
      higher,
    } = compared as unknown as {
      data: unknown[]
      groups: number
      truncated: boolean
      higher: number
    }
    assert.deepEqual([shown.length, groups, isCut, higher], [40, 150, true, 0])
    await client.close()
  })

  test('an area is summarised with the time before, and links to its newest incidents', async () => {
    const { structuredContent, content } = await call('area_summary', { state: ['Kaduna'], since: '1410m' })
    const summary = structuredContent as unknown as {
      total: { count: number }
      previous: { total: { count: number } }
      by_severity: unknown
      by_lga: unknown
    }
    // 1410 minutes before midnight is 00:30: incidents 30 to 45 are later, 2 to 29 in the time
    // before.
    assert.deepEqual([summary.total.count, summary.previous.total.count], [16, 28])
    assert.deepEqual(summary.by_severity, [{ key: 'high', label: 'High', count: 16 }])
    assert.deepEqual(summary.by_lga, [{ key: 'NG-KD-CHIKUN', label: 'Chikun', count: 16 }])
    const links = content.filter(({ type }) => type === 'resource_link').map(({ uri }) => uri)
    assert.deepEqual(
      links,
      [45, 44, 43, 42, 41].map((number) => `incident-feed://incidents/${incidentId(number)}`),
    )
  })

  test('the links of an incident lead to the incident and to its page', async () => {
    const { content } = await call('get_incident', { id: incidentId(7) })
    const [incident, page] = content.filter(({ type }) => type === 'resource_link')
    const { contents } = await clients.newest!.readResource({ uri: incident!.uri! })
    const read = JSON.parse((contents[0] as { text: string }).text) as Incident
    assert.deepEqual(read, await (await app.get(`/v1/incidents/${incidentId(7)}`)).json())
    const shown = await fetch(page!.uri!, { headers: { accept: 'text/html' } })
    assert.match(await shown.text(), /Gonin Gora/)
    assert.deepEqual(
      (await clients.newest!.listResourceTemplates()).resourceTemplates[0]!.uriTemplate,
      'incident-feed://incidents/{id}',
    )
  })

  const WRONG: [string, object, RegExp][] = [
    ['search_incidents', { state: ['Kadunna'] }, /"Kadunna" is not a state[\s\S]*did you mean Kaduna\?/],
    ['search_incidents', { stat: ['Kaduna'] }, /\/stat is not an argument[\s\S]*did you mean state\?/],
    ['search_incidents', { format: 'csv' }, /\/format is not an argument/],
    ['search_incidents', { limit: 21 }, /\/limit must be a whole number from 1 to 20; for more, follow next_cursor/],
    ['search_incidents', { limit: '1000' }, /\/limit must be a whole number from 1 to 20/],
    ['search_incidents', { limit: 0 }, /\/limit must be a whole number/],
    ['search_incidents', { cursor: 'x' }, /cursor was not issued by this service/],
    ['search_incidents', { lga: ['Obi'] }, /Obi/],
    ['search_incidents', { state: Array.from({ length: 101 }, () => 'Kaduna') }, /too_many_values/],
    ['get_incident', { id: incidentId(999) }, /There is no incident with this id/],
    ['get_incident', { id: incidentId(3000) }, /retracted\. Delete your copy/],
    ['get_incident', {}, /\/id must be the id of an incident/],
    ['statistics', {}, /group_by is missing/],
    ['statistics', { group_by: ['sate'] }, /did you mean state\?/],
    ['area_summary', { state: 'Kano', since: 'soon' }, /since takes a count/],
    ['area_summary', { since: '2030-01-01' }, /\/since must be in the past/],
    ['area_summary', { type: 'kidnapping' }, /\/type is not an argument/],
    ['trends', {}, /\/period is missing; give week or month/],
    ['trends', { period: 'week', since: '7d' }, /\/since is not an argument/],
    [
      'trends',
      { period: 'week', group_by: 'state', only: 'Kadunna' },
      /\/only "Kadunna" is not a state[\s\S]*did you mean Kaduna\?/,
    ],
    ['trends', { period: 'week', group_by: 'lga', periods: 12 }, /\/periods asks for 12 periods of up to 774 LGAs/],
    ['locate', {}, /give one of the two/],
    ['locate', { place: 'Jos', lat: 1 }, /give one of the two/],
    ['locate', { lat: 3.4, lng: 6.5 }, /With the numbers swapped it is in Nigeria/],
    ['locate', { lat: 10 }, /lng is missing/],
    ['locate', { lat: 10, lng: 7, state: 'Kaduna' }, /\/state goes with place only/],
    ['locate', { place: 'x'.repeat(201) }, /up to 200 characters/],
    ['locate', { place: 'Kafanchan', state: 'Kadunna' }, /did you mean Kaduna\?/],
  ]

  for (const [name, given, expected] of WRONG) {
    test(`${name} with ${JSON.stringify(given).slice(0, 60)} is refused with a sentence that helps`, async () => {
      const { isError, content, structuredContent } = await call(name, given)
      assert.equal(isError, true)
      assert.match(content[0]!.text!, expected)
      assert.equal(structuredContent, undefined)
    })
  }

  test('an unknown tool, resource or method is a JSON-RPC error', async () => {
    await assert.rejects(call('search_incident', {}), /did you mean search_incidents\?/)
    await assert.rejects(
      clients.newest!.readResource({ uri: `incident-feed://incidents/${incidentId(999)}` }),
      /no incident/,
    )
    await assert.rejects(clients.newest!.readResource({ uri: 'file:///etc/passwd' }), /no incident/)
  })

  const AREA_QUESTIONS: [string, object][] = [
    ['search_incidents', {}],
    ['statistics', { group_by: ['state'] }],
    ['area_summary', {}],
  ]

  test('a saved area of the account is a filter, and an unknown one is refused', async () => {
    const { text } = await app.issue()
    const square = [
      [3, 6],
      [4, 6],
      [4, 7],
      [3, 6],
    ]
    const polygon = { type: 'Polygon', coordinates: [square] }
    const { id } = (await (await app.post('/v1/areas', { name: 'Far away', polygon }, text)).json()) as { id: string }
    const client = await connect(app, text)
    const { structuredContent } = await call('search_incidents', { area: id }, client)
    assert.deepEqual(structuredContent.incidents, [])
    const counted = (await call('statistics', { group_by: ['state'], area: id }, client)).structuredContent
    assert.deepEqual(counted.data, [])
    const countedIn = async (area: string) => {
      const { structuredContent: summary, content } = await call('area_summary', { area, since: '2d' }, client)
      assert.ok(summary, content[0]!.text!)
      return (summary as unknown as { total: { count: number } }).total.count
    }
    assert.equal(await countedIn(id), 0)
    const circle = { lat: anIncident().lat, lng: anIncident().lng, radius_km: 5 }
    const here = (await (await app.post('/v1/areas', { name: 'Here', circle }, text)).json()) as { id: string }
    assert.equal(await countedIn(here.id), COUNT)
    const both = await call('area_summary', { area: here.id, near: '10,7', radius_km: 5 }, client)
    assert.match(both.content[0]!.text!, /area cannot be combined with near/)
    for (const [name, given] of AREA_QUESTIONS) {
      // Of another account: refused as if it did not exist.
      const { isError, content } = await call(name, { ...given, area: id })
      assert.equal(isError, true, name)
      assert.match(content[0]!.text!, /Your account has no such area/)
    }
    await client.close()
  })
})
