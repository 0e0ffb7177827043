import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { aReport } from '../support/incident.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const inMinutes = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()

let app: TestApp
let operator: string
before(async () => {
  app = await startTestApp({}, { clock: () => NOW })
  operator = (await app.issue({ name: 'Desk Kaduna', scopes: ['read', 'operate'] })).text
})
after(() => app[Symbol.asyncDispose]())

interface Desk {
  id: string
  status: string
  version: number
  severity: string
  confidence: number
  summary: string
  sources: { url: string | null; publisher: string; published_at: string | null }[]
  desk: {
    text: string | null
    possible_duplicates: { id: string; score: number; status: string; reasons: object[]; differs: string[] }[]
  }
  [field: string]: unknown
}

async function submit(changes: Record<string, unknown> = {}): Promise<Desk> {
  const response = await app.post('/v1/reports', aReport(changes), operator)
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as Desk
}

describe('a report', () => {
  it('becomes a located incident with severity and confidence that only the desk can see', async () => {
    const incident = await submit({ text: 'BREAKING: Gunmen…', summary: 'Gunmen abducted eleven  people (Punch)' })
    assert.equal(incident.status, 'reported')
    assert.equal(incident.version, 1)
    assert.equal(incident.category, 'abduction')
    assert.equal(incident.severity, 'critical', 'eleven abducted')
    assert.equal(incident.state, 'Zamfara')
    assert.equal(incident.lga, 'Gusau')
    assert.equal(incident.summary, 'Gunmen abducted eleven people.')
    assert.equal(incident.desk.text, 'BREAKING: Gunmen…')
    assert.deepEqual([incident.published_at, incident.confirmed_at], [null, null])
    const reasons = incident.confidence_reasons as { weight: number }[]
    assert.equal(Math.round(reasons.reduce((sum, { weight }) => sum + weight, 0) * 100) / 100, incident.confidence)
    assert.equal((await app.get(`/v1/incidents/${incident.id}`)).status, 404)
    assert.equal((await app.get(`/v1/desk/incidents/${incident.id}`)).status, 403, 'the desk needs its scope')
    assert.equal((await app.get(`/v1/desk/incidents/${incident.id}`, operator)).status, 200)
  })

  it('may be as short as type, day, place and summary', async () => {
    const body = { type: 'riot', occurred_at: '2026-05-01', lga: 'Chikun', summary: 'A riot' }
    const incident = (await (await app.post('/v1/reports', body, operator)).json()) as Desk
    assert.equal(incident.time_precision, 'day')
    assert.deepEqual(incident.casualties, { killed: null, injured: null, abducted: null })
    assert.equal((incident.location as { precision: string }).precision, 'lga')
    assert.deepEqual(incident.sources, [])
  })

  it('keeps markup as text, and drops invisible characters', async () => {
    const incident = await submit({
      summary: 'Men with \u202e<script>alert(1)</script> & "guns" near\u0007 Gusau',
      place: 'Gusau <b>town</b>',
      sources: [{ publisher: 'Daily\u0001 <i>Trust</i>' }],
    })
    assert.equal(incident.summary, 'Men with <script>alert(1)</script> & "guns" near Gusau.')
    assert.equal(incident.sources[0]?.publisher, 'Daily <i>Trust</i>')
    assert.equal((incident.location as { place: string }).place, 'Gusau <b>town</b>')
  })

  it('names an unnamed publisher by its URL', async () => {
    const { sources } = await submit({
      sources: [{ url: 'https://www.premiumtimesng.com/a', published_at: '2026-05-02' }],
    })
    assert.deepEqual(sources, [
      {
        url: 'https://www.premiumtimesng.com/a',
        publisher: 'premiumtimesng.com',
        published_at: '2026-05-02T00:00:00Z',
      },
    ])
  })

  it('gains confidence from a second publisher, but not from the same story twice', async () => {
    const one = { url: 'https://punchng.com/a', publisher: 'Punch' }
    const alone = (await submit({ sources: [one] })).confidence
    const again = (
      await submit({ sources: [one, { url: 'https://punchng.com/a?utm_source=x', publisher: 'Punch NG' }] })
    ).confidence
    const second = (
      await submit({ sources: [one, { url: 'https://guardian.ng/b', publisher: 'The Guardian Nigeria' }] })
    ).confidence
    assert.equal(again, alone)
    assert(second > alone)
  })

  it('lists its possible duplicates, reported or published', async () => {
    const changes = {
      occurred_at: '2026-03-03T08:00:00Z',
      state: 'Kaduna',
      place: 'Zaria',
      summary: 'Bandits attacked a market in Zaria and took away seven traders.',
      casualties: { abducted: 7 },
    }
    const first = await submit(changes)
    const again = { ...changes, summary: 'Seven traders taken away as bandits attack Zaria market.' }
    const second = await submit(again)
    assert.deepEqual(
      second.desk.possible_duplicates.map(({ id, status }) => [id, status]),
      [[first.id, 'reported']],
    )
    await app.post(`/v1/desk/incidents/${first.id}/confirm`, '', operator)
    await until(() => app.archive.slotOf(first.id) !== null)
    const third = await submit(again)
    assert.deepEqual(
      third.desk.possible_duplicates.map(({ id, status }) => [id, status]).sort(),
      [
        [first.id, 'confirmed'],
        [second.id, 'reported'],
      ].sort(),
    )
    const elsewhere = await submit({ ...again, place: 'Kafanchan' })
    assert.deepEqual(elsewhere.desk.possible_duplicates, [])
  })

  it('lists the classic duplicate of another type and spelling, with reasons and the fields that differ', async () => {
    const first = await submit({
      type: 'kidnapping',
      occurred_at: '2026-04-03',
      state: 'Kaduna',
      lga: 'Chikun',
      place: 'Gonin Gora',
      lat: 10.4512,
      lng: 7.3391,
      summary: 'Gunmen abducted 11 people at Gonin Gora.',
      casualties: { abducted: 11 },
      sources: [{ url: 'https://punchng.com/gonin', publisher: 'Punch' }],
    })
    const second = await submit({
      type: 'banditry',
      occurred_at: '2026-04-04',
      state: 'Kaduna',
      lga: 'Chikun',
      place: 'Gonin-Gora',
      lat: 10.4712,
      lng: 7.3291,
      summary: 'Bandits storm Gonin-Gora, kill 3, abduct 18.',
      casualties: { killed: 3, abducted: 18 },
      sources: [{ url: 'https://guardian.ng/gonin', publisher: 'The Guardian Nigeria' }],
    })
    const [candidate, ...others] = second.desk.possible_duplicates
    assert.deepEqual(others, [])
    assert.equal(candidate!.id, first.id)
    assert.deepEqual(candidate!.reasons[0], { reason: 'place_name', finding: 'same', weight: 4 })
    assert.deepEqual(candidate!.differs, ['type', 'place', 'point', 'occurred_at', 'casualties', 'summary'])
  })

  const wrong: [name: string, changes: Record<string, unknown>, pointer: string, message: RegExp][] = [
    ['no type', { type: undefined }, '/type', /is missing/],
    ['an unknown type', { type: 'kidnaping' }, '/type', /must be one of kidnapping, /],
    ['a date in the future', { occurred_at: '2026-11-17' }, '/occurred_at', /in the future; .*1960 and 2026-11-15/],
    [
      'a time half an hour ahead',
      { occurred_at: inMinutes(30) },
      '/occurred_at',
      /^2026-11-15T12:30:00.000Z lies in the future; it must lie between 1960 and 2026-11-15T12:00:00Z, which is now/,
    ],
    ['an end half an hour ahead', { occurred_until: inMinutes(30) }, '/occurred_until', /in the future/],
    ['a date before 1960', { occurred_at: '1959-12-31' }, '/occurred_at', /before 1960/],
    ['a day that does not exist', { occurred_at: '2026-02-30' }, '/occurred_at', /RFC 3339/],
    ['a date in words', { occurred_at: 'yesterday' }, '/occurred_at', /RFC 3339/],
    ['a number for a date', { occurred_at: 1767225600 }, '/occurred_at', /must be string/],
    ['a wrong time precision', { time_precision: 'minute' }, '/time_precision', /must be one of exact, hour/],
    ['a latitude without longitude', { lat: 10.5 }, '/lng', /give both or neither/],
    ['a latitude of 100', { lat: 100, lng: 7 }, '/lat', /must be <= 90/],
    ['a latitude as text', { lat: '10.5', lng: 7 }, '/lat', /must be number/],
    ['coordinates swapped', { lat: 3.4, lng: 6.45, state: 'Lagos' }, '/lat', /swapped: .*Lagos/],
    ['coordinates abroad', { lat: 48.85, lng: 2.35, state: null, place: null }, '/lat', /outside Nigeria/],
    [
      'coordinates outside the named state',
      { lat: 10.4512, lng: 7.3391 },
      '/lat',
      /lies in Chikun, Kaduna, not in Zamfara/,
    ],
    ['an unknown state', { state: 'Zamfra' }, '/state', /is not a state of Nigeria/],
    ['an LGA of another state', { lga: 'Chikun' }, '/lga', /lies in Kaduna, not in Zamfara/],
    ['an LGA that is in two states', { state: undefined, lga: 'Surulere' }, '/lga', /Lagos and Oyo: name the state/],
    ['no place', { state: undefined, place: undefined }, '/place', /is missing/],
    ['an unknown place', { state: undefined, place: 'Xyzzyville' }, '/place', /is not a known place/],
    ['an ambiguous place', { state: undefined, place: 'Ado' }, '/place', /could be several places/],
    ['no summary and no text', { summary: undefined }, '/summary', /is missing/],
    ['a summary without letters and digits', { summary: '…\u200b!' }, '/summary', /has no letter and no digit/],
    [
      'a source that is no web address',
      { sources: [{ url: 'javascript:alert(1)' }] },
      '/sources/0/url',
      /http or https/,
    ],
    [
      'a source with a password',
      { sources: [{ url: 'https://me:s3cret@example.org/story' }] },
      '/sources/0/url',
      /without a user name and a password/,
    ],
    ['an empty source', { sources: [{}] }, '/sources/0', /needs a url or a publisher/],
    [
      'a source from the future',
      { sources: [{ publisher: 'A', published_at: '2030-01-01' }] },
      '/sources/0/published_at',
      /RFC 3339/,
    ],
    ['101 sources', { sources: Array(101).fill({ publisher: 'A' }) }, '/sources', /must not have more than 100 items/],
    ['negative casualties', { casualties: { killed: -1 } }, '/casualties/killed', /must be >= 0/],
    ['half a casualty', { casualties: { killed: 1.5 } }, '/casualties/killed', /must be integer/],
    ['an unknown field', { sumary: 'x' }, '/sumary', /is not a field here/],
    ['an unknown severity', { severity: 'grave' }, '/severity', /must be one of low/],
  ]
  for (const [name, changes, pointer, message] of wrong) {
    it(`is refused with ${name}`, async () => {
      const { status, code, errors } = await problemOf(await app.post('/v1/reports', aReport(changes), operator))
      assert.deepEqual([status, code], [422, 'invalid_body'])
      const error = errors!.find((each) => each.pointer === pointer)
      assert(error, JSON.stringify(errors))
      assert.match(String(error.message), message)
    })
  }

  const suggested: [changes: Record<string, unknown>, pointer: string, suggestion: string][] = [
    [{ type: 'kidnaping' }, '/type', 'kidnapping'],
    [{ type: 'armed robbery' }, '/type', 'armed_robbery'],
    [{ state: 'Zamfra' }, '/state', 'Zamfara'],
    [{ state: undefined, place: 'Ado' }, '/place', 'Ado-Ekiti, Ekiti'],
    [{ sumary: 'x' }, '/sumary', 'summary'],
  ]
  for (const [changes, pointer, suggestion] of suggested) {
    it(`suggests ${suggestion} for ${JSON.stringify(changes)}`, async () => {
      const { errors } = await problemOf(await app.post('/v1/reports', aReport(changes), operator))
      const error = errors!.find((each) => each.pointer === pointer)
      assert((error?.did_you_mean as string[] | undefined)?.includes(suggestion), JSON.stringify(errors))
    })
  }

  it('that names several places, or only a similar one, is answered with the places as candidates', async () => {
    const candidatesFor = async (place: string) => {
      const { status, errors } = await problemOf(
        await app.post('/v1/reports', aReport({ state: undefined, place }), operator),
      )
      assert.equal(status, 422)
      const error = errors!.find((each) => each.pointer === '/place') as unknown as {
        candidates: {
          name: string
          state: string
          lat: number
          matched: { how: string; text: string }
          rival: boolean
        }[]
      }
      return error.candidates.map(({ name, state, matched, rival }) => [name, state, matched.how, matched.text, rival])
    }
    assert.deepEqual(await candidatesFor('Ado'), [
      ['Ado-Ekiti', 'Ekiti', 'alias', 'Ado', false],
      ['Ado', 'Benue', 'exact', 'Ado', true],
      ['Ado-Odo', 'Ogun', 'alias', 'Ado', true],
    ])
    assert.deepEqual(await candidatesFor('Maidugurri'), [['Maiduguri', 'Borno', 'similar', 'Maidugurri', false]])
  })

  it('is refused if the body is too large', async () => {
    const sources = Array(10_000).fill({ url: 'https://example.org/one-of-ten-thousand' })
    const { status } = await problemOf(await app.post('/v1/reports', aReport({ sources }), operator))
    assert.equal(status, 413)
  })

  it('needs the scope operate', async () => {
    const { code } = await problemOf(await app.post('/v1/reports', aReport()))
    assert.equal(code, 'insufficient_scope')
  })

  it('is stored once for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'a-report' }
    const one = await app.post('/v1/reports', aReport(), operator, headers)
    const other = await app.post('/v1/reports', aReport(), operator, headers)
    assert.deepEqual(await other.json(), await one.json())
    assert.equal(other.status, 201)
  })
})

