import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Incident } from '../../../src/domain/incident.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident, aReport } from '../../support/incident.ts'

describe('routes', () => {
  let app: TestApp
  const COUNT = 130
  const NOW = Date.parse(anIncident(COUNT).published_at!)

  interface List {
    data: Incident[]
    has_more: boolean
    next_cursor: string | null
    meta: { as_of: string; seq: number; newest_published_at: string | null; in_step_at: string }
  }
  const list = async (response: Response) => {
    assert.equal(response.status, 200)
    return (await response.json()) as List
  }

  before(async () => {
    app = await startTestApp({}, { clock: () => NOW })
    const lagos = {
      state: 'Lagos',
      lga: 'Ikeja',
      location: { ...anIncident().location, state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
    }
    await app.publish(Array.from({ length: COUNT }, (_, number) => anIncident(number, number % 3 === 0 ? lagos : {})))
  })
  after(() => app[Symbol.asyncDispose]())

  test('a list is an object with data, as the specification shows it, newest first', async () => {
    const { data, has_more, next_cursor, meta } = await list(await app.get('/v1/incidents'))
    assert.equal(data.length, 50)
    assert.deepEqual(Object.keys(data[0]!), Object.keys(anIncident()))
    assert.deepEqual(data[1], anIncident(128))
    assert.deepEqual(
      data.map(({ id }) => id),
      Array.from({ length: 50 }, (_, index) => anIncident(129 - index).id),
    )
    assert.equal(has_more, true)
    assert.equal(typeof next_cursor, 'string')
    assert.deepEqual(meta, {
      as_of: new Date(NOW).toISOString(),
      seq: COUNT,
      position: ((await (await app.get('/v1/changes?after=129')).json()) as { next_after: string }).next_after,
      newest_published_at: anIncident(129).published_at,
      in_step_at: new Date(NOW).toISOString(),
    })
  })

  test('the path without a version gives the same bytes', async () => {
    for (const path of ['/incidents?state=lagos&since=1h', `/incidents/${anIncident(1).id}`]) {
      const [plain, versioned] = await Promise.all([app.get(path), app.get(`/v1${path}`)])
      assert.equal(plain.status, 200)
      assert.equal(await plain.text(), await versioned.text())
      assert.equal(plain.headers.get('etag'), versioned.headers.get('etag'))
    }
  })

  test('state and since must both hold, in either case of the state', async () => {
    for (const state of ['Lagos', 'lagos', 'LAGOS']) {
      const { data } = await list(await app.get(`/v1/incidents?state=${state}&since=1h`))
      assert.deepEqual(
        data.map(({ id }) => id),
        [129, 126, 123, 120, 117, 114, 111, 108, 105, 102, 99, 96, 93, 90, 87, 84, 81, 78, 75, 72].map(
          (number) => anIncident(number).id,
        ),
      )
      assert.ok(data.every((incident) => incident.state === 'Lagos'))
    }
  })

  test('pages linked by cursor and by Link contain each incident once', async () => {
    const byCursor: string[] = []
    const byLink: string[] = []
    for (let path: string | null = '/v1/incidents?state=Kaduna&limit=40&order=oldest'; path !== null; ) {
      const response: Response = await app.get(path)
      const link = response.headers.get('link')
      byLink.push(...(await list(response)).data.map(({ id }) => id))
      path = link === null ? null : /^<([^>]+)>; rel="next"$/.exec(link)![1]!
    }
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, next_cursor }: List = await list(
        await app.get(`/v1/incidents?state=kaduna&limit=40&order=oldest${cursor && `&cursor=${cursor}`}`),
      )
      byCursor.push(...data.map(({ id }) => id))
      cursor = next_cursor
    }
    const expected = Array.from({ length: COUNT }, (_, number) => number).filter((number) => number % 3 !== 0)
    assert.deepEqual(
      byLink,
      expected.map((number) => anIncident(number).id),
    )
    assert.deepEqual(byCursor, byLink)
  })

  test('the last page says that nothing follows', async () => {
    const response = await app.get('/v1/incidents?limit=130')
    assert.equal(response.headers.get('link'), null)
    const { has_more, next_cursor } = await list(response)
    assert.deepEqual([has_more, next_cursor], [false, null])
  })

  test('an unchanged response is 304 until the next event', async () => {
    const first = await app.get('/v1/incidents?limit=1')
    const etag = first.headers.get('etag')!
    const again = await app.get('/v1/incidents?limit=1', undefined, { 'if-none-match': `"other", ${etag}` })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    assert.equal((await app.get('/v1/incidents?limit=2', undefined, { 'if-none-match': etag })).status, 200)
    const one = await app.get(`/v1/incidents/${anIncident(5).id}`)
    assert.equal(
      (await app.get(`/v1/incidents/${anIncident(5).id}`, undefined, { 'if-none-match': one.headers.get('etag')! }))
        .status,
      304,
    )
  })

  test('br and gzip contain the same bytes, and br is preferred', async () => {
    const plain = Buffer.from(
      await (await app.get('/v1/incidents', undefined, { 'accept-encoding': 'identity' })).arrayBuffer(),
    )
    for (const [accept, encoding, unpack] of [
      ['br', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
      ['gzip, br', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      for (const round of ['compressed', 'cached']) {
        const response = await app.app.server.inject({
          url: '/v1/incidents',
          headers: { 'accept-encoding': accept, authorization: `Bearer ${(await app.issue()).text}` },
        })
        assert.equal(response.headers['content-encoding'], encoding, round)
        assert.deepEqual(unpack(response.rawPayload), plain)
      }
    }
  })

  test('one incident is read by its id', async () => {
    const response = await app.get(`/v1/incidents/${anIncident(7).id}`)
    assert.deepEqual(await response.json(), anIncident(7))
    assert.equal(response.headers.get('cache-control'), 'private, no-cache')
  })

  test('an unknown id is 404, a retracted one 410, and a correction is visible at once', async () => {
    await using own = await startTestApp()
    await own.publish([anIncident(1), anIncident(2)])
    await own.publish([anIncident(1, { version: 2, status: 'retracted' })], 'incident.retracted')
    await own.publish([anIncident(2, { version: 2, summary: 'Corrected.' })], 'incident.updated')
    assert.equal((await problemOf(await own.get(`/v1/incidents/${anIncident(1).id}`))).code, 'retracted')
    for (const id of [anIncident(3).id, 'inc_', 'x', '__proto__', 'x'.repeat(150)]) {
      assert.equal((await problemOf(await own.get(`/v1/incidents/${id}`))).code, 'not_found', id)
    }
    const { data } = await list(await own.get('/v1/incidents'))
    assert.deepEqual(
      data.map(({ id, summary }) => [id, summary]),
      [[anIncident(2).id, 'Corrected.']],
    )
  })

  test('a since window moves with time, even without events and with a cached response', async () => {
    let now = NOW
    await using own = await startTestApp({}, { clock: () => now })
    await own.publish([anIncident(1), anIncident(2), anIncident(3)])
    const count = async () => (await list(await own.get('/v1/incidents?since=1h'))).data.length
    now = Date.parse(anIncident(1).published_at!) + 3_600_000
    assert.deepEqual([await count(), await count()], [3, 3])
    now += 1
    assert.equal(await count(), 2)
    now += 120_000
    assert.equal(await count(), 0)
  })

  test('the ETag changes when an event or the window changes the response, and only then', async () => {
    let now = Date.parse(anIncident(3).published_at!)
    await using own = await startTestApp({}, { clock: () => now })
    await own.publish([anIncident(1), anIncident(2), anIncident(3)])
    const names = async () => {
      const paths = [
        '/v1/incidents?since=1h',
        '/v1/incidents?since=1h&order=oldest&limit=1',
        '/v1/incidents?since=1h&limit=1',
        '/v1/incidents',
      ]
      return Promise.all(paths.map(async (path) => (await own.get(path)).headers.get('etag')!))
    }
    const first = await names()
    assert.equal(new Set(first).size, 4)
    now += 30 * 60_000
    assert.deepEqual(await names(), first)
    now = Date.parse(anIncident(1).published_at!) + 3_600_001
    const second = await names()
    assert.deepEqual(
      second.map((name, index) => name === first[index]),
      [false, false, true, true],
    )
    await own.publish([anIncident(2, { version: 2, summary: 'Corrected.' })], 'incident.updated')
    assert.deepEqual(
      (await names()).map((name, index) => name === second[index]),
      // The newest incident is not the corrected one.
      [false, false, true, false],
    )
  })

  test('later pages of a since window keep the window of the first page', async () => {
    let now = Date.parse(anIncident(10).published_at!)
    await using own = await startTestApp({}, { clock: () => now })
    await own.publish(Array.from({ length: 10 }, (_, number) => anIncident(number)))
    const first = await list(await own.get('/v1/incidents?since=10m&limit=5'))
    now += 3_600_000
    const second = await list(await own.get(`/v1/incidents?since=10m&limit=5&cursor=${first.next_cursor}`))
    assert.equal(second.data.length, 5)
    assert.equal(second.has_more, false)
  })

  test('an empty archive gives an empty list', async () => {
    await using own = await startTestApp()
    const { data, has_more, next_cursor, meta } = await list(await own.get('/v1/incidents'))
    assert.deepEqual([data, has_more, next_cursor, meta.newest_published_at, meta.seq], [[], false, null, null, 0])
  })

  test('HEAD sends only the headers', async () => {
    const { text } = await app.issue()
    const response = await fetch(`${app.url}/v1/incidents`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${text}` },
    })
    assert.deepEqual([response.status, await response.text()], [200, ''])
    assert.ok(response.headers.get('etag'))
  })
})

describe('fields', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
    await app.publish([1, 2, 3].map((number) => anIncident(number)))
  })
  after(() => app[Symbol.asyncDispose]())

  const NEWEST = anIncident(3)
  const text = async (query: string) => {
    const response = await app.get(`/v1/incidents?${query}`)
    assert.equal(response.status, 200, await response.clone().text())
    return response.text()
  }

  test('a list has the chosen members in the order of the wire, and always the id', async () => {
    const { data, has_more, next_cursor, meta } = JSON.parse(await text('fields=severity,type&limit=2'))
    assert.deepEqual(data[0], { id: NEWEST.id, type: NEWEST.type, severity: NEWEST.severity })
    assert.deepEqual(Object.keys(data[0]), ['id', 'type', 'severity'])
    assert.ok(has_more && meta.seq > 0)
    // The cursor is bound to the filter, not to the members.
    const rest = JSON.parse(await text(`limit=2&cursor=${next_cursor}&fields=id&fields=location`))
    assert.deepEqual(rest.data, [{ id: anIncident(1).id, location: anIncident(1).location }])
    assert.deepEqual(JSON.parse(await text('fields=id&limit=1')).data, [{ id: NEWEST.id }])
  })

  test('all members are the list as it is; each choice has its own ETag', async () => {
    const etag = async (query: string) => (await app.get(`/v1/incidents?${query}`)).headers.get('etag')
    const { data } = JSON.parse(await text('limit=1'))
    const everything = [
      ...Object.keys(data[0]),
      'occurred_until',
      'casualties_reported',
      'dataset',
      'attribution',
    ].join()
    assert.equal(await etag(`limit=1&fields=${everything}`), await etag('limit=1'))
    assert.notEqual(await etag('limit=1&fields=type'), await etag('limit=1'))
    assert.notEqual(await etag('limit=1&fields=type'), await etag('limit=1&fields=state'))
    assert.equal(await etag('limit=1&fields=type,id'), await etag('limit=1&fields=type'))
  })

  test('NDJSON, CSV and GeoJSON have what the members become', async () => {
    const query = 'limit=1&fields=location,casualties,confidence_reasons'
    const { location, casualties } = NEWEST
    const line = await text(`${query}&format=ndjson`)
    assert.deepEqual(Object.keys(JSON.parse(line)), ['id', 'location', 'confidence_reasons', 'casualties'])
    const [header, record] = (await text(`${query}&format=csv`)).split('\r\n')
    const columns = 'id,place,precision,radius_km,state_code,lga_code,lga_basis,killed,injured,abducted'
    assert.equal(header, columns)
    assert.equal(record!.split(',').length, columns.split(',').length)
    const [feature] = JSON.parse(await text(`${query}&format=geojson`)).features
    assert.deepEqual(feature.geometry.coordinates, [NEWEST.lng, NEWEST.lat])
    assert.deepEqual(feature.properties, { id: NEWEST.id, ...location, ...casualties })
  })

  test('a query as JSON and a single incident take fields too', async () => {
    const response = await app.post('/v1/incidents/query', { fields: ['summary'], limit: 1 })
    assert.deepEqual(((await response.json()) as { data: unknown }).data, [{ id: NEWEST.id, summary: NEWEST.summary }])
    const one = await app.get(`/v1/incidents/${NEWEST.id}?fields=lat,lng`)
    assert.deepEqual(await one.json(), { id: NEWEST.id, lat: NEWEST.lat, lng: NEWEST.lng })
    assert.deepEqual(await (await app.get(`/v1/incidents/${NEWEST.id}`)).json(), NEWEST)
    assert.equal((await app.get(`/v1/incidents/${NEWEST.id}?state=Kaduna`)).status, 400)
  })

  test('wrong names are 400 with suggestions, and bounded', async () => {
    for (const path of ['/v1/incidents?', `/v1/incidents/${NEWEST.id}?`]) {
      const { code, errors } = await problemOf(await app.get(`${path}fields=sumary,type`))
      assert.equal(code, 'invalid_parameter')
      assert.deepEqual(errors![0]!.did_you_mean, ['summary'])
      const empty = await problemOf(await app.get(`${path}fields=`))
      assert.equal(empty.errors![0]!.parameter, 'fields')
    }
    const { errors } = await problemOf(await app.post('/v1/incidents/query', { fields: ['merged_into'] }))
    assert.equal(errors![0]!.pointer, '/fields')
    const wrong = Array.from({ length: 99 }, (_, number) => `wrong${number}`)
    assert.equal((await problemOf(await app.get(`/v1/incidents?fields=${wrong}`))).errors!.length, 5)
    const many = await problemOf(await app.get(`/v1/incidents?fields=${wrong},a,b,c`))
    assert.equal(many.code, 'too_many_values')
    assert.equal((await app.get('/v1/stream?fields=type')).status, 400)
  })
})

describe('corrections', () => {
  let app: TestApp
  let operator: string
  let now = Date.UTC(2026, 10, 15, 12)
  before(async () => {
    app = await startTestApp({}, { clock: () => now })
    operator = (await app.issue({ name: 'Ada', scopes: ['read', 'operate'] })).text
  })
  after(() => app[Symbol.asyncDispose]())

  test('the public sees when an incident was published and corrected, not by whom or why', async () => {
    const { id } = (await (await app.post('/v1/reports', aReport(), operator)).json()) as { id: string }
    await app.patch(`/v1/desk/incidents/${id}`, { summary: 'Before anyone saw it.' }, operator, '"1"')
    assert.equal((await problemOf(await app.get(`/v1/incidents/${id}/history`))).status, 404)
    now += 60_000
    await app.post(`/v1/desk/incidents/${id}/confirm`, { note: 'a secret' }, operator)
    now += 60_000
    await app.patch(`/v1/desk/incidents/${id}`, { casualties: { killed: 2 }, note: 'a secret' }, operator, '"2"')
    await until(() => app.archive.slotOf(id) !== null)
    const text = await (await app.get(`/v1/incidents/${id}/history`)).text()
    const { data } = JSON.parse(text) as { data: { change: string; version: number; at: string; fields: string[] }[] }
    assert.deepEqual(
      data.map(({ change, at }) => [change, at]),
      [
        ['published', '2026-11-15T12:01:00Z'],
        ['corrected', '2026-11-15T12:02:00Z'],
      ],
    )
    assert.ok(data[1]!.fields.includes('casualties'))
    assert.doesNotMatch(text, /Ada|secret|key_/)
    await app.post(`/v1/desk/incidents/${id}/retract`, '', operator)
    await until(() => app.archive.isRetracted(id))
    assert.equal((await problemOf(await app.get(`/v1/incidents/${id}/history`))).status, 410)
  })

  test('imported incidents have no corrections', async () => {
    await app.publish([anIncident(1)], 'incident.imported')
    assert.deepEqual(await (await app.get(`/v1/incidents/${anIncident(1).id}/history`)).json(), { data: [] })
  })
})

describe('datasets', () => {
  const DATASETS = ['ucdp', 'acled', undefined, 'ucdp', 'my-own_set2'] as const
  let app: TestApp

  before(async () => {
    app = await startTestApp()
    await app.publish(
      DATASETS.map((dataset, number) =>
        anIncident(number, dataset === undefined ? {} : { dataset, attribution: 'Acme' }),
      ),
    )
  })
  after(() => app[Symbol.asyncDispose]())

  const numbersIn = async (query: string) => {
    const response = await app.get(`/v1/incidents?${query}`)
    assert.equal(response.status, 200, await response.clone().text())
    const { data } = (await response.json()) as { data: { id: string }[] }
    return data.map(({ id }) => Number(id.slice(-3))).toSorted()
  }

  test('a list has incidents of the data sets that it asks for', async () => {
    for (const [dataset, expected] of [
      ['ucdp', [0, 3]],
      ['UCDP', [0, 3]],
      ['ucdp,acled', [0, 1, 3]],
      ['none', [2]],
      ['none,my-own_set2', [2, 4]],
      ['unknown', []],
    ] as const) {
      assert.deepEqual(await numbersIn(`dataset=${dataset}`), expected, dataset)
      const grouped = await app.get(`/v1/stats?group_by=state&dataset=${dataset}`)
      const { total } = (await grouped.json()) as { total: { count: number } }
      assert.equal(total.count, expected.length, dataset)
    }
    assert.deepEqual(await numbersIn('dataset=ucdp&dataset=acled&q=gunmen&min_confidence=0.1'), [0, 1, 3])
  })

  test('a correction that changes the data set moves the incident', async () => {
    await using other = await startTestApp()
    await other.publish([anIncident(1, { dataset: 'ucdp' })])
    await other.publish([anIncident(1, { dataset: 'acled', version: 2 })], 'incident.updated')
    const count = async (dataset: string) => {
      const response = await other.get(`/v1/incidents?dataset=${dataset}`)
      return ((await response.json()) as { data: unknown[] }).data.length
    }
    assert.deepEqual([await count('ucdp'), await count('acled')], [0, 1])
  })

  test('a malformed name is refused, and so is a data set where imports are not sent', async () => {
    const wrong = await problemOf(await app.get('/v1/incidents?dataset=UC%20DP'))
    assert.equal(wrong.code, 'invalid_parameter')
    assert.match(String(wrong.errors![0]!.message), /^"uc dp" is not the name of a data set/)
    const streamed = await problemOf(await app.get('/v1/stream?dataset=ucdp'))
    assert.match(String(streamed.errors![0]!.message), /a stream has no imported history/)
    const { text } = await app.issue({ scopes: ['read', 'watch'] })
    const watched = await app.post(
      '/v1/watches',
      { name: 'a', url: 'https://a.example', filter: { dataset: 'ucdp' } },
      text,
    )
    assert.match(String((await problemOf(watched)).errors![0]!.message), /imported history is not sent to watches/)
  })
})

describe('etags', () => {
  const NOW = Date.parse('2026-04-15T12:00:00Z')
  let app: TestApp

  const inKaduna = (number: number) => anIncident(number, { published_at: '2026-04-01T00:00:00Z' })
  const inLagos = (number: number) => {
    const { location, ...rest } = anIncident(number)
    return anIncident(number, {
      ...rest,
      state: 'Lagos',
      lga: 'Ikeja',
      lat: 6.6,
      lng: 3.35,
      location: { ...location, place: 'Ikeja', state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
      published_at: '2026-04-10T00:00:00Z',
    })
  }

  before(async () => {
    app = await startTestApp({}, { clock: () => NOW })
    await app.publish([inKaduna(1), inKaduna(2), inKaduna(3)])
  })
  after(() => app[Symbol.asyncDispose]())

  const PATHS = [
    ...['json', 'geojson', 'csv', 'ndjson'].map((format) => `/v1/incidents?state=Kaduna&format=${format}`),
    '/v1/incidents?state=Kaduna&limit=2&since=30d',
    '/v1/incidents?state=Kaduna&order=oldest&limit=1',
    '/v1/stats?state=Kaduna&group_by=type,severity',
    '/v1/stats?state=Kaduna&group_by=month&from=2026-01-01&to=2026-05-01',
    '/v1/feeds/incidents.atom?state=Kaduna',
    '/v1/changes?limit=2',
  ]

  test('an arrival that does not touch an answer leaves its ETag, and 304 is the answer', async () => {
    const etags = new Map<string, string>()
    for (const path of PATHS) etags.set(path, (await app.get(path)).headers.get('etag')!)
    await app.publish([inLagos(10)])
    for (const [path, etag] of etags) {
      assert.match(etag, /^W\//, path)
      assert.equal((await app.get(path, undefined, { 'if-none-match': etag })).status, 304, path)
    }
    const { meta } = (await (await app.get(PATHS[0]!)).json()) as { meta: { seq: number } }
    assert.equal(meta.seq, 4)
  })

  test('an arrival, a correction and a retraction that touch an answer change its ETag', async () => {
    const touched = PATHS.filter((path) => !path.startsWith('/v1/changes') && !path.includes('oldest'))
    const read = () => Promise.all(touched.map(async (path) => (await app.get(path)).headers.get('etag')!))
    const before = await read()
    await app.publish([inKaduna(4)])
    const arrived = await read()
    await app.publish([{ ...inKaduna(4), severity: 'low', summary: 'Corrected.', version: 2 }], 'incident.updated')
    const corrected = await read()
    await app.publish([{ ...inKaduna(4), status: 'retracted', version: 3 }], 'incident.retracted')
    const retracted = await read()
    for (const [at, path] of touched.entries()) {
      assert.notEqual(arrived[at], before[at], `${path} after an arrival`)
      if (!path.includes('group_by=month')) assert.notEqual(corrected[at], arrived[at], `${path} after a correction`)
      assert.equal(retracted[at], before[at], `${path} is as it was before`)
    }
  })

  test('a page that gains a successor has another ETag, though its incidents are the same', async () => {
    const path = '/v1/incidents?state=Lagos&order=oldest&limit=1'
    const alone = (await app.get(path)).headers.get('etag')
    await app.publish([inLagos(11)])
    assert.notEqual((await app.get(path)).headers.get('etag'), alone)
  })
})
