import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { check } from '@placemarkio/check-geojson'
import { parse } from 'csv-parse/sync'
import { incidentListSource, ListCache } from '../../../src/api/incidents/incidents.ts'
import { StatisticsCache } from '../../../src/api/statistics.ts'
import { TileCache, TileRenderer } from '../../../src/api/tiles.ts'
import { SlicedQueries } from '../../../src/archive/sliced-queries.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { parseGrouping } from '../../../src/filter/grouping.ts'
import { FORMATS, parseListing } from '../../../src/filter/listing.ts'
import { places } from '../../../src/geo/places.ts'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'
import { EPOCH } from '../../support/arbitrary.ts'
import { anAsker, anEvent, emptyArchive } from '../../support/archive.ts'
import { anIncident, awkwardIncidents } from '../../support/incident.ts'

describe('formats', () => {
  /** A fixed time, so that responses differ in nothing but their format. */
  const STARTED_AT = Date.now()

  let app: TestApp
  before(async () => {
    app = await startTestApp({}, { clock: () => STARTED_AT })
    await app.publish([...awkwardIncidents(), ...Array.from({ length: 20 }, (_, number) => anIncident(number + 100))])
  })
  after(() => app[Symbol.asyncDispose]())

  const PATH = '/v1/incidents?state=Kaduna&limit=10'

  interface List {
    data: Incident[]
    has_more: boolean
    next_cursor: string
    meta: object
  }

  /** Reads the ids from a page in any format. */
  const READ: Record<keyof typeof FORMATS, (text: string) => string[]> = {
    json: (text) => (JSON.parse(text) as List).data.map(({ id }) => id),
    geojson: (text) => (check(text) as GeoJSON.FeatureCollection).features.map(({ id }) => String(id)),
    csv: (text) => (parse(text, { columns: true, record_delimiter: '\r\n' }) as { id: string }[]).map(({ id }) => id),
    ndjson: (text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Incident).id),
  }

  for (const [format, type] of Object.entries(FORMATS) as [keyof typeof FORMATS, string][]) {
    test(`${format} is given by Accept and by format, page after page`, async () => {
      const all = READ.json(await (await app.get('/v1/incidents?limit=1000')).text())
      const read: string[] = []
      for (let path: string | null = `${PATH}&format=${format}`; path !== null; ) {
        const response: Response = await app.get(path)
        assert.equal(response.headers.get('content-type')!.split(';')[0], type)
        read.push(...READ[format](await response.text()))
        path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? null
      }
      assert.deepEqual(read, all)
      const accepted = await app.get(PATH, undefined, { accept: `text/html, ${type};q=0.9, */*;q=0.1` })
      assert.equal(accepted.headers.get('content-type')!.split(';')[0], type)
      assert.match(accepted.headers.get('vary')!, /Accept, Accept-Encoding/)
      assert.equal(await accepted.text(), await (await app.get(`${PATH}&format=${format}`)).text())
    })

    test(`${format} has its own ETag, 304 and gzip`, async () => {
      const first = await app.get(`${PATH}&format=${format}`)
      const etag = first.headers.get('etag')!
      const again = await app.get(PATH, undefined, { accept: type, 'if-none-match': etag })
      assert.equal(again.status, 304)
      const other = await app.get(`${PATH}&format=${format === 'csv' ? 'json' : 'csv'}`, undefined, {
        'if-none-match': etag,
      })
      assert.equal(other.status, 200)
      const compressed = await app.app.server.inject({
        url: `${PATH}&format=${format}`,
        headers: { 'accept-encoding': 'gzip', authorization: `Bearer ${(await app.issue()).text}` },
      })
      assert.equal(compressed.headers['content-encoding'], 'gzip')
      assert.equal(gunzipSync(compressed.rawPayload).toString(), await first.text())
    })
  }

  test('GeoJSON has the paging members of JSON', async () => {
    const json = (await (await app.get(PATH)).json()) as List
    const { has_more, next_cursor, meta } = (await (await app.get(`${PATH}&format=geojson`)).json()) as List
    assert.deepEqual(
      { has_more, next_cursor, meta },
      { has_more: json.has_more, next_cursor: json.next_cursor, meta: json.meta },
    )
  })

  test('NDJSON has the same documents as JSON, byte for byte', async () => {
    const { data } = (await (await app.get(PATH)).json()) as List
    const lines = data.map((incident) => `${JSON.stringify(incident)}\n`).join('')
    assert.equal(await (await app.get(`${PATH}&format=ndjson`)).text(), lines)
  })

  test('format overrides Accept, and JSON is the default', async () => {
    const typeOf = async (path: string, accept: string) =>
      (await app.get(path, undefined, { accept })).headers.get('content-type')!.split(';')[0]
    assert.equal(await typeOf(`${PATH}&format=csv`, 'application/pdf'), FORMATS.csv)
    assert.equal(await typeOf(PATH, 'text/html,application/xhtml+xml,*/*;q=0.8'), FORMATS.json)
    assert.equal(await typeOf(PATH, 'application/*'), FORMATS.json)
    assert.equal(await typeOf(PATH, 'text/*'), FORMATS.csv)
    assert.equal(await typeOf(PATH, 'application/json;q=0, application/*'), FORMATS.geojson)
  })

  test('an unknown format is refused with the list of known ones', async () => {
    const parameter = await problemOf(await app.get('/v1/incidents?format=excel'))
    assert.deepEqual([parameter.status, parameter.errors![0]!.allowed], [400, Object.keys(FORMATS)])
    const near = await problemOf(await app.get('/v1/incidents?format=geojsn'))
    assert.equal((near.errors![0]!.did_you_mean as string[])[0], 'geojson')
    const header = await problemOf(await app.get('/v1/incidents', undefined, { accept: 'application/pdf' }))
    assert.deepEqual(
      [header.status, header.code, header.errors![0]!.allowed],
      [406, 'not_acceptable', Object.values(FORMATS)],
    )
  })

  test('an empty page is valid in every format', async () => {
    const empty = async (format: string) => (await app.get(`/v1/incidents?state=Lagos&format=${format}`)).text()
    assert.deepEqual((JSON.parse(await empty('geojson')) as { features: [] }).features, [])
    assert.match(await empty('csv'), /^id,type,[a-z_,]+\r\n$/)
    assert.equal(await empty('ndjson'), '')
  })
})

