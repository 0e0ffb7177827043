import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { places } from '../../src/geo/places.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { squaresAround } from '../support/boundaries.ts'
import { aReport } from '../support/incident.ts'

describe('places', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
  })
  after(() => app[Symbol.asyncDispose]())

  const data = async (response: Response) => {
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return (JSON.parse(text) as { data: Record<string, unknown>[] }).data
  }

  test('all 37 states and all 774 LGAs are listed, LGAs by state too', async () => {
    assert.equal((await data(await app.get('/v1/places/states'))).length, 37)
    assert.equal((await data(await app.get('/v1/places/lgas'))).length, 774)
    const some = await data(await app.get('/v1/places/lgas?state=FCT,lagos'))
    assert.deepEqual(new Set(some.map(({ state }) => state)), new Set(['Federal Capital Territory', 'Lagos']))
    assert.equal(some.length, 6 + 20)
  })

  const TOWNS: [string, number, number, string, string][] = [
    ['Maiduguri', 11.8333, 13.15, 'Borno', 'Maiduguri'],
    ['Kaduna', 10.52, 7.44, 'Kaduna', 'Kaduna North'],
    ['Jos', 9.92, 8.89, 'Plateau', 'Jos North'],
    ['Gwoza', 11.0833, 13.6917, 'Borno', 'Gwoza'],
    ['Chibok', 10.87, 12.847, 'Borno', 'Chibok'],
  ]

  for (const [town, lat, lng, state, lga] of TOWNS) {
    test(`${town} lies in ${lga}, ${state}`, async () => {
      const found = (await (await app.get(`/v1/places/locate?lat=${lat}&lng=${lng}`)).json()) as Record<string, string>
      assert.deepEqual([found.state, found.lga, found.lga_basis], [state, lga, 'estimated'])
      assert.match(found.lga_code!, /^NG-[A-Z]{2}-[A-Z-]+$/)
    })
  }

  test('a point outside Nigeria is refused; the problem says if swapped coordinates are inside', async () => {
    const paris = await problemOf(await app.get('/v1/places/locate?lat=48.85&lng=2.35'))
    assert.equal(paris.code, 'outside_nigeria')
    assert.doesNotMatch(paris.detail, /swapped/)
    const swapped = await problemOf(await app.get('/v1/places/locate?lat=3.4&lng=6.5'))
    assert.match(swapped.detail, /With the numbers swapped it is in Nigeria: lat is the latitude\.$/)
  })

  const WRONG: [string, string][] = [
    ['/v1/places/locate', 'lat'],
    ['/v1/places/locate?lat=91&lng=7', 'lat'],
    ['/v1/places/locate?lat=10', 'lng'],
    ['/v1/places/locate?lat=ten&lng=7', 'lat'],
    ['/v1/places/locate?lat=10&lng=7&alt=3', 'alt'],
    ['/v1/places/lgas?state=Kadunna', 'state'],
    ['/v1/places/lgas?lga=Chikun', 'lga'],
    ['/v1/places/states?x=1', 'x'],
    ['/v1/places/search', 'q'],
    [`/v1/places/search?q=${'x'.repeat(201)}`, 'q'],
    ['/v1/places/search?q=Zaria&state=Kaduna,Kano', 'state'],
  ]

  for (const [path, parameter] of WRONG) {
    test(`${path.slice(0, 60)} is refused, naming ${parameter}`, async () => {
      const problem = await problemOf(await app.get(path))
      assert.deepEqual([problem.code, problem.errors?.[0]?.parameter], ['invalid_parameter', parameter])
    })
  }

  test('a place is found by its name, within its state', async () => {
    const [zaria] = await data(await app.get('/v1/places/search?q=Zaria'))
    assert.deepEqual([zaria?.name, zaria?.state], ['Zaria', 'Kaduna'])
    const [surulere] = await data(await app.get('/v1/places/search?q=Surulere&state=Oyo'))
    assert.equal(surulere?.lga_code, 'NG-OY-SURULERE')
    assert.deepEqual(await data(await app.get('/v1/places/search?q=qqqqqqqq')), [])
  })

  test('a search says what a name was matched to, how, and which places are rivals', async () => {
    const search = async (q: string) => {
      const found = (await (await app.get(`/v1/places/search?q=${encodeURIComponent(q)}`)).json()) as {
        data: { name: string; state: string; matched: unknown; relation: string; rival: boolean }[]
        meaning: string
      }
      return { ...found, first: found.data[0] }
    }
    const zaria = await search('near Zaria')
    assert.deepEqual(
      [zaria.meaning, zaria.first?.matched, zaria.first?.relation],
      ['one', { how: 'exact', text: 'Zaria' }, 'near'],
    )
    const benin = await search('Benin')
    assert.deepEqual(
      [benin.meaning, benin.first?.name, benin.first?.matched],
      ['one', 'Benin City', { how: 'alias', text: 'Benin' }],
    )
    const ado = await search('Ado')
    assert.equal(ado.meaning, 'several')
    assert.deepEqual(
      ado.data.map(({ name, state, rival }) => [name, state, rival]),
      [
        ['Ado-Ekiti', 'Ekiti', false],
        ['Ado', 'Benue', true],
        ['Ado-Odo', 'Ogun', true],
      ],
    )
    const misspelt = await search('Maidugurri')
    assert.deepEqual([misspelt.meaning, misspelt.first?.name], ['similar', 'Maiduguri'])
    assert.equal((await search('qqqqqqqq')).meaning, 'none')
  })

  test('the state boundaries are small, and browsers cache them for long', async () => {
    const { text } = await app.issue({ kind: 'publishable' })
    const response = await app.app.server.inject({
      url: '/v1/places/states.geojson',
      headers: { authorization: `Bearer ${text}`, 'accept-encoding': 'br' },
    })
    assert.deepEqual(
      [response.headers['content-type'], response.headers['cache-control']],
      ['application/geo+json', 'private, max-age=604800'],
    )
    const { features } = JSON.parse(brotliDecompressSync(response.rawPayload).toString()) as {
      features: { properties: { code: string } }[]
    }
    assert.deepEqual(
      features.map(({ properties }) => properties.code).toSorted(),
      places.states.map(({ code }) => code).toSorted(),
    )
    assert.ok(response.rawPayload.length < 25_000, `${response.rawPayload.length} bytes`)
    const again = await app.get('/v1/places/states.geojson', text, { 'if-none-match': response.headers.etag as string })
    assert.equal(again.status, 304)
  })

  test('LGA boundaries are served once the operator has installed them, and LGAs are then exact', async () => {
    assert.equal((await problemOf(await app.get('/v1/places/lgas.geojson'))).code, 'not_found')
    const folder = await mkdtemp(join(tmpdir(), 'places-'))
    try {
      const file = join(folder, 'boundaries.geojson')
      const [one] = places.lgas
      await writeFile(file, JSON.stringify(squaresAround([one!])))
      await using own = await startTestApp({ LGA_BOUNDARIES: file })
      const { features } = (await (await own.get('/v1/places/lgas.geojson')).json()) as {
        features: { properties: { code: string } }[]
      }
      assert.deepEqual(
        features.map(({ properties }) => properties.code),
        [one!.code],
      )
      const found = (await (await own.get(`/v1/places/locate?lat=${one!.lat}&lng=${one!.lng}`)).json()) as Record<
        string,
        string
      >
      assert.deepEqual([found.lga_code, found.lga_basis], [one!.code, 'boundary'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('a boundary file that cannot be used stops the start and says why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'places-'))
    try {
      const file = join(folder, 'boundaries.geojson')
      for (const [content, message] of [
        ['{', /not JSON/],
        ['[]', /FeatureCollection/],
        [JSON.stringify(squaresAround([])), /no polygon/],
      ] as const) {
        await writeFile(file, content)
        await assert.rejects(startTestApp({ LGA_BOUNDARIES: file }), message)
      }
      await assert.rejects(startTestApp({ LGA_BOUNDARIES: join(folder, 'nothing') }), /ENOENT/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('gazetteer', () => {
  interface Place {
    readonly id: string
    readonly name: string
    readonly state: string
    readonly lga: string
    readonly kind: string
  }

  let app: TestApp
  let editor: string
  let reporter: string
  let admin: string
  before(async () => {
    app = await startTestApp()
    editor = (await app.issue({ scopes: ['read', 'report', 'review'] })).text
    reporter = (await app.issue({ scopes: ['read', 'report'] })).text
    admin = (await app.issue({ scopes: ['operate'] })).text
  })
  after(() => app[Symbol.asyncDispose]())

  const search = async (q: string) =>
    (await (await app.get(`/v1/places/search?q=${encodeURIComponent(q)}`)).json()) as {
      data: (Place & { precision: string; matched: { how: string } })[]
      meaning: string
    }
  const list = async (query = '') =>
    (await (await app.get(`/v1/admin/places${query}`, editor)).json()) as {
      data: Place[]
      has_more: boolean
      next_cursor: string | null
    }
  const addPlace = async (body: object) => {
    const response = await app.post('/v1/admin/places', body, editor)
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as Place
  }

  test('an editor adds a place; reports and searches find it by its name and aliases, until it is removed', async () => {
    const name = 'Gidan Zartu'
    assert.equal((await search(name)).meaning, 'none')
    const refused = await problemOf(await app.post('/v1/reports', aReport({ state: undefined, place: name }), editor))
    assert.equal(refused.status, 422)
    const place = await addPlace({ name, aliases: ['Zartuwa'], lat: 10.9, lng: 6.8 })
    assert.deepEqual([place.state, place.lga, place.kind], ['Kaduna', 'Birnin Gwari', 'settlement'])
    await until(async () => (await search(name)).meaning === 'one')
    const [found] = (await search('Zartuwa')).data
    assert.deepEqual([found?.name, found?.precision, found?.matched.how], [name, 'settlement', 'alias'])
    const response = await app.post('/v1/reports', aReport({ state: undefined, place: name }), editor)
    const report = (await response.json()) as { state: string; lat: number; location: { precision: string } }
    assert.deepEqual([report.state, report.lat, report.location.precision], ['Kaduna', 10.9, 'settlement'])
    assert.equal((await app.delete(`/v1/admin/places/${place.id}`, editor)).status, 204)
    assert.equal((await problemOf(await app.delete(`/v1/admin/places/${place.id}`, editor))).code, 'not_found')
    await until(async () => (await search(name)).meaning === 'none')
  })

  test('an alias is given to a built-in place by a place of its name nearby', async () => {
    assert.equal((await search('Yerwa Birni')).meaning, 'none')
    await addPlace({ name: 'Maiduguri', aliases: ['Yerwa Birni'], lat: 11.84, lng: 13.15 })
    await until(async () => (await search('Yerwa Birni')).data[0]?.name === 'Maiduguri')
    assert.equal((await search('Maiduguri')).meaning, 'one')
  })

  test('a forest is wider than a settlement, whether or not its kind has a capital', async () => {
    await addPlace({ name: 'Zuntu Forest', kind: 'forest', lat: 10.6, lng: 6.6 })
    await until(async () => (await search('Zuntu Forest')).meaning === 'one')
    for (const q of ['Zuntu Forest', 'in Zuntu forest, Kaduna State']) {
      const [found] = (await search(q)).data
      assert.deepEqual([found?.name, found?.precision], ['Zuntu Forest', 'lga'], q)
    }
  })

  test('the list is by name, in pages, by beginning, kind and source', async () => {
    for (const name of ['Aaba', 'Aabb', 'Aabc']) await addPlace({ name, lat: 9.1, lng: 7.4, kind: 'market' })
    const first = await list('?q=AAB&limit=2')
    assert.deepEqual(
      first.data.map(({ name }) => name),
      ['Aaba', 'Aabb'],
    )
    const second = await list(`?q=aab&limit=2&cursor=${first.next_cursor}`)
    assert.deepEqual(
      [second.data.map(({ name }) => name), second.has_more, second.next_cursor],
      [['Aabc'], false, null],
    )
    assert.equal((await list('?q=aab&kind=forest')).data.length, 0)
    assert.equal((await list('?q=aab&source=desk&kind=market')).data.length, 3)
  })

  const WRONG: [string, object, string][] = [
    ['a name without letters', { name: '…', lat: 9, lng: 7 }, '/name'],
    ['an alias without letters', { name: 'Kaya', aliases: ['ok', '!'], lat: 9, lng: 7 }, '/aliases/1'],
    ['a point outside Nigeria', { name: 'Kaya', lat: 48.8, lng: 2.3 }, '/lat'],
    ['no point', { name: 'Kaya' }, '/lat'],
    ['an unknown kind', { name: 'Kaya', lat: 9, lng: 7, kind: 'desert' }, '/kind'],
    ['an unknown member', { name: 'Kaya', lat: 9, lng: 7, state: 'Kaduna' }, '/state'],
  ]
  for (const [what, body, pointer] of WRONG) {
    test(`a place with ${what} is refused`, async () => {
      const { status, errors } = await problemOf(await app.post('/v1/admin/places', body, editor))
      assert.equal(status, 422)
      assert.ok(
        errors!.some((error) => error.pointer === pointer),
        JSON.stringify(errors),
      )
    })
  }

  test('wrong parameters are refused, naming them', async () => {
    for (const [query, parameter] of [
      ['kind=desert', 'kind'],
      ['source=me', 'source'],
      ['limit=1000', 'limit'],
    ] as const) {
      const { errors } = await problemOf(await app.get(`/v1/admin/places?${query}`, editor))
      assert.equal(errors?.[0]?.parameter, parameter)
    }
    assert.equal((await problemOf(await app.get('/v1/admin/places?cursor=x', editor))).code, 'invalid_cursor')
  })

  test('a reporter may neither list nor add nor remove', async () => {
    const place = await addPlace({ name: 'Kaya Market', kind: 'market', lat: 9.1, lng: 7.4 })
    for (const response of [
      await app.get('/v1/admin/places', reporter),
      await app.post('/v1/admin/places', { name: 'Kaya', lat: 9, lng: 7 }, reporter),
      await app.delete(`/v1/admin/places/${place.id}`, reporter),
    ])
      assert.equal((await problemOf(response)).code, 'insufficient_scope')
  })

  test('adding and removing are in the audit log', async () => {
    const place = await addPlace({ name: 'Kaya Camp', kind: 'camp', lat: 9.1, lng: 7.4 })
    await app.delete(`/v1/admin/places/${place.id}`, editor)
    const { data } = (await (await app.get('/v1/admin/audit?limit=200', admin)).json()) as {
      data: { action: string; subject: string; by: { name: string }; before: Place | null; after: Place | null }[]
    }
    const entries = data.filter(({ subject }) => subject === place.id)
    assert.deepEqual(
      entries.map(({ action, before, after }) => [action, before?.name, after?.name]),
      [
        ['place.remove', 'Kaya Camp', undefined],
        ['place.add', undefined, 'Kaya Camp'],
      ],
    )
  })
})
