import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { ENDPOINTS } from '../../src/api/contract/reference.ts'
import { FORMATS } from '../../src/desk/importing/import.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { rowsOf } from '../desk/importing/formats/fixtures.ts'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anIncident, awkwardIncidents, withoutNestedFields } from '../support/incident.ts'

describe('archive', () => {
  const FILE = '/v1/archive/2026-01.ndjson'
  const INCIDENTS = [...awkwardIncidents(), ...Array.from({ length: 300 }, (_, number) => anIncident(number + 100))]
  const OLDER = anIncident(1000, { published_at: '2024-05-31T23:59:59.999Z' })

  let app: TestApp
  let key: string
  before(async () => {
    app = await startTestApp()
    key = (await app.issue()).text
    await app.publish([...INCIDENTS, OLDER])
  })
  after(() => app[Symbol.asyncDispose]())

  interface Index {
    data: { month: string; incidents: number; files: Record<string, { url: string; bytes: number; sha256: string }> }[]
    complete: boolean
  }

  /** Requests without `fetch`, which would decompress the body. */
  const raw = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.app.server.inject({ method, url, headers: { authorization: `Bearer ${key}`, ...headers } })

  test('the index lists the months with the sizes and hashes of their files', async () => {
    const { data, complete } = (await (await app.get('/v1/archive')).json()) as Index
    assert.deepEqual(
      data.map(({ month, incidents }) => [month, incidents]),
      [
        ['2026-01', INCIDENTS.length],
        ['2024-05', 1],
      ],
    )
    assert.equal(complete, true)
    for (const { files } of data) {
      for (const { url, bytes, sha256 } of Object.values(files)) {
        const file = (await raw(url)).rawPayload
        assert.deepEqual([file.length, createHash('sha256').update(file).digest('hex')], [bytes, sha256])
      }
    }
  })

  test('a month file can be imported again without a difference', async () => {
    for (const [format, expected] of [
      ['ndjson', INCIDENTS],
      ['csv', INCIDENTS.map(withoutNestedFields)],
      ['geojson', INCIDENTS.map(withoutNestedFields)],
    ] as const) {
      const response = await raw(FILE.replace('ndjson', format))
      const rows = await rowsOf(FORMATS[format], response.rawPayload)
      const read = rows.map((row) => (row.kind === 'incident' ? row.incident : row))
      assert.deepEqual(read, expected, format)
      if (format === 'ndjson') assert.equal(read.map((one) => `${JSON.stringify(one)}\n`).join(''), response.payload)
    }
  })

  test('a download has a type, a length and a file name', async () => {
    const { headers, statusCode, rawPayload } = await raw(FILE)
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'application/x-ndjson')
    assert.equal(headers['content-length'], String(rawPayload.length))
    assert.equal(headers['accept-ranges'], 'bytes')
    assert.equal(headers['content-disposition'], 'attachment; filename="incidents-2026-01.ndjson"')
    assert.match(String(headers.etag), /^"[0-9a-f]{32}"$/)
  })

  test('a file fetched in ranges is the same file', async () => {
    for (const format of ['ndjson', 'csv', 'geojson']) {
      const url = FILE.replace('ndjson', format)
      const whole = await raw(url)
      const size = whole.rawPayload.length
      const parts: Buffer[] = []
      for (let start = 0; start < size; start += 50_000) {
        const part = await raw(url, {
          range: `bytes=${start}-${start + 49_999}`,
          'if-range': String(whole.headers.etag),
          'accept-encoding': 'gzip',
        })
        const end = Math.min(size, start + 50_000)
        assert.equal(part.statusCode, 206)
        assert.equal(part.headers['content-range'], `bytes ${start}-${end - 1}/${size}`)
        assert.equal(part.headers['content-length'], String(end - start))
        assert.equal(part.headers['content-encoding'], undefined)
        parts.push(part.rawPayload)
      }
      assert.ok(Buffer.concat(parts).equals(whole.rawPayload), format)
    }
  })

  test('a range beyond the file is 416 with its length; a range of another file gets the whole file', async () => {
    const whole = (await raw(FILE)).rawPayload
    const beyond = await raw(FILE, { range: `bytes=${whole.length}-` })
    assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, `bytes */${whole.length}`])
    assert.equal(beyond.json<{ code: string }>().code, 'range_not_satisfiable')
    const other = await raw(FILE, { range: 'bytes=0-9', 'if-range': '"another"' })
    assert.deepEqual([other.statusCode, other.rawPayload.length], [200, whole.length])
  })

  test('gzip has the same bytes under another ETag; either ETag gets 304', async () => {
    const plain = await raw(FILE)
    const packed = await raw(FILE, { 'accept-encoding': 'gzip' })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload))
    assert.notEqual(packed.headers.etag, plain.headers.etag)
    for (const { headers } of [plain, packed]) {
      const again = await raw(FILE, { 'if-none-match': String(headers.etag) })
      assert.deepEqual([again.statusCode, again.payload], [304, ''])
    }
  })

  test('HEAD sends only the headers of the download', async () => {
    const head = await raw(FILE, {}, 'HEAD')
    const { headers } = await raw(FILE)
    assert.deepEqual([head.statusCode, head.payload], [200, ''])
    for (const name of ['content-length', 'etag', 'content-type', 'accept-ranges']) {
      assert.equal(head.headers[name], headers[name], name)
    }
  })

  test('an event during a download does not change it, and gives the month another ETag', async () => {
    await using own = await startTestApp()
    const incidents: Incident[] = Array.from({ length: 4000 }, (_, number) =>
      anIncident(number, { summary: `Number ${number}. ${'x'.repeat(2000)}` }),
    )
    await own.publish(incidents)
    const response = await own.get(FILE, undefined, { 'accept-encoding': 'identity' })
    await own.publish([anIncident(3999, { version: 2, summary: 'Corrected.' })], 'incident.updated')
    const text = await response.text()
    assert.equal(text.length, Number(response.headers.get('content-length')))
    assert.ok(!text.includes('Corrected.'))
    const again = await own.get(FILE)
    assert.notEqual(again.headers.get('etag'), response.headers.get('etag'))
    assert.ok((await again.text()).includes('Corrected.'))
  })

  test('a client that disconnects during a download affects no other', async () => {
    await using own = await startTestApp()
    await own.publish(Array.from({ length: 4000 }, (_, number) => anIncident(number, { summary: 'x'.repeat(2000) })))
    for (const encoding of ['identity', 'gzip']) {
      const leaving = new AbortController()
      const headers = { authorization: `Bearer ${(await own.issue()).text}`, 'accept-encoding': encoding }
      const response = await fetch(own.url + FILE, { headers, signal: leaving.signal })
      const reader = response.body!.getReader()
      assert.ok((await reader.read()).value!.length > 0)
      leaving.abort()
      await assert.rejects(reader.read(), { name: 'AbortError' })
      const again = await own.get(FILE)
      assert.equal((await again.text()).trimEnd().split('\n').length, 4000)
    }
  })

  test('a month keeps its ETag when an event changes another month', async () => {
    await using own = await startTestApp()
    await own.publish([OLDER])
    const { headers } = await own.get('/v1/archive/2024-05.csv')
    await own.publish([anIncident(1)])
    assert.equal((await own.get('/v1/archive/2024-05.csv')).headers.get('etag'), headers.get('etag'))
  })

  test('an unknown file name is 404, and the problem explains the names', async () => {
    for (const name of ['2024-13.csv', '2024-05', '2024-05.xlsx', '2024-05.csv.gz', 'x', '2024-05.json']) {
      const { code, detail } = await problemOf(await app.get(`/v1/archive/${name}`))
      assert.equal(code, 'not_found')
      assert.match(detail, /as 2024-05\.ndjson/)
    }
    assert.match(
      (await problemOf(await app.get('/v1/archive/2023-01.csv'))).detail,
      /No incident was published in 2023-01/,
    )
  })

  test('an empty archive has no months', async () => {
    await using own = await startTestApp()
    const { data, complete } = (await (await own.get('/v1/archive')).json()) as Index
    assert.deepEqual([data, complete], [[], true])
  })
})