describe('words', () => {
  const WORDS = ['gunmen', 'bandits', 'herders', 'market', 'school', 'road', "Jema'a", 'Ọ̀ṣun']
  /** Incident n has the words at the bits of n. */
  const summaryOf = (number: number) => `In ${WORDS.filter((_, bit) => number & (1 << bit)).join(' and ')}.`
  const NUMBERS = Array.from({ length: 256 }, (_, number) => number)
  let app: TestApp

  before(async () => {
    app = await startTestApp()
    await app.publish(NUMBERS.map((number) => anIncident(number, { summary: summaryOf(number) })))
  })
  after(() => app[Symbol.asyncDispose]())

  interface Page {
    data: { id: string }[]
    next_cursor: string | null
  }
  const numbersIn = ({ data }: Page) => data.map(({ id }) => Number(id.slice(-3)))
  const read = async (query: string) => {
    const response = await app.get(`/v1/incidents?${query}`)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Page
  }
  const having = (...bits: number[]) =>
    NUMBERS.filter((number) => bits.every((bit) => number & (1 << bit))).toReversed()

  test('all words must begin a word of the summary, in any order, case and accents', async () => {
    const cases: [string, number[]][] = [
      ['gunmen', having(0)],
      ['MARKET gunmen', having(0, 3)],
      ['gun,mark', having(0, 3)],
      ['jemaa', having(6)],
      ["Jema'a osun", having(6, 7)],
      ['men', []],
      ['gun* mark*', having(0, 3)],
      ['"gunmen and bandits"', having(0, 1)],
      ['“and Jema’a” gun', having(0, 6).filter((number) => number & 0b11_1111)],
      ['"gun"', []],
      ['"bandits gunmen"', []],
      ['in gunmen bandits herders market school road jemaa', having(0, 1, 2, 3, 4, 5, 6)],
    ]
    for (const [q, expected] of cases)
      assert.deepEqual(numbersIn(await read(`limit=1000&q=${encodeURIComponent(q)}`)), expected, q)
  })

  test('words go with other filters, cursors, fields and formats', async () => {
    const first = await read('q=gunmen%20market&limit=40')
    const second = await read(`q=market+gunmen&limit=40&cursor=${first.next_cursor}&fields=summary`)
    assert.deepEqual([...numbersIn(first), ...numbersIn(second)], having(0, 3))
    const other = await app.get(`/v1/incidents?q=market&cursor=${first.next_cursor}`)
    assert.equal((await problemOf(other)).code, 'cursor_of_another_query')
    const far = await read('q=gunmen&near=4.9,6.9&radius_km=5')
    assert.deepEqual(far.data, [])
    const csv = await (
      await app.get('/v1/incidents?q=gunmen+bandits+herders+market+school&format=csv&fields=id')
    ).text()
    assert.equal(csv.trim().split('\r\n').length, 1 + having(0, 1, 2, 3, 4).length)
  })

  test('statistics and queries as JSON count the same', async () => {
    const total = async (response: Response) => {
      assert.equal(response.status, 200, await response.clone().text())
      return ((await response.json()) as { total: { count: number } }).total.count
    }
    assert.equal(await total(await app.get('/v1/stats?group_by=state&q=gunmen+market')), 64)
    assert.equal(await total(await app.get('/v1/stats?group_by=month&q=jemaa')), 128)
    assert.equal(await total(await app.get('/v1/stats?group_by=state&q=%22gunmen+and+bandits%22')), 64)
    assert.equal(await total(await app.get('/v1/stats?group_by=state')), 256)
    const ring = [
      [2, 4],
      [15, 4],
      [15, 14],
      [2, 14],
      [2, 4],
    ]
    const polygon = { type: 'Polygon', coordinates: [ring] }
    assert.equal(await total(await app.post('/v1/stats/query', { group_by: 'severity', q: 'school', polygon })), 128)
    const list = await app.post('/v1/incidents/query', { q: 'school road', polygon, limit: 1000 })
    assert.deepEqual(numbersIn((await list.json()) as Page), having(4, 5))
  })

  test('the ETag of an answer by words changes only with what it holds', async () => {
    const path = '/v1/incidents?q=gunmen+bandits+herders+market+school+road+jemaa+osun'
    const etag = (await app.get(path)).headers.get('etag')!
    await app.publish([anIncident(300, { summary: 'Nothing of it.' })])
    assert.equal((await app.get(path, undefined, { 'if-none-match': etag })).status, 304)
  })

  test('words are bounded, and refused by name where they cannot be asked for', async () => {
    const cases: [string, RegExp][] = [
      ['q=...', /no letter and no digit/],
      [`q=${'a'.repeat(201)}`, /longer than 200 characters/],
      ['q=a+b+c+d+e+f+g+h+i', /has 9 words; it takes up to 8/],
      ['q=a&q=b', /given 2 times/],
      ['q=%22a+b+c+d+e+f+g+h+i%22', /has 9 words; it takes up to 8/],
      ['q=*', /a \* that does not end a word/],
      ['q=%22a', /a quotation mark without its counterpart/],
      ['q=%22a*%22', /a \* in a phrase/],
      ['q=', /is empty/],
    ]
    for (const [query, message] of cases) {
      const { code, errors } = await problemOf(await app.get(`/v1/incidents?${query}`))
      assert.equal(code, 'invalid_parameter')
      assert.deepEqual(errors!.length, 1)
      assert.match(String(errors![0]!.message), message)
    }
    const stream = await problemOf(await app.get('/v1/stream?q=gunmen'))
    assert.match(stream.detail, /q is not allowed here: a stream matches by fields/)
    const preview = await problemOf(await app.post('/v1/watches/preview', { filter: { q: 'gunmen' }, days: 1 }))
    assert.match(preview.detail, /\/filter\/q is not allowed here: a watch matches by fields/)
    assert.equal((await app.get('/v1/tiles/0/0/0.mvt?q=gunmen')).status, 400)
    // Elsewhere q means something else.
    assert.equal((await app.get('/v1/places/search?q=a+b+c+d+e+f+g+h+i+j')).status, 200)
  })
})

