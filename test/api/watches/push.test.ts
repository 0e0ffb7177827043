import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { disableUnseenBrowsers, UNSEEN_AFTER_MS } from '../../../src/deliveries/alerts/browsers.ts'
import { shownEndpoint } from '../../../src/deliveries/channels/browser-subscription.ts'
import { aBrowser } from '../../deliveries/fixtures.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { type Receiver, receive } from '../../support/receivers.ts'

describe('webpush', () => {
  interface Arrived {
    readonly path: string
    readonly headers: Record<string, unknown>
    readonly body: Buffer
  }
  interface Notification {
    readonly notification: { title: string; body: string; tag: string; navigate: string }
  }
  interface Watch {
    readonly id: string
    readonly url: string
    readonly secret: string
    readonly status: string
    readonly disabled_reason: string | null
    readonly events: string[]
  }

  let app: TestApp
  let service: Receiver
  let key: string
  let status = 201
  const arrived: Arrived[] = []
  let numbers = 0

  before(async () => {
    service = await receive(async (request, response) => {
      arrived.push({ path: request.url!, headers: request.headers, body: Buffer.concat(await request.toArray()) })
      response.writeHead(status, { location: 'https://push.example.org/message/1' }).end()
    })
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_URL: 'https://feed.example.org' })
  })
  beforeEach(async () => {
    arrived.length = 0
    status = 201
    key = (await app.issue()).text
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  const browserAt = (path: string) => aBrowser(`http://127.0.0.1:${service.port}/${path}`)
  const create = (subscription: unknown, more: object = {}) =>
    app.post('/v1/watches', { name: `Here ${++numbers}`, channel: { kind: 'webpush', subscription, ...more } }, key)
  const to = (path: string) => arrived.filter((each) => each.path === `/${path}`)

  async function watching(browser: ReturnType<typeof aBrowser>): Promise<Watch> {
    const response = await create(browser.json)
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as Watch
  }
  const read = async (id: string) => (await (await app.get(`/v1/watches/${id}`, key)).json()) as Watch

  describe('notifications in browsers', () => {
    it('are encrypted for the browser and signed with the key that the API gives out', async () => {
      const browser = browserAt('three')
      const { public_key } = (await (await app.get('/v1/push', null)).json()) as { public_key: string }
      const watch = await watching(browser)
      assert.match(watch.url, /^http:\/\/127\.0\.0\.1:\d+\/\*\*\*[0-9a-f]{16}$/)
      assert.deepEqual([watch.secret, watch.events.length], ['', 3])
      const incident = anIncident(1, { summary: 'Gunmen took two travellers.' })
      await app.publish([incident])
      await until(() => to('three').length === 1)
      await app.publish([{ ...incident, version: 2, summary: 'Three travellers.' }], 'incident.updated')
      await until(() => to('three').length === 2)
      await app.publish([{ ...incident, version: 3, status: 'retracted' }], 'incident.retracted')
      await until(() => to('three').length === 3)
      const messages = to('three').map(({ body }) => JSON.parse(browser.decrypt(body)) as Notification)
      assert.deepEqual(
        messages.map(({ notification: { tag, navigate } }) => [tag, navigate]),
        Array(3).fill([incident.id, `https://feed.example.org/incidents/${incident.id}`]),
      )
      assert.match(messages[0]!.notification.body, /Gunmen took two travellers/)
      assert.match(messages[1]!.notification.title, /^Corrected: /)
      assert.match(messages[2]!.notification.title, /^Withdrawn: /)
      assert.doesNotMatch(messages[2]!.notification.body, /travellers/)
      for (const { headers } of to('three')) {
        assert.equal(headers['content-encoding'], 'aes128gcm')
        assert.equal(headers['content-type'], 'application/octet-stream')
        assert.ok(Number(headers.ttl) >= 86_400)
        assert.ok(String(headers.authorization).endsWith(`, k=${public_key}`))
      }
      assert.equal(new Set(to('three').map(({ headers }) => headers.topic)).size, 1)
    })

    it('can be tried out, and the log shows what was sent in plain text', async () => {
      const browser = browserAt('tried')
      const { id } = await watching(browser)
      const test = (await (await app.post(`/v1/watches/${id}/test`, '', key)).json()) as Record<string, unknown>
      assert.deepEqual([test.delivered, test.status_code], [true, 201])
      const shown = (await (await app.get(`/v1/deliveries/${test.id as string}`, key)).json()) as {
        bodies: { body: string }[]
        log: { headers: Record<string, string> }[]
      }
      assert.equal(shown.bodies[0]!.body, browser.decrypt(to('tried')[0]!.body))
      assert.equal(shown.log[0]!.headers.authorization, '***')
      assert.ok(!JSON.stringify(shown).includes(browser.subscription.auth))
    })

    for (const gone of [404, 410])
      it(`end when the push service answers ${gone}, and begin again with another subscription`, async () => {
        status = gone
        const { id } = await watching(browserAt(`gone-${gone}`))
        await app.publish([anIncident(10 + gone)])
        await until(async () => (await read(id)).status === 'disabled')
        assert.match((await read(id)).disabled_reason!, /gone for good/)
        assert.equal(to(`gone-${gone}`).length, 1)
        status = 201
        const again = browserAt(`again-${gone}`)
        const patch = { channel: { kind: 'webpush', subscription: again.json }, status: 'active' }
        assert.equal((await app.patch(`/v1/watches/${id}`, patch, key, null)).status, 200)
        await until(() => to(`again-${gone}`).length === 1, 'what waited')
        assert.ok(again.decrypt(to(`again-${gone}`)[0]!.body).includes(anIncident(10 + gone).id))
      })

    it('end after 60 days in which the browser was not seen, and not if it was', async () => {
      const [unseen, seen] = [browserAt('unseen'), browserAt('seen')]
      const watches = [await watching(unseen), await watching(seen)]
      const failures: unknown[] = []
      const later = Date.now() + UNSEEN_AFTER_MS + 1000
      const say = (endpoint: string) => app.post('/v1/push/seen', { endpoint }, null)
      assert.equal((await say(seen.subscription.endpoint)).status, 204)
      assert.equal((await say('https://nobody.example.org/x')).status, 204, 'nobody learns what is known')
      await app.store.push.recordSeen(watches[1]!.url, later - 10_000, later - 10_000)
      await disableUnseenBrowsers(app.store, null, later, (error) => failures.push(error))
      const [first, second] = await Promise.all(watches.map(({ id }) => read(id)))
      assert.deepEqual([first!.status, second!.status], ['disabled', 'active'])
      assert.match(first!.disabled_reason!, /60 days/)
      assert.deepEqual(failures, [])
    })

    for (const [what, subscription, more, pointer] of [
      ['no subscription', undefined, {}, '/channel/subscription'],
      ['a private address', aBrowser('https://169.254.169.254/x').json, {}, '/channel/subscription/endpoint'],
      ['no URL', aBrowser('push').json, {}, '/channel/subscription/endpoint'],
      [
        'a wrong key',
        { ...aBrowser('https://push.example.org/x').json, keys: { p256dh: 'AA', auth: 'AA' } },
        {},
        '/channel/subscription/keys/p256dh',
      ],
      ['a URL', aBrowser('http://127.0.0.1/x').json, { url: 'http://127.0.0.1/x' }, '/channel/url'],
    ] as const)
      it(`are refused with ${what}`, async () => {
        const problem = await problemOf(await create(subscription, more))
        assert.deepEqual([problem.status, problem.code, problem.errors![0]!.pointer], [422, 'invalid_body', pointer])
      })

    it('cannot be said to be seen with what is no URL', async () => {
      const problem = await problemOf(await app.post('/v1/push/seen', { endpoint: 'x' }, null))
      assert.deepEqual([problem.status, problem.errors![0]!.pointer], [422, '/endpoint'])
    })
  })

  describe('the guard', () => {
    it('lets no subscription lead into a private network', async () => {
      await using strict = await startTestApp()
      const { text } = await strict.issue()
      for (const endpoint of [
        'http://push.example.org/x',
        'https://10.0.0.1/x',
        'https://localhost/x',
        'https://[::1]/x',
      ]) {
        const body = { name: 'Here', channel: { kind: 'webpush', subscription: aBrowser(endpoint).json } }
        const problem = await problemOf(await strict.post('/v1/watches', body, text))
        assert.equal(problem.errors![0]!.pointer, '/channel/subscription/endpoint', endpoint)
      }
    })
  })
})

describe('replace', () => {
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
})
