import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { shownEndpoint } from '../../../../src/deliveries/channels/browser-subscription.ts'
import { aBrowser } from '../../../deliveries/fixtures.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'
import { type Receiver, receive } from '../../../support/receivers.ts'

type FakeBrowser = ReturnType<typeof aBrowser>

let app: TestApp
let service: Receiver
let key: string
let number = 0
const gone = new Set<string>()
const arrived: { path: string; body: Buffer }[] = []

before(async () => {
  service = await receive(async (request, response) => {
    arrived.push({ path: request.url!, body: Buffer.concat(await request.toArray()) })
    response.writeHead(gone.has(request.url!) ? 410 : 201).end()
  })
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', CHANNEL_HOSTS: '127.0.0.1', ALERTS_PER_RECIPIENT: '2' })
})
beforeEach(async () => {
  arrived.length = 0
  key = (await app.issue()).text
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const newBrowser = () => aBrowser(`http://127.0.0.1:${service.port}/${++number}`)
const replace = (earlier: FakeBrowser, now: unknown) =>
  app.post('/v1/push/replace', { endpoint: earlier.subscription.endpoint, subscription: now }, null)
const to = ({ subscription }: FakeBrowser) => arrived.filter(({ path }) => subscription.endpoint.endsWith(path))

async function watching({ json }: FakeBrowser) {
  const body = { name: `Here ${++number}`, channel: { kind: 'webpush', subscription: json } }
  return (await (await app.post('/v1/watches', body, key)).json()) as { id: string; url: string }
}
const read = async (id: string) =>
  (await (await app.get(`/v1/watches/${id}`, key)).json()) as { url: string; status: string }
const alerted = async ({ json }: FakeBrowser, state = 'Kaduna') =>
  (await (await app.post('/v1/alerts', { push: json, filter: { state: [state] } }, null)).json()) as { link: string }
const listed = async ({ subscription: { endpoint } }: FakeBrowser) =>
  ((await (await app.post('/v1/push/alerts', { endpoint }, null)).json()) as { data: { link: string }[] }).data

async function publish() {
  const at = new Date().toISOString()
  const incident = anIncident(++number, { published_at: at, updated_at: at, occurred_at: at })
  await app.publish([incident])
  return incident
}

describe('another subscription of a browser', () => {
  it('takes the place of the earlier one, for watches of accounts and for alerts', async () => {
    const [earlier, later] = [newBrowser(), newBrowser()]
    const watch = await watching(earlier)
    const { link } = await alerted(earlier)
    assert.equal((await replace(earlier, later.json)).status, 204)
    assert.notEqual((await read(watch.id)).url, watch.url)
    assert.deepEqual(await listed(earlier), [])
    assert.deepEqual(
      (await listed(later)).map((alert) => alert.link),
      [link],
      'its link still works',
    )
    arrived.length = 0
    const incident = await publish()
    await until(() => to(later).length === 2, 'both')
    for (const { body } of to(later)) assert.ok(later.decrypt(body).includes(incident.id))
    assert.deepEqual(to(earlier), [])
    // Once more is the same: the earlier one is nobody's now.
    assert.equal((await replace(earlier, newBrowser().json)).status, 204)
    assert.equal((await listed(later)).length, 1)
  })

  it('goes on where the push service has said that the earlier one is gone', async () => {
    const [earlier, later] = [newBrowser(), newBrowser()]
    const { id } = await watching(earlier)
    gone.add(new URL(earlier.subscription.endpoint).pathname)
    const incident = await publish()
    await until(async () => (await read(id)).status === 'disabled')
    assert.equal((await replace(earlier, later.json)).status, 204)
    assert.equal((await read(id)).status, 'active')
    await until(() => to(later).length === 1, 'what waited')
    assert.ok(later.decrypt(to(later)[0]!.body).includes(incident.id))
  })

  it('does not resume what its owner has paused', async () => {
    const earlier = newBrowser()
    const { id } = await watching(earlier)
    await app.patch(`/v1/watches/${id}`, { status: 'paused' }, key, null)
    assert.equal((await replace(earlier, newBrowser().json)).status, 204)
    assert.equal((await read(id)).status, 'paused')
  })

  it('moves nothing for who does not know the whole endpoint, and the answer does not tell', async () => {
    const browser = newBrowser()
    const watch = await watching(browser)
    for (const guess of [`${browser.subscription.endpoint}0`, watch.url, 'https://nobody.example.org/x'])
      assert.equal((await replace(aBrowser(guess), newBrowser().json)).status, 204)
    assert.equal((await read(watch.id)).url, watch.url)
    // Nor if another endpoint had the same fingerprint, by which watches are found.
    const other = newBrowser()
    const url = shownEndpoint(other.subscription.endpoint)
    const { accountId } = (await app.store.watches.find(null, watch.id))!
    await app.store.watches.change(accountId, watch.id, { url }, Date.now())
    assert.equal((await replace(other, newBrowser().json)).status, 204)
    assert.equal((await read(watch.id)).url, url)
  })

  it('does not get more alerts than a browser may have', async () => {
    const [one, other] = [newBrowser(), newBrowser()]
    for (const [browser, state] of [
      [one, 'Kano'],
      [one, 'Oyo'],
      [other, 'Edo'],
    ] as const)
      await alerted(browser, state)
    const problem = await problemOf(await replace(one, other.json))
    assert.deepEqual([problem.status, problem.code], [409, 'too_many_alerts'])
    assert.deepEqual([(await listed(one)).length, (await listed(other)).length], [2, 1])
  })

  it('must be one, and for alerts at a push service', async () => {
    const browser = newBrowser()
    await alerted(browser, 'Lagos')
    for (const [now, pointer] of [
      [{ endpoint: 'x' }, '/subscription/keys'],
      [aBrowser('x').json, '/subscription/endpoint'],
      [aBrowser('https://victim.example.org/x').json, '/subscription/endpoint'],
    ] as const)
      assert.equal((await problemOf(await replace(browser, now))).errors![0]!.pointer, pointer)
    assert.equal((await problemOf(await replace(aBrowser('x'), browser.json))).errors![0]!.pointer, '/endpoint')
    assert.equal((await listed(browser)).length, 1)
  })

  it('cannot lead into a private network', async () => {
    await using strict = await startTestApp({ CHANNEL_HOSTS: 'push.example.org' })
    const { text } = await strict.issue()
    const earlier = aBrowser('https://8.8.8.8/x')
    const body = { name: 'Here', channel: { kind: 'webpush', subscription: earlier.json } }
    assert.equal((await strict.post('/v1/watches', body, text)).status, 201)
    for (const endpoint of ['https://10.0.0.1/x', 'http://8.8.8.8/x', 'https://localhost/x']) {
      const moved = { endpoint: earlier.subscription.endpoint, subscription: aBrowser(endpoint).json }
      const problem = await problemOf(await strict.post('/v1/push/replace', moved, null))
      assert.equal(problem.errors![0]!.pointer, '/subscription/endpoint', endpoint)
    }
  })
})