describe('collections', () => {
  interface Request {
    readonly method: string
    readonly auth?: { readonly type: string }
    readonly url: { readonly raw: string; readonly variable: readonly { key: string; value: string }[] }
    readonly body?: { readonly raw: string }
  }
  interface Collection {
    readonly variable: readonly { key: string; value: string }[]
    readonly item: readonly { readonly item: readonly { readonly name: string; readonly request: Request }[] }[]
  }

  test('the collection has every endpoint, and each of its requests is understood by the service', async () => {
    await using app = await startTestApp({ SIGNUPS_PER_HOUR: '1000' })
    await app.publish([anIncident(1)])
    const { text: key } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
    const collection = (await (await fetch(`${app.url}/collections/postman.json`)).json()) as Collection
    const requests = collection.item.flatMap(({ item }) => item)
    assert.equal(requests.length, ENDPOINTS.length)
    const ofCollection = new Map(collection.variable.map((one) => [one.key, one.value]))
    assert.equal(ofCollection.get('baseUrl'), app.url)
    // A request that ends the key or the account would refuse all that follow.
    for (const { name, request } of requests.filter(({ request: { method } }) => method !== 'DELETE')) {
      const ofPath = new Map(request.url.variable.map((one) => [one.key, one.value]))
      const address = request.url.raw
        .replaceAll(/\{\{(\w+)\}\}/g, (_, variable: string) => ofCollection.get(variable) || 'inc_unknown')
        .replaceAll(/\/:(\w+)/g, (_, variable: string) => `/${ofPath.get(variable) || 'unknown'}`)
      const response = await fetch(address, {
        method: request.method,
        headers: {
          ...(request.auth?.type === 'noauth' ? {} : { authorization: `Bearer ${key}` }),
          ...(request.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(request.body ? { body: request.body.raw } : {}),
      })
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true
      const { code, detail } = isProblem
        ? ((await response.json()) as { code: string; detail: string })
        : { code: null, detail: '' }
      await response.body?.cancel().catch(() => undefined)
      assert.ok(response.status < 500, `${name}: ${response.status}`)
      assert.doesNotMatch(detail, /^There is nothing at/, name)
      assert.ok(!['method_not_allowed', 'invalid_parameter', 'malformed_json'].includes(code ?? ''), `${name}: ${code}`)
      if (request.method === 'GET' && request.url.variable.length === 0 && !request.url.raw.includes('inc_unknown'))
        assert.ok(response.ok || response.status === 404, `${name}: ${response.status} ${code}`)
    }
  })
})
