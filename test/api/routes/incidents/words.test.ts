import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'

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
const having = (...bits: number[]) => NUMBERS.filter((number) => bits.every((bit) => number & (1 << bit))).toReversed()

test('all words must begin a word of the summary, in any order, case and accents', async () => {
  const cases: [string, number[]][] = [
    ['gunmen', having(0)],
    ['MARKET gunmen', having(0, 3)],
    ['gun,mark', having(0, 3)],
    ['jemaa', having(6)],
    ["Jema'a osun", having(6, 7)],
    ['men', []],
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
  const csv = await (await app.get('/v1/incidents?q=gunmen+bandits+herders+market+school&format=csv&fields=id')).text()
  assert.equal(csv.trim().split('\r\n').length, 1 + having(0, 1, 2, 3, 4).length)
})

test('statistics and queries as JSON count the same', async () => {
  const total = async (response: Response) => {
    assert.equal(response.status, 200, await response.clone().text())
    return ((await response.json()) as { total: { count: number } }).total.count
  }
  assert.equal(await total(await app.get('/v1/stats?group_by=state&q=gunmen+market')), 64)
  assert.equal(await total(await app.get('/v1/stats?group_by=month&q=jemaa')), 128)
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
