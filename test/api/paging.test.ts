import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ENDPOINTS } from '../../src/api/contract/reference.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { addUnplacedStory, proposeSource } from '../support/desk.ts'
import { anIncident, aReport } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

interface Page {
  readonly data?: readonly unknown[]
  readonly sites?: readonly unknown[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

const COUNT = 3
const LISTS = ENDPOINTS.filter(({ query }) => query?.limit !== undefined && query.cursor !== undefined)
const parts = new AsyncDisposableStack()
let app: TestApp
let key: string
/** The meaning of `{id}` in the path of a list, by what stands before it. */
const named: Record<string, string> = {}

async function post(path: string, body: unknown = ''): Promise<string> {
  const response = await app.post(path, body, key)
  assert.ok(response.ok, `${path}: ${await response.clone().text()}`)
  return ((await response.json()) as { id: string }).id
}

describe('every list in pages', () => {
  before(async () => {
    const endpoint = parts.use(await startEndpoint())
    app = parts.use(await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }))
    key = (await app.issue({ scopes: ['read', 'watch', 'operate'] })).text
    await app.publish([anIncident(1), anIncident(2), anIncident(3)])
    const site = (name: string) => ({ name, latitude: 10.5, longitude: 7.4, radius_km: 25 })
    for (const name of ['one', 'two', 'three']) {
      await post('/v1/areas', { name, circle: { lat: 10.5, lng: 7.4, radius_km: 25 } })
      named.sites = await post('/v1/sites', { name: `sites ${name}`, sites: ['a', 'b', 'c'].map(site) })
      named.watches = await post('/v1/watches', { name, url: endpoint.url, filter: {} })
      await post('/v1/keys', { name })
      await app.issue({ name })
      await post('/v1/admin/places', { name: `Gonin ${name}`, lat: 10.41, lng: 7.41 })
      await addUnplacedStory(app.store)
    }
    const publisher = { publisher: 'Herald', paused: true }
    named.sources = await post('/v1/admin/sources', { url: `${endpoint.url}/feed`, ...publisher })
    for (let count = 0; count < COUNT; count++) {
      await post(`/v1/watches/${named.watches}/test`)
      const id = await post('/v1/reports', aReport())
      await post(`/v1/desk/incidents/${id}/duplicates/${await post('/v1/reports', aReport())}/dismiss`)
      await proposeSource(app.store, id, named.sources)
    }
  })
  after(() => parts.disposeAsync())

  for (const { id, path } of LISTS)
    it(`${id}: page by page, each once, and no more after the last`, async () => {
      const address = path.replace(/(\w+)\/\{id\}/, (_, noun: string) => `${noun}/${named[noun]}`)
      // Without an import there are no open pairs.
      const kind = id === 'listDuplicates' ? '&list=dismissed' : ''
      const read = async (limit: number, cursor: string | null): Promise<Page> => {
        const response = await app.get(`${address}?limit=${limit}${kind}${cursor ? `&cursor=${cursor}` : ''}`, key)
        assert.equal(response.status, 200, await response.clone().text())
        return (await response.json()) as Page
      }
      const items = ({ data, sites }: Page) => data ?? sites!
      const whole = await read(100, null)
      const all = items(whole)
      assert.ok(all.length >= COUNT, `the list has ${all.length}: add what it lists to this test`)
      assert.deepEqual([whole.has_more, whole.next_cursor], [false, null])
      const full = await read(all.length, null)
      assert.deepEqual([items(full).length, full.has_more, full.next_cursor], [all.length, false, null])
      for (const limit of [1, 2]) {
        const found: unknown[] = []
        for (let cursor: string | null = null, more = true; more; ) {
          const page: Page = await read(limit, cursor)
          assert.ok(items(page).length <= limit && items(page).length > 0, `a page of ${limit}`)
          assert.equal(page.has_more, page.next_cursor !== null)
          found.push(...items(page))
          assert.ok(found.length <= all.length, `${found.length} of ${all.length}`)
          cursor = page.next_cursor
          more = page.has_more
        }
        assert.deepEqual(found.map(identityOf), all.map(identityOf), `in pages of ${limit}`)
      }
    })
})

/** Without what a request changes, such as the usage of its key. */
function identityOf(item: unknown): unknown {
  const { id, name, incident, other } = item as Record<string, unknown>
  return id ?? name ?? [identityOf(incident), identityOf(other)]
}
