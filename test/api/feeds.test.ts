import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseAtomFeed } from 'feedsmith'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anIncident, awkwardIncidents } from '../support/incident.ts'
import { childNamed, parseXml } from '../support/readers.ts'

const FEED = '/v1/feeds/incidents.atom'
const AWKWARD = awkwardIncidents()

let app: TestApp
let publishable: string
before(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://feed.example.org' })
  publishable = (await app.issue({ kind: 'publishable' })).text
  await app.publish(AWKWARD)
  await app.publish(Array.from({ length: 60 }, (_, number) => anIncident(number + 100)))
})
after(() => app[Symbol.asyncDispose]())

async function feed(query = '') {
  const response = await app.get(`${FEED}${query}`)
  assert.equal(response.status, 200)
  return parseAtomFeed(await response.text())
}

test('a feed reader reads the newest 50', async () => {
  const { id, title, updated, entries, links } = await feed()
  assert.equal(id, `https://feed.example.org${FEED}`)
  assert.equal(title?.value, 'Security incidents in Nigeria')
  assert.equal(updated, new Date(app.archive.head.at).toISOString())
  assert.deepEqual(links?.[0], { rel: 'self', type: 'application/atom+xml', href: `https://feed.example.org${FEED}` })
  assert.deepEqual(
    entries?.map((entry) => entry.id),
    Array.from({ length: 50 }, (_, index) => `https://feed.example.org/v1/incidents/${anIncident(159 - index).id}`),
  )
})

test('an entry has the type, place, time and sources', async () => {
  const entry = (await feed('?limit=1')).entries![0]!
  const incident = anIncident(159)
  assert.deepEqual(
    [entry.title?.value, entry.summary?.value, entry.updated, entry.published],
    ['Kidnapping in Chikun, Kaduna', incident.summary, incident.updated_at, incident.published_at],
  )
  assert.deepEqual(entry.georss?.point, { lat: incident.lat, lng: incident.lng })
  assert.deepEqual(
    entry.links?.map(({ rel, href }) => [rel, href]),
    [
      ['alternate', entry.id!.replace('/v1/', '/')],
      ['related', entry.id],
      ['related', `${entry.id}.cap`],
      ['via', 'https://example.org/1'],
    ],
  )
  assert.deepEqual(
    entry.categories?.map(({ term }) => term),
    ['kidnapping', 'abduction', 'high'],
  )
})

test('the feed takes the filters of the list, and its own URL is canonical', async () => {
  const { entries, id } = await feed('?state=kaduna&to=2026-01-01T00:05:00Z&limit=3')
  assert.deepEqual(
    entries?.map((entry) => entry.id!.slice(-2)),
    ['04', '03', '02'],
  )
  assert.equal((await feed('?limit=3&to=2026-01-01T01:05:00%2B01:00&state=NG-KD')).id, id)
  assert.deepEqual((await feed('?state=Lagos')).entries ?? [], [])
})

test('summaries with any characters stay text', async () => {
  const text = await (await app.get(`${FEED}?to=2026-01-01T01:00:00Z`)).text()
  const entries = parseXml(text).children.filter(({ name }) => name === 'entry')
  assert.deepEqual(
    entries.map((entry) => childNamed(entry, 'summary').text),
    AWKWARD.map(({ summary }) => summary).toReversed(),
  )
})

test('feeds have an ETag, 304 and their own content types', async () => {
  for (const [path, type] of [
    [FEED, 'application/atom+xml; charset=utf-8'],
    [`/v1/incidents/${anIncident(100).id}.cap`, 'application/cap+xml; charset=utf-8'],
  ] as const) {
    const { headers } = await app.get(path)
    assert.equal(headers.get('content-type'), type)
    assert.equal((await app.get(path, undefined, { 'if-none-match': headers.get('etag')! })).status, 304)
  }
})

test('a publishable key may be in the URL of feeds only', async () => {
  for (const path of [FEED, `/v1/incidents/${anIncident(100).id}.cap`]) {
    const response = await app.get(`${path}?key=${publishable}`, null)
    assert.equal(response.status, 200)
    assert.ok(!(await response.text()).includes(publishable))
    assert.match((await problemOf(await app.get(path, null))).detail, /\?key=<publishable key>/)
    assert.equal((await problemOf(await app.get(`${path}?key=inf_pub_x`, null))).code, 'mistyped_key')
    assert.equal((await problemOf(await app.get(`${path}?key=${publishable}&key=x`, null))).code, 'invalid_parameter')
  }
  assert.equal((await problemOf(await app.get(`/v1/incidents?key=${publishable}`, null))).code, 'missing_key')
})

test('a secret key in a URL is refused, with or without another key in the header', async () => {
  const { text } = await app.issue()
  for (const header of [null, publishable]) {
    const problem = await problemOf(await app.get(`${FEED}?key=${text}`, header))
    assert.deepEqual([problem.status, problem.code], [401, 'secret_key_in_url'])
    assert.match(problem.detail, /Rotate it, and use a publishable key/)
  }
})

test("the list's paging and format parameters are refused", async () => {
  for (const query of ['order=oldest', 'cursor=x', 'format=csv', 'limit=1001']) {
    assert.equal((await problemOf(await app.get(`${FEED}?${query}`))).code, 'invalid_parameter')
  }
})

test('one incident is a CAP message; after a retraction, its cancellation', async () => {
  await using own = await startTestApp()
  await own.publish([anIncident(1)])
  const read = async () => parseXml(await (await own.get(`/v1/incidents/${anIncident(1).id}.cap`)).text())
  const alert = await read()
  assert.equal(childNamed(alert, 'msgType').text, 'Alert')
  const page = childNamed(childNamed(alert, 'info'), 'web').text
  assert.equal(page, `${own.url}/incidents/${anIncident(1).id}`)
  const shown = await fetch(page, { headers: { accept: 'text/html' } })
  assert.match(shown.headers.get('content-type')!, /^text\/html/)
  await own.publish(
    [anIncident(1, { version: 2, status: 'retracted', updated_at: '2026-03-01T00:00:00Z' })],
    'incident.retracted',
  )
  assert.equal(childNamed(await read(), 'msgType').text, 'Cancel')
  for (const id of [anIncident(2).id, 'x', 'inc_'])
    assert.equal((await problemOf(await own.get(`/v1/incidents/${id}.cap`))).code, 'not_found')
})