describe('cache', () => {
  const MOST = 200_000
  const queries = new SlicedQueries()
  /** A query of 4 KB whose answer is small; each number gives another one. */
  const longQuery = (number: number) =>
    `lga=${places.lgas.slice(0, 100).map(({ code }) => code)}&min_confidence=${(number / 1e6).toFixed(6)}`

  async function anArchive() {
    const archive = await emptyArchive()
    archive.apply([anEvent(1, anIncident(1))])
    return archive
  }

  test('lists with long keys stay within the bytes of the cache', async () => {
    const archive = await anArchive()
    const cache = new ListCache(incidentListSource(places), queries, MOST)
    for (let number = 0; number < 300; number++) {
      cache.getList(archive, longQuery(number), 'json', EPOCH, anAsker)
      assert.ok(cache.size <= MOST, `${cache.size} bytes`)
    }
    assert.ok(cache.size > 0)
  })

  test('the same list under many spellings stays within the bytes of the cache', async () => {
    const archive = await anArchive()
    const cache = new ListCache(incidentListSource(places), queries, MOST)
    const first = cache.getList(archive, 'state=Kaduna', 'json', EPOCH, anAsker)
    for (let number = 0; number < 300; number++) {
      const spelling = `state=${'%20'.repeat(1 + number)}Kaduna`
      assert.equal(cache.getList(archive, spelling, 'json', EPOCH, anAsker), first)
      assert.ok(cache.size <= MOST, `${cache.size} bytes`)
    }
  })

  test('a list larger than the cache is sent but not kept', async () => {
    const archive = await anArchive()
    const cache = new ListCache(incidentListSource(places), queries, 1000)
    const list = cache.getList(archive, 'limit=1', 'json', EPOCH, anAsker)
    assert.ok(!(list instanceof Promise) && list.body.length > 1000)
    assert.equal(cache.size, 0)
  })

  test('statistics with long keys stay within the bytes of the cache', async () => {
    const archive = await anArchive()
    const cache = new StatisticsCache(places, queries, MOST)
    for (let number = 0; number < 300; number++) {
      const grouping = parseGrouping(new URLSearchParams(`group_by=state&${longQuery(number)}`), places)
      await cache.getStatistics(archive, grouping, EPOCH, anAsker)
      assert.ok(cache.size <= MOST, `${cache.size} bytes`)
    }
    assert.ok(cache.size > MOST / 2)
  })

  test('empty tiles with long keys count too', async () => {
    const archive = await anArchive()
    const cache = new TileCache(new TileRenderer(places), queries, MOST)
    for (let number = 0; number < 300; number++) {
      const { filter } = parseListing(new URLSearchParams(longQuery(number)), places)
      await cache.getTile(archive, { z: 12, x: number, y: 1 }, filter, EPOCH, anAsker)
      assert.ok(cache.size <= MOST, `${cache.size} bytes`)
    }
    assert.ok(cache.size > MOST / 2)
  })
})

