import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { aReport } from '../../support/incident.ts'

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
  assert.deepEqual([second.data.map(({ name }) => name), second.has_more, second.next_cursor], [['Aabc'], false, null])
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
