import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

describe('bad requests', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
  })
  after(() => app[Symbol.asyncDispose]())

  const QUERIES: [string, string, string][] = [
    ['an unknown parameter', '/v1/incidents?colour=red', 'invalid_parameter'],
    ['a repeated parameter that takes one value', '/v1/incidents?bbox=1,2,3,4&bbox=1,2,3,5', 'invalid_parameter'],
    ['a repeated page size', '/v1/incidents?limit=1&limit=2', 'invalid_parameter'],
    ['an empty parameter', '/v1/incidents?limit=', 'invalid_parameter'],
    ['a malformed parameter', '/v1/incidents?since=soon', 'invalid_parameter'],
    ['contradictory parameters', '/v1/incidents?since=24h&to=2026-01-01', 'invalid_parameter'],
    ['a page size of 0', '/v1/incidents?limit=0', 'invalid_parameter'],
    ['a page size above 1000', '/v1/incidents?limit=1001', 'invalid_parameter'],
    ['a page size that is not a number', '/v1/incidents?limit=ten', 'invalid_parameter'],
    ['an unknown order', '/v1/incidents?order=newst', 'invalid_parameter'],
    ['a broken cursor', '/v1/incidents?cursor=abc', 'invalid_cursor'],
    ['a parameter of a path without parameters', '/v1/me?verbose=1', 'invalid_parameter'],
    ['a parameter for one incident', '/v1/incidents/inc_1?limit=1', 'invalid_parameter'],
    ['a path that is not UTF-8', '/v1/incidents/%ff', 'malformed_request'],
    ['a path that is badly escaped', '/v1/incidents/%zz', 'malformed_request'],
    ['an unknown path', '/v1/incident', 'not_found'],
    ['a path with a character that its route does not accept', '/v1/tiles/0/0/%0A.mvt', 'not_found'],
    ['a name that is too long', `/v1/tiles/0/0/${'0'.repeat(201)}.mvt`, 'not_found'],
  ]

  for (const [what, path, code] of QUERIES) {
    test(`${what} is refused`, async () => {
      const problem = await problemOf(await app.get(path))
      assert.equal(problem.code, code)
      if (code === 'invalid_parameter') assert.equal(problem.errors?.length, 1)
    })
  }

  test('a cursor of another filter or order gets another error than a broken one', async () => {
    const { anIncident } = await import('../support/incident.ts')
    await app.publish([anIncident(1), anIncident(2)])
    const { next_cursor } = (await (await app.get('/v1/incidents?limit=1')).json()) as { next_cursor: string }
    assert.equal((await app.get(`/v1/incidents?limit=1&cursor=${next_cursor}`)).status, 200)
    for (const other of ['state=Kaduna', 'order=oldest', 'since=2w']) {
      assert.equal(
        (await problemOf(await app.get(`/v1/incidents?${other}&cursor=${next_cursor}`))).code,
        'cursor_of_another_query',
      )
    }
  })

  const BODIES: [string, string | Uint8Array, Record<string, string>, number, string][] = [
    ['is not JSON', '{"email":', {}, 400, 'malformed_json'],
    ['is two JSON values', '{}{}', {}, 400, 'malformed_json'],
    ['is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'malformed_json'],
    [
      'is a form',
      'email=a%40example.org',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['is plain text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['has an invalid content type', '{}', { 'content-type': 'nonsense' }, 415, 'unsupported_media_type'],
    ['is too large', JSON.stringify({ email: 'x'.repeat(300_000) }), {}, 413, 'body_too_large'],
    ['nests ten thousand levels', '['.repeat(10_000) + ']'.repeat(10_000), {}, 422, 'invalid_body'],
    [
      'sets a prototype',
      '{"__proto__":{"scopes":["operate"]},"constructor":{"prototype":{}}}',
      {},
      422,
      'invalid_body',
    ],
  ]

  for (const [what, body, headers, status, code] of BODIES) {
    test(`a body that ${what} is ${status}`, async () => {
      const response = await fetch(`${app.url}/v1/keys`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      assert.deepEqual([response.status, (await problemOf(response)).code], [status, code])
    })
  }

  describe('text that no database can hold is refused at the door, with the name of the field', () => {
    const BAD_JSON: [string, string, string][] = [
      ['an address for a key', '{"email":"\\"x\\u0000y\\"@example.org"}', '/email'],
      ['half of a pair', '{"email":"a@example.org","name":"x\\uD83D"}', '/name'],
      ['a list', '{"kind":"publishable","origins":["https://example.org","\\udc00"]}', '/origins/1'],
      ['the depth', '{"a":[{"b/c":{"d":"\\u0000"}}]}', '/a/0/b~1c/d'],
      ['a name of a member', '{"a":{"x\\u0000":1}}', '/a/x\ufffd'],
      ['a text alone', '"\\u0000"', ''],
    ]
    for (const [what, body, pointer] of BAD_JSON)
      test(`JSON: ${what}`, async () => {
        const headers = { 'content-type': 'application/json' }
        const plain = await problemOf(await fetch(`${app.url}/v1/keys`, { method: 'POST', body, headers }))
        const packed = { ...headers, 'content-encoding': 'gzip' }
        const gzip = await fetch(`${app.url}/v1/keys`, {
          method: 'POST',
          body: Buffer.from(gzipSync(body)),
          headers: packed,
        })
        for (const problem of [plain, await problemOf(gzip)]) {
          assert.equal(problem.status, 422)
          assert.deepEqual(
            problem.errors!.map((error) => error.pointer),
            [pointer],
          )
          assert.match(problem.detail, /NUL character or half of a surrogate pair; leave it out/)
        }
      })

    test('JSON with whole pairs and escaped backslashes is taken', async () => {
      const name = 'Two \u{1F4A5} and \\u0000'
      const response = await app.post('/v1/areas', { name, circle: { lat: 10, lng: 7, radius_km: 5 } })
      assert.equal(((await response.json()) as { name: string }).name, name)
    })

    test('the messages of an assistant', async () => {
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'find_place', arguments: { q: 'a\0' } },
      }
      const problem = await problemOf(await app.post('/mcp', call))
      assert.deepEqual([problem.status, problem.errors?.[0]?.pointer], [422, '/params/arguments/q'])
    })

    test('a table, with its line', async () => {
      const { detail } = await problemOf(
        await fetch(`${app.url}/v1/sites?name=Depots`, {
          method: 'POST',
          body: 'name,latitude,longitude,radius_km\nA\0,10,7,5\n',
          headers: { 'content-type': 'text/csv', authorization: `Bearer ${(await app.issue()).text}` },
        }),
      )
      assert.match(detail, /NUL.*: line 2\.$/)
    })

    const ADDRESSES: [string, string[] | null][] = [
      ['/v1/admin/accounts?email=%00', ['email']],
      ['/v1/incidents?state=Kano&q=a%00b&%00=1', ['q', '\ufffd']],
      ['/?q=%00', ['q']],
      ['/v1/incidents/inc_%00', ['id']],
      ['/nigeria/kano/%00', ['lga']],
      ['/no/such/%00', null],
    ]
    for (const [path, names] of ADDRESSES)
      test(`the address ${path}`, async () => {
        const problem = await problemOf(await app.get(path))
        const code = names === null ? 'malformed_request' : 'invalid_parameter'
        assert.deepEqual(
          [problem.status, problem.code, problem.errors?.map((error) => error.parameter)],
          [400, code, names ?? undefined],
        )
        assert.match(problem.detail, /contains %00, a NUL character; leave it out/)
      })

    test('a form of a page', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const body of ['text=a%00b', 'text=a\0b']) {
        const problem = await problemOf(await fetch(`${app.url}/report`, { method: 'POST', body, headers }))
        assert.deepEqual([problem.status, problem.code], [422, 'invalid_body'])
      }
    })
  })

  test('a method that a path does not allow is 405, with the allowed methods', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/v1/incidents', 'GET, HEAD'],
      ['POST', '/v1/incidents/x', 'GET, HEAD'],
      ['PUT', '/v1/keys', 'POST, GET, HEAD'],
      ['GET', '/v1/keys/x', 'PATCH, DELETE'],
      ['POST', '/healthz', 'GET, HEAD'],
    ]) {
      const response = await fetch(app.url + path, { method: method! })
      assert.deepEqual(
        [response.headers.get('allow'), (await problemOf(response)).code],
        [allow, 'method_not_allowed'],
        `${method} ${path}`,
      )
    }
  })

  test('a body without a content type is 415', async () => {
    const response = await fetch(`${app.url}/v1/incidents`, { method: 'QUERY' })
    assert.equal((await problemOf(response)).code, 'unsupported_media_type')
  })

  test('a field that nests a hundred thousand levels is refused in every body; the limit is thirty-two', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    for (const [depth, message] of [
      [100_000, 'may nest up to 32 levels of arrays and objects'],
      [29, 'must be "Polygon" or "MultiPolygon"'],
    ] as const) {
      const body = `{"filter":{"polygon":{"type":${nested(depth)},"coordinates":[]}}}`
      const { detail } = await problemOf(await app.post('/v1/watches/preview', body))
      assert.ok(detail.includes(message), detail.slice(0, 300))
    }
  })

  /** Sends bytes that no HTTP client would send, and returns the response. */
  function raw(bytes: string): Promise<string> {
    const { hostname, port } = new URL(app.url)
    return new Promise((resolve, reject) => {
      let answer = ''
      const socket = connect(Number(port), hostname, () => socket.write(bytes))
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })
  }

  test('malformed HTTP is refused with the same problem+json', async () => {
    for (const [bytes, status] of [
      ['NONSENSE\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: a\r\nHeader\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['POST /v1/keys HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
      ['GET /v1/taxonomy HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: a\r\nConnection: close\r\n\r\n', 400],
      ['GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a, b\r\nConnection: close\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n', 400],
      ['GET /v1/taxonomy HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n', 401],
    ] as const) {
      const answer = await raw(bytes)
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
      const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { status: number; request_id: string }
      assert.equal(problem.status, status)
      assert.match(problem.request_id, /^req_/)
    }
  })
})