describe('reused bytes', () => {
  const INCIDENTS = 500
  /**
   * A page is larger than what a connection buffers, so that the rest waits in the service for the
   * reader.
   */
  const LONG = 'x'.repeat(8000)
  const LATER = 'y'.repeat(8000)
  const QUESTIONS = 6

  interface Page {
    readonly data: { readonly summary: string }[]
  }

  test('answers that wait for a slow reader are not overwritten by later ones', async () => {
    await using app = await startTestApp()
    await app.publish(Array.from({ length: INCIDENTS }, (_, index) => anIncident(index + 1, { summary: LONG })))
    const { text: key } = await app.issue()
    /** Each has the same incidents, and none the same canonical query as another. */
    const path = (number: number) => `/v1/incidents?limit=${INCIDENTS}&min_confidence=0.0${number + 100}`

    const { hostname, port } = new URL(app.url)
    await using connections = new AsyncDisposableStack()
    const readers = Array.from({ length: QUESTIONS }, () =>
      connections.use(slowReader(connect(Number(port), hostname))),
    )
    for (const [number, reader] of readers.entries()) await reader.ask(path(number), key)

    // An event empties the cache; the answers after it go to the memory of those before.
    await app.publish(
      Array.from({ length: INCIDENTS }, (_, index) => anIncident(INCIDENTS + index + 1, { summary: LATER })),
    )
    for (let number = 0; number < 2 * QUESTIONS; number++) {
      const text = await (await app.get(path(QUESTIONS + number), key)).text()
      assert(text.includes(LATER) && !text.includes(LONG))
    }

    for (const reader of readers) {
      const { data } = await reader.read()
      assert.equal(data.length, INCIDENTS)
      assert(data.every(({ summary }) => summary === LONG))
    }
  })

  /** Asks, and reads nothing of the answer before it is told to. */
  function slowReader(socket: Socket) {
    socket.pause()
    return {
      /** Resolves once the answer has begun to arrive. */
      async ask(path: string, key: string): Promise<void> {
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
        )
        await once(socket, 'readable')
      },
      async read(): Promise<Page> {
        const chunks: Buffer[] = []
        for await (const chunk of socket) chunks.push(chunk as Buffer)
        const text = Buffer.concat(chunks).toString()
        assert.match(text, /^HTTP\/1\.1 200 /)
        return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Page
      },
      async [Symbol.asyncDispose]() {
        socket.destroy()
      },
    }
  }
})
