import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { readSiteIndex } from '../../src/api/request.ts'
import { NOW, withWatches } from '../store/fixtures.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { anIncident } from '../support/incident.ts'
import { type ListenReader, readListening } from '../support/readers.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

describe('sites', () => {
  const KADUNA = { name: 'Depot', latitude: 10, longitude: 7.4, radius_km: 30, reference: 'KD-1' }
  const LAGOS = { name: 'Port', latitude: 6.5, longitude: 3.4, radius_km: 5, reference: null }
  const CSV = 'name,latitude,longitude,radius_km,reference\r\n"Depot, north",10,7.4,30,KD-1\r\nPort,6.5,3.4,5,\r\n'
  const ALL = ['incident.created', 'incident.updated', 'incident.retracted']
  let app: TestApp
  let endpoint: TestEndpoint
  let key: string
  let other: string
  let publishable: string

  interface SiteList {
    id: string
    name: string
    size: number
    version: number
    watches: number
  }

  before(async () => {
    endpoint = await startEndpoint()
    app = await startTestApp({
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SITE_LISTS_PER_ACCOUNT: '20',
      SITE_UPLOADS_PER_MINUTE: '100',
    })
    key = (await app.issue()).text
    other = (await app.issue()).text
    publishable = ((await (await app.post('/v1/keys', { kind: 'publishable' }, key)).json()) as { key: string }).key
    const at = (lat: number, lng: number) => ({ lat, lng })
    await app.publish([anIncident(1, at(10, 7.4)), anIncident(2, at(10, 8.4)), anIncident(3, at(6.5, 3.4))])
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  const upload = (method: string, path: string, type: string, body: string, by = key) =>
    fetch(`${app.url}${path}`, { method, body, headers: { authorization: `Bearer ${by}`, 'content-type': type } })

  async function save(name: string, sites: readonly object[] = [KADUNA, LAGOS]): Promise<SiteList> {
    const response = await app.post('/v1/sites', { name, sites }, key)
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as SiteList
  }
  const ids = (...numbers: number[]) => numbers.map((number) => anIncident(number).id)
  const listed = async (query: string) =>
    ((await (await app.get(`/v1/incidents?order=oldest&${query}`, key)).json()) as { data: { id: string }[] }).data.map(
      ({ id }) => id,
    )

  test('a list is saved, read by pages, replaced and deleted', async () => {
    const list = await save('Depots')
    assert.deepEqual([list.size, list.version, list.watches], [2, 1, 0])
    const first = await (await app.get(`/v1/sites/${list.id}?limit=1`, key)).json()
    assert.deepEqual(first, { list, data: [KADUNA], has_more: true, next_cursor: '1.1' })
    const second = (await (await app.get(`/v1/sites/${list.id}?limit=1&cursor=1.1`, key)).json()) as { data: unknown }
    assert.deepEqual(second.data, [LAGOS])
    assert.equal(
      (await problemOf(await app.post('/v1/sites', { name: 'Depots', sites: [LAGOS] }, key))).code,
      'name_taken',
    )
    const replaced = await upload('PUT', `/v1/sites/${list.id}`, 'application/json', JSON.stringify({ sites: [LAGOS] }))
    const changed = (await replaced.json()) as SiteList
    assert.deepEqual([changed.name, changed.size, changed.version], ['Depots', 1, 2])
    for (const cursor of ['1.1', '1', '0.0', '2.-1', '2.100000', 'x'])
      assert.equal(
        (await problemOf(await app.get(`/v1/sites/${list.id}?cursor=${cursor}`, key))).code,
        'invalid_cursor',
      )
    assert.equal((await app.get(`/v1/sites/${list.id}`, other)).status, 404)
    assert.equal((await app.delete(`/v1/sites/${list.id}`, other)).status, 404)
    assert.equal((await app.delete(`/v1/sites/${list.id}`, key)).status, 204)
    assert.equal((await app.get(`/v1/sites/${list.id}`, key)).status, 404)
  })

  test('CSV and GeoJSON are read, and their errors name the line or the member', async () => {
    const csv = await upload('POST', '/v1/sites?name=Csv', 'text/csv', CSV)
    assert.equal(csv.status, 201, await csv.clone().text())
    const { id } = (await csv.json()) as SiteList
    const read = (await (await app.get(`/v1/sites/${id}`, key)).json()) as { data: unknown }
    assert.deepEqual(read.data, [{ ...KADUNA, name: 'Depot, north' }, LAGOS])
    const feature = {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [7.4, 10] },
      properties: { name: 'Depot', radius_km: 30, reference: 'KD-1' },
    }
    const collection = (features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features })
    const geo = await upload('POST', '/v1/sites?name=Geo', 'application/geo+json', collection([feature]))
    assert.equal(geo.status, 201, await geo.clone().text())
    const swapped = await problemOf(
      await upload(
        'POST',
        '/v1/sites?name=Bad',
        'text/csv',
        CSV.replace('10,7.4,30', '3.4,65,30').replace(',5,', ',x,'),
      ),
    )
    assert.deepEqual(
      swapped.errors?.map(({ message }) => String(message).slice(0, 17)),
      ['line 2: longitude', 'line 3: radius_km'],
    )
    const wrong = await problemOf(
      await upload('POST', '/v1/sites?name=Bad', 'application/geo+json', collection([{ ...feature, geometry: null }])),
    )
    assert.equal(wrong.errors?.[0]?.pointer, '/features/0/geometry')
    const header = await problemOf(await upload('POST', '/v1/sites?name=Bad', 'text/csv', 'name,lat\nA,1\n'))
    assert.match(String(header.errors?.[0]?.message), /line 1: has no column latitude, longitude, radius_km/)
    assert.equal((await upload('POST', '/v1/areas', 'text/csv', CSV)).status, 415)
    const many = Array.from({ length: 10_000 }, () => KADUNA)
    assert.equal((await save('Many', many)).size, 10_000)
    const csvLine = 'A,10,7.4,30,\n'.repeat(10_001)
    const tooMany = await upload(
      'POST',
      '/v1/sites?name=Bad',
      'text/csv',
      `name,latitude,longitude,radius_km,reference\n${csvLine}`,
    )
    assert.match(String((await problemOf(tooMany)).errors?.[0]?.message), /line 10002: a list takes up to 10,000 sites/)
  })

  test('lists and statistics filter by sites of the own account only', async () => {
    const { id } = await save('Filter')
    assert.deepEqual(await listed(`sites=${id}`), ids(1, 3))
    const stats = (await (await app.get(`/v1/stats?group_by=state&sites=${id}`, key)).json()) as {
      total: { count: number }
    }
    assert.equal(stats.total.count, 2)
    const inJson = await app.post('/v1/incidents/query', { sites: id }, key)
    assert.equal(((await inJson.json()) as { data: [] }).data.length, 2)
    const port = await save('Port', [LAGOS])
    const tile = Buffer.from(await (await app.get(`/v1/tiles/0/0/0.mvt?sites=${port.id}`, key)).arrayBuffer())
    assert.deepEqual(
      [1, 2, 3].map((number) => tile.includes(anIncident(number).id)),
      [false, false, true],
    )
    const first = await (await app.get(`/v1/incidents?sites=${id}&limit=1`, key)).json()
    const { next_cursor } = first as { next_cursor: string }
    await upload('PUT', `/v1/sites/${id}`, 'application/json', JSON.stringify({ sites: [LAGOS] }))
    const ended = await app.get(`/v1/incidents?sites=${id}&limit=1&cursor=${next_cursor}`, key)
    assert.equal((await problemOf(ended)).code, 'cursor_of_another_query')
    const both = await problemOf(await app.get(`/v1/incidents?sites=${id}&near=10,7&radius_km=5`, key))
    assert.equal(both.errors?.[0]?.parameter, 'sites')
  })

  test('a watch of sites gets what is near one, and its messages name them; new sites count at once', async () => {
    const list = await save('Watched', [KADUNA, { ...KADUNA, name: 'Yard', latitude: 10.1, reference: null }])
    const body = { name: 'Sites', url: endpoint.url, filter: { sites: list.id } }
    const response = await app.post('/v1/watches', body, key)
    assert.equal(response.status, 201, await response.clone().text())
    const watch = (await response.json()) as { id: string }
    const messages = () => endpoint.messages.filter(({ json }) => json.watch_id === watch.id)
    await app.publish([anIncident(11, { lat: 10, lng: 7.4 }), anIncident(12, { lat: 6.5, lng: 3.4 })])
    await until(() => messages().length === 1, 'the message')
    assert.deepEqual(messages()[0]!.json.sites, {
      id: list.id,
      name: 'Watched',
      nearest: [
        { name: 'Depot', reference: 'KD-1', distance_km: 0, radius_km: 30 },
        { name: 'Yard', reference: null, distance_km: 11.1, radius_km: 30 },
      ],
      more: 0,
    })
    const inUse = await problemOf(await app.delete(`/v1/sites/${list.id}`, key))
    assert.deepEqual([inUse.code, inUse.detail?.includes(watch.id)], ['sites_in_use', true])
    const put = await upload('PUT', `/v1/sites/${list.id}`, 'application/json', JSON.stringify({ sites: [LAGOS] }))
    assert.equal(put.status, 200)
    await app.publish([anIncident(13, { lat: 10, lng: 7.4 }), anIncident(14, { lat: 6.5, lng: 3.4 })])
    await until(() => messages().length === 2, 'the message of the new sites')
    const [, last] = messages() as unknown as {
      json: { incident: { id: string }; sites: { nearest: { name: string }[] } }
    }[]
    assert.deepEqual([last!.json.incident.id, last!.json.sites.nearest[0]!.name], [anIncident(14).id, 'Port'])
    const explained = await app.get(`/v1/watches/${watch.id}/explain?incident=${anIncident(13).id}`, key)
    const { matches, conditions } = (await explained.json()) as {
      matches: boolean
      conditions: { condition: string }[]
    }
    assert.deepEqual([matches, conditions.map(({ condition }) => condition)], [false, ['sites']])
    const preview = await app.post('/v1/watches/preview', { filter: { sites: list.id } }, key)
    assert.equal(preview.status, 200)
  })

  test("another account's list cannot be seen or used: 404; a publishable key: 403", async () => {
    const { id } = await save('Secret')
    const filter = { sites: id }
    const body = JSON.stringify({ name: 'Mine', sites: [LAGOS] })
    const attempts = (by: string) => [
      app.get(`/v1/incidents?sites=${id}`, by),
      app.get(`/v1/stats?group_by=state&sites=${id}`, by),
      app.get(`/v1/tiles/0/0/0.mvt?sites=${id}`, by),
      app.get(`/v1/stream?sites=${id}`, by),
      app.get(`/v1/listen?sites=${id}`, by),
      app.post('/v1/incidents/query', filter, by),
      app.post('/v1/stats/query', { ...filter, group_by: 'state' }, by),
      app.post('/v1/watches', { name: 'Mine', url: endpoint.url, filter }, by),
      app.post('/v1/watches/preview', { filter, days: 1 }, by),
      app.get(`/v1/sites/${id}`, by),
      upload('PUT', `/v1/sites/${id}`, 'application/json', body, by),
      app.delete(`/v1/sites/${id}`, by),
    ]
    const refusals = async (by: string) => Promise.all((await Promise.all(attempts(by))).map(problemOf))
    for (const { status, code } of await refusals(other)) assert.deepEqual([status, code], [404, 'not_found'])
    for (const { status } of await refusals(publishable)) assert.equal(status, 403)
    assert.equal((await upload('POST', '/v1/sites', 'application/json', body, publishable)).status, 403)
    const read = (await (await app.get(`/v1/sites/${id}`, key)).json()) as { list: SiteList }
    assert.deepEqual([read.list.name, read.list.version], ['Secret', 1])
  })

  test('an upload is repeated safely with an Idempotency-Key, also as CSV and compressed', async () => {
    const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      fetch(`${app.url}/v1/sites?name=Again`, {
        method: 'POST',
        body,
        headers: {
          authorization: `Bearer ${key}`,
          'idempotency-key': 'sites-1',
          'content-type': 'text/csv',
          ...headers,
        },
      })
    const first = await send(CSV, {})
    assert.equal(first.status, 201)
    const repeated = await send(new Uint8Array(gzipSync(CSV)), { 'content-encoding': 'gzip' })
    assert.deepEqual([repeated.status, await repeated.json()], [201, await first.json()])
    const other = await problemOf(await send(CSV.replace('Port', 'Pier'), {}))
    assert.equal(other.code, 'idempotency_key_reused')
  })

  test('what is too large, no UTF-8 or no list of sites is refused, and nothing is saved', async () => {
    const held = async () => ((await (await app.get('/v1/sites', key)).json()) as { data: [] }).data.length
    const before = await held()
    const post = (body: string | Uint8Array<ArrayBuffer>, type: string, headers = {}) =>
      fetch(`${app.url}/v1/sites?name=Bad`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${key}`, 'content-type': type, ...headers },
      })
    const large = `${CSV}${' '.repeat(4 * 1024 * 1024)}`
    assert.equal((await post(large, 'text/csv')).status, 413)
    const bomb = new Uint8Array(gzipSync(large))
    assert.equal((await post(bomb, 'text/csv', { 'content-encoding': 'gzip' })).status, 413)
    const latin1 = new Uint8Array(Buffer.from(CSV.replace('Port', 'Dep\u00f4t'), 'latin1'))
    assert.match(String((await problemOf(await post(latin1, 'text/csv'))).errors?.[0]?.message), /UTF-8/)
    const isRefused = async (body: string, type: string) => {
      const { status } = await problemOf(await post(body, type))
      assert.ok(status === 400 || status === 422, `${body}: ${status}`)
    }
    const bodies = [JSON.stringify(CSV), '[]', 'null', '{"sites":[],"x":1}', '{"sites":{"0":1}}', '{}', '']
    for (const body of bodies) await isRefused(body, 'application/json')
    for (const body of ['[]', '{"type":"FeatureCollection","features":{}}', '{"type":"Feature"}', ''])
      await isRefused(body, 'application/geo+json')
    await isRefused('', 'text/csv')
    const nameless = await problemOf(await upload('POST', '/v1/sites', 'text/csv', CSV))
    assert.equal(nameless.errors?.[0]?.pointer, '/name')
    assert.equal(await held(), before)
  })

  test('uploads of an account are counted, of POST and PUT together', async () => {
    await using limited = await startTestApp({ SITE_UPLOADS_PER_MINUTE: '2' })
    const { text } = await limited.issue()
    const post = (name: string) => limited.post('/v1/sites', { name, sites: [LAGOS] }, text)
    const { id } = (await (await post('One')).json()) as SiteList
    assert.equal((await post('Two')).status, 201)
    const put = await fetch(`${limited.url}/v1/sites/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${text}` },
    })
    assert.equal((await problemOf(put)).code, 'rate_limited')
    assert.equal((await limited.get(`/v1/sites/${id}`, text)).status, 200)
  })

  test('listeners get what is near a site; a retraction names the sites without their distances', async () => {
    const list = await save('Heard', [LAGOS, { ...KADUNA, name: 'Yard', latitude: 10.1 }, KADUNA])
    const body = { name: 'Heard', url: endpoint.url, events: ALL, filter: { sites: list.id } }
    const watch = (await (await app.post('/v1/watches', body, key)).json()) as { id: string }
    await using byFilter = await readListening(`${app.url}/v1/listen?sites=${list.id}`, key)
    await using byWatch = await readListening(`${app.url}/v1/listen?watch=${watch.id}`, key)
    await until(() => byFilter.events().length > 0 && byWatch.events().length > 0, 'the listeners')
    const incident = anIncident(21, { lat: 10, lng: 7.4 })
    await app.publish([incident, anIncident(22, { lat: 12, lng: 12 })])
    const told = (reader: ListenReader) =>
      reader.messages().map(({ body }) => JSON.parse(body) as { incident: { id: string }; sites?: unknown })
    // An incident that is retracted before they are told of it is not told at all.
    await until(() => told(byFilter).length > 0 && told(byWatch).length > 0, 'the incident to the listeners')
    await app.publish([{ ...incident, version: 2, status: 'retracted' }], 'incident.retracted')
    const sent = () => endpoint.messages.filter(({ json }) => json.watch_id === watch.id)
    const retraction = () => sent().find(({ json }) => json.event === 'incident.retracted')
    await until(() => retraction() !== undefined, 'the retraction')
    const named = {
      id: list.id,
      name: 'Heard',
      nearest: [
        { name: 'Yard', reference: 'KD-1', radius_km: 30 },
        { name: 'Depot', reference: 'KD-1', radius_km: 30 },
      ],
      more: 0,
    }
    assert.deepEqual(retraction()!.json.sites, named)
    await until(
      () => told(byWatch).some(({ sites }) => isDeepStrictEqual(sites, named)),
      'the retraction to the listener',
    )
    assert.ok([...told(byFilter), ...told(byWatch)].every((message) => message.incident.id === incident.id))
    const logged = async () => {
      const response = await app.get(`/v1/deliveries/${String(retraction()!.json.id)}`, key)
      return ((await response.json()) as { bodies: { body: string }[] }).bodies
    }
    await until(async () => (await logged()).length > 0, 'the attempt in the log')
    assert.equal((await logged())[0]!.body, retraction()!.body)
  })
})

describe('site indexes', () => {
  describe('lists of sites in questions', () => {
    it('are read once until they are changed, and only by their own account', async () => {
      await using store = await openMemoryStore()
      await withWatches(store, 0)
      const site = { name: 'Depot', latitude: 10, longitude: 7, radiusKm: 5, reference: null }
      const times = { createdAt: NOW, updatedAt: NOW }
      await store.siteLists.add(
        { id: 'sit_1', accountId: 'acc_1', name: 'List', size: 1, version: 1, ...times },
        [site],
        9,
      )
      let reads = 0
      const { version } = store.siteLists
      const positions = (accountId: string, id: string) => {
        reads++
        return store.siteLists.positions(accountId, id)
      }
      const lists = { version, positions }
      const first = await readSiteIndex(lists, 'acc_1', 'sit_1')
      assert.equal(await readSiteIndex(lists, 'acc_1', 'sit_1'), first)
      assert.equal(reads, 1)
      assert.equal(await readSiteIndex(lists, 'acc_2', 'sit_1'), null)
      await store.siteLists.change('acc_1', 'sit_1', { name: 'List', sites: [site, { ...site, latitude: 11 }] }, NOW)
      const second = await readSiteIndex(lists, 'acc_1', 'sit_1')
      assert.equal(second!.sitesNear(11, 7, 5).count, 1)
      await store.siteLists.remove('acc_1', 'sit_1')
      assert.equal(await readSiteIndex(lists, 'acc_1', 'sit_1'), null)
    })
  })
})