describe('bounded requests', () => {
  const PEOPLE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const LONG = Array.from({ length: 2000 }, (_, number) => number.toString(36)).join(',')

  let app: TestApp
  before(async () => {
    app = await startTestApp()
    await app.publish([anIncident(1)])
  })
  after(() => app[Symbol.asyncDispose]())

  const LONG_LISTS: Record<string, () => Promise<Response>> = {
    'the map': () => app.get(`/?lga=${LONG}`, null, PEOPLE),
    'an incident’s page': () => app.get(`/incidents/${anIncident(1).id}?lga=${LONG}`, null, PEOPLE),
    'the list': () => app.get(`/v1/incidents?lga=${LONG}`),
    'a feed': () => app.get(`/v1/feeds/incidents.atom?lga=${LONG}`),
    statistics: () => app.get(`/v1/stats?group_by=state&lga=${LONG}`),
    'a tile': () => app.get(`/v1/tiles/0/0/0.mvt?lga=${LONG}`),
    'a stream': () => app.get(`/v1/stream?lga=${LONG}`),
    LGAs: () => app.get(`/v1/places/lgas?state=${LONG}`),
    'a preview': () => app.post('/v1/watches/preview', { filter: { lga: LONG.split(',') } }),
    'a watch': () =>
      app.post('/v1/watches', { name: 'long', url: 'https://example.org/', filter: { lga: LONG.split(',') } }),
  }
  for (const [where, ask] of Object.entries(LONG_LISTS)) {
    test(`2,000 names in one list are 400 at ${where}, naming the list and the maximum`, async () => {
      const problem = await problemOf(await ask())
      assert.equal(problem.status, 400)
      assert.equal(problem.code, 'too_many_values')
      assert.match(problem.detail, /(lga|state) takes at most 100 values/)
    })
  }

  test('a wrong name in the address of the map goes on showing the map', async () => {
    const response = await app.get('/?lga=Atlantis', null, PEOPLE)
    assert.equal(response.status, 200)
    assert.match(await response.text(), /“Atlantis” could not be read/)
  })

  test('a repeated list is the list with commas, on the map’s page too', async () => {
    const { state } = anIncident(1)
    for (const path of [`/v1/incidents?state=${state}&state=Lagos`, `/?span=all&state=${state}&state=Lagos`]) {
      const text = await (await app.get(path)).text()
      assert.ok(text.includes(anIncident(1).id), path)
      assert.doesNotMatch(text, /could not be read/)
    }
  })

  test('a body with thousands of unknown fields is refused and names 20 of them', async () => {
    const body = Object.fromEntries(Array.from({ length: 900 }, (_, number) => [`f${number}`, 1]))
    const problem = await problemOf(await app.post('/v1/watches/preview', { ...body, filter: {} }))
    assert.equal(problem.status, 422)
    assert.equal(problem.errors?.length, 20)
  })

  test('an object with more than 1,000 fields is refused before they are looked up', async () => {
    const filter = Object.fromEntries(Array.from({ length: 20_000 }, (_, number) => [`f${number}`, 1]))
    const problem = await problemOf(await app.post('/v1/watches/preview', { filter }))
    assert.equal(problem.status, 422)
    assert.match(problem.detail, /objects of up to 1000 fields/)
  })

  test('a list with more than 10,000 values is refused before they are compared with a schema', async () => {
    const state = Array.from({ length: 10_001 }, () => [])
    const problem = await problemOf(await app.post('/v1/watches/preview', { filter: { state } }))
    assert.equal(problem.status, 422)
    assert.match(problem.detail, /lists of up to 10000 values/)
  })

  test('a large valid body is accepted', async () => {
    const ring = Array.from({ length: 999 }, (_, at) => {
      const angle = (2 * Math.PI * at) / 999
      return [7 + Math.cos(angle), 10 + Math.sin(angle)]
    })
    const polygon = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
    const response = await app.post('/v1/watches/preview', { filter: { polygon }, days: 3650 })
    assert.equal(response.status, 200)
  })
})