describe('a list of reports', () => {
  it('has a result for each report, and one invalid report does not affect the others', async () => {
    const reports = [aReport(), aReport({ type: 'nonsense' }), 'a text', aReport({ place: 'Kaura Namoda' }), null]
    const response = await app.post('/v1/reports', reports, operator)
    assert.equal(response.status, 207)
    const body = (await response.json()) as {
      taken: number
      refused: number
      data: { status: number; incident?: Desk; problem?: { code: string; errors: unknown[] } }[]
    }
    assert.deepEqual(
      body.data.map(({ status }) => status),
      [201, 422, 422, 201, 422],
    )
    assert.deepEqual([body.taken, body.refused], [2, 3])
    assert.equal(body.data[1]?.problem?.code, 'invalid_body')
    for (const { incident } of body.data)
      if (incident) assert.equal((await app.get(`/v1/desk/incidents/${incident.id}`, operator)).status, 200)
  })

  it('is searched for duplicates within itself', async () => {
    const duplicate = aReport({ occurred_at: '2025-01-01T00:00:00Z', summary: 'A convoy was stopped at Gusau.' })
    const response = await app.post('/v1/reports', [duplicate, duplicate], operator)
    const { data } = (await response.json()) as { data: { incident: Desk }[] }
    assert.equal(data[0]?.incident.desk.possible_duplicates[0]?.id, data[1]?.incident.id)
    assert.equal(data[0]?.incident.desk.possible_duplicates[0]?.score, 1)
  })

  it('may have 500 and no more, and at least one', async () => {
    const short = { type: 'riot', occurred_at: '2026-05-01', state: 'Kano', summary: 'A riot' }
    const response = await app.post('/v1/reports', Array(500).fill(short), operator)
    assert.equal(((await response.json()) as { taken: number }).taken, 500)
    for (const count of [0, 501]) {
      const problem = await problemOf(await app.post('/v1/reports', Array(count).fill(short), operator))
      assert.match(problem.detail, /1 to 500 reports/)
    }
  })
})