describe('wire details', () => {
  const NOW = Date.parse('2026-04-15T12:00:00Z')
  let app: TestApp
  let key: string

  before(async () => {
    app = await startTestApp({}, { clock: () => NOW })
    key = (await app.issue()).text
    await app.publish([1, 2, 3].map((number) => anIncident(number)))
  })
  after(() => app[Symbol.asyncDispose]())

  test('a trailing slash is the same address, for the API and for pages, without a redirect', async () => {
    for (const path of ['/v1/incidents', `/v1/incidents/${anIncident(1).id}`, '/v1/places/states', '/docs', '/about']) {
      const [plain, slashed] = await Promise.all([app.get(path), app.get(`${path}/`)])
      assert.equal(plain.status, 200, path)
      assert.equal(slashed.status, 200, `${path}/`)
      assert.equal(await slashed.text(), await plain.text(), path)
    }
    const query = await app.get('/v1/incidents/?limit=1')
    assert.match(query.headers.get('link')!, /^<\/v1\/incidents\/\?limit=1&cursor=.+>; rel="next"$/)
  })

  test('a trailing slash does not hide which methods a path allows', async () => {
    const response = await app.delete('/v1/incidents/', key)
    assert.equal((await problemOf(response)).code, 'method_not_allowed')
    assert.equal((await app.get('/v1/nothing/')).status, 404)
  })

  const send = (body: Uint8Array, encoding: string) =>
    fetch(`${app.url}/v1/incidents/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      body: Buffer.from(body),
    })

  test('a body may be sent with gzip', async () => {
    for (const encoding of ['gzip', 'GZIP', 'x-gzip']) {
      const response = await send(gzipSync('{"limit":2}'), encoding)
      assert.equal(response.status, 200)
      assert.equal(((await response.json()) as { data: unknown[] }).data.length, 2)
    }
    assert.equal((await send(Buffer.from('{"limit":2}'), 'identity')).status, 200)
  })

  test('a body that inflates to more than 256 KiB is 413, however small it is on the wire', async () => {
    const bomb = gzipSync(Buffer.alloc(100 << 20, 32))
    assert.ok(bomb.length < 256 * 1024)
    const { code, detail } = await problemOf(await send(bomb, 'gzip'))
    assert.equal(code, 'body_too_large')
    assert.match(detail, /256 KiB once it is inflated/)
    const fits = Buffer.concat([Buffer.from('{"limit":1}'), Buffer.alloc(256 * 1024 - 11, 32)])
    assert.equal((await send(gzipSync(fits), 'gzip')).status, 200)
  })

  test('other encodings are 415 and say what to send; what is not gzip is 400', async () => {
    for (const encoding of ['br', 'gzip, gzip', 'deflate']) {
      const response = await send(brotliCompressSync('{}'), encoding)
      assert.equal(response.headers.get('accept-encoding'), 'gzip, identity')
      const { status, detail } = await problemOf(response)
      assert.equal(status, 415)
      assert.match(detail, /Content-Encoding: gzip/)
    }
    for (const body of [Buffer.from('{"limit":2}'), gzipSync('{"limit":2}').subarray(0, 15)])
      assert.equal((await problemOf(await send(body, 'gzip'))).code, 'malformed_request')
    assert.equal((await problemOf(await send(gzipSync('{"limit":'), 'gzip'))).code, 'malformed_json')
  })

  test('a form is not taken compressed', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }
    const response = await fetch(`${app.url}/report`, {
      method: 'POST',
      headers,
      body: Buffer.from(gzipSync('text=a')),
    })
    assert.equal(response.status, 415)
  })

  test('no answer to a key is public in caches', async () => {
    const { text: publishable } = await app.issue({ kind: 'publishable' })
    const paths = [
      ...['/v1/incidents', '/v1/incidents?format=csv', '/v1/stats?group_by=state', '/v1/tiles/5/16/15.mvt'],
      ...['/v1/changes', '/v1/archive', '/v1/archive/2026-03.csv', '/v1/taxonomy', `/v1/incidents/${anIncident(1).id}`],
      ...[
        '/v1/places/states',
        '/v1/places/states.geojson',
        '/v1/places/locate?lat=9&lng=7',
        '/v1/me',
        '/v1/feeds/incidents.atom',
      ],
    ]
    for (const path of paths) {
      for (const given of [key, publishable]) {
        const response = await app.get(path, given)
        assert.ok(response.status < 500)
        assert.doesNotMatch(response.headers.get('cache-control') ?? '', /public/, path)
      }
    }
  })

  test('every list from the archive says when it was in step', async () => {
    const paths = [
      '/v1/incidents',
      '/v1/incidents?format=geojson',
      '/v1/stats?group_by=state',
      '/v1/changes',
      '/v1/archive',
    ]
    for (const path of paths) {
      const { meta } = (await (await app.get(path)).json()) as { meta: { in_step_at: string } }
      assert.match(meta.in_step_at, /^2026-04-15T12:00:/, path)
    }
  })

  test('repeated lists equal comma lists, up to a hundred values in all', async () => {
    const etag = async (query: string) => (await app.get(`/v1/incidents?${query}`)).headers.get('etag')
    assert.equal(await etag('state=Kaduna&state=Lagos'), await etag('state=Kaduna,Lagos'))
    assert.notEqual(await etag('state=Kaduna'), await etag('state=Lagos'))
    assert.equal(await etag('type=kidnapping,banditry&type=protest'), await etag('type=protest,kidnapping,banditry'))
    const many = (count: number) => Array.from({ length: count }, () => 'state=Kaduna').join('&')
    assert.equal((await app.get(`/v1/incidents?${many(100)}`)).status, 200)
    assert.equal((await problemOf(await app.get(`/v1/incidents?${many(101)}`))).code, 'too_many_values')
    const both = `${many(60)}&state=${'Kaduna,'.repeat(40)}Kaduna`
    assert.equal((await problemOf(await app.get(`/v1/incidents?${both}`))).code, 'too_many_values')
    assert.equal((await problemOf(await app.get('/v1/incidents?limit=1&limit=2'))).code, 'invalid_parameter')
  })
})
