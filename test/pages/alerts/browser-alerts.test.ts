import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { ALERTS_ACCOUNT_ID, removeEndedAlerts } from '../../../src/deliveries/alerts/alerts.ts'
import { disableUnseenBrowsers, UNSEEN_AFTER_MS } from '../../../src/deliveries/alerts/browsers.ts'
import { AT_ANY_TIME } from '../../../src/store/store.ts'
import { aBrowser } from '../../deliveries/channels/fixtures.ts'
import { type Receiver, receive } from '../../deliveries/receiver.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'

interface Notification {
  readonly notification: {
    title: string
    body: string
    tag: string
    lang: string
    navigate: string
    actions?: { action: string; navigate: string }[]
  }
}
interface Started {
  readonly status: string
  readonly area: string
  readonly link: string
}
type FakeBrowser = ReturnType<typeof aBrowser>

const PUBLIC_URL = 'https://feed.example.org'
const KADUNA = { state: ['Kaduna'], min_severity: 'high' }
const PER_BROWSER = 3
/** In place of a status. */
const HANGS_UP = 0

let app: TestApp
let service: Receiver
let status = 201
let browsers = 0
let incidents = 0
const arrived: { path: string; body: Buffer }[] = []

before(async () => {
  service = await receive(async (request, response) => {
    arrived.push({ path: request.url!, body: Buffer.concat(await request.toArray()) })
    if (status === HANGS_UP) response.destroy()
    else response.writeHead(status).end()
  })
  // Without SMTP_URL: notifications need none.
  app = await startTestApp({
    WEBHOOK_ALLOW_PRIVATE: 'true',
    CHANNEL_HOSTS: '127.0.0.1',
    PUBLIC_URL,
    MAILS_PER_CLIENT: '100',
    ALERTS_PER_RECIPIENT: String(PER_BROWSER),
  })
})
beforeEach(() => {
  arrived.length = 0
  status = 201
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const newBrowser = () => aBrowser(`http://127.0.0.1:${service.port}/browser-${++browsers}`)
const ask = (push: unknown, filter: object = KADUNA, more: object = {}) =>
  app.post('/v1/alerts', { push, filter, ...more }, null)
const ids = () => app.store.watches.ids(ALERTS_ACCOUNT_ID, 100)
const post = (path: string) => fetch(`${app.url}${path}`, { method: 'POST', body: new URLSearchParams() })
const pathOf = ({ link }: Pick<Started, 'link'>) => new URL(link).pathname

async function started(browser: FakeBrowser, filter: object = KADUNA, more: object = {}): Promise<Started> {
  const response = await ask(browser.json, filter, more)
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as Started
}

async function listed({ subscription: { endpoint } }: FakeBrowser, language = 'en'): Promise<Started[]> {
  const response = await app.post('/v1/push/alerts', { endpoint, language }, null)
  assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-store'])
  return ((await response.json()) as { data: Started[] }).data
}

const shownTo = (browser: FakeBrowser) =>
  arrived
    .filter(({ path }) => browser.subscription.endpoint.endsWith(path))
    .map(({ body }) => (JSON.parse(browser.decrypt(body)) as Notification).notification)

async function publish() {
  const at = new Date().toISOString()
  const incident = anIncident(++incidents, { severity: 'high', published_at: at, updated_at: at, occurred_at: at })
  await app.publish([incident])
  return incident
}

describe('an alert in a browser, without an account', () => {
  it('starts with a notification, brings incidents encrypted, and ends by its link with all that was stored', async () => {
    const browser = newBrowser()
    const alert = await started(browser)
    assert.deepEqual([alert.status, alert.area], ['started', 'Kaduna · High and above'])
    assert.ok(alert.link.startsWith(`${PUBLIC_URL}/alerts/`))
    const [first] = shownTo(browser)
    assert.deepEqual([first!.title, first!.body], ['Alerts are on', 'Kaduna · High and above'])
    const [id] = await ids()
    const watch = (await app.store.watches.find(null, id!))!
    assert.match(watch.url, /^http:\/\/127\.0\.0\.1:\d+\/\*\*\*[0-9a-f]{16}$/)

    const incident = await publish()
    await until(() => arrived.length === 2, 'the incident')
    const [, told] = shownTo(browser)
    assert.deepEqual([told!.tag, told!.navigate], [incident.id, `${PUBLIC_URL}/incidents/${incident.id}`])
    assert.ok(told!.body.endsWith('Incident Feed · Kaduna · High and above'), told!.body)
    assert.deepEqual(
      told!.actions!.map(({ navigate }) => navigate),
      [`${PUBLIC_URL}/alerts`],
    )

    const page = await (await app.get(pathOf(alert), null)).text()
    assert.ok(page.includes('Kaduna · High and above') && page.includes('End this alert'))
    assert.equal((await post(pathOf(alert))).status, 200)
    assert.deepEqual(await ids(), [])
    assert.equal(await app.store.alerts.find(id!), null)
    assert.deepEqual(await listed(browser), [])
    assert.equal((await post(pathOf(alert))).status, 404)
  })

  it('is listed for its own browser only, in the language of the page', async () => {
    const [mine, other] = [newBrowser(), newBrowser()]
    const [first, second] = [await started(mine), await started(mine, { lga: ['Chikun'] }, { language: 'ha' })]
    await started(other, { state: ['Lagos'] })
    const alerts = await listed(mine, 'pcm')
    assert.deepEqual(
      alerts.map(({ link }) => link),
      [first.link, second.link],
    )
    assert.ok(alerts[0]!.area.endsWith('and pass am'), alerts[0]!.area)
    assert.equal(shownTo(mine)[1]!.lang, 'ha')
    assert.deepEqual(await listed(aBrowser(`${mine.subscription.endpoint}x`)), [])
    // The key of one link does not open another: the numbers of watches are no secret.
    const stolen = pathOf(first).slice(0, -24) + pathOf(second).slice(-24)
    assert.equal((await post(stolen)).status, 404)
    for (const { link } of [...alerts, ...(await listed(other))]) await post(pathOf({ link }))
    assert.deepEqual(await ids(), [])
  })

  it('follows one incident', async () => {
    const [browser, incident] = [newBrowser(), await publish()]
    const { area, link } = await started(browser, { incident: [incident.id] })
    assert.ok(area.includes(incident.lga!), area)
    assert.deepEqual(await listed(browser, 'ha').then(([only]) => [only!.area, only!.link]), [area, link])
    const changed = { ...incident, version: 2, summary: 'Three travellers.', updated_at: new Date().toISOString() }
    await app.publish([changed], 'incident.updated')
    await until(() => shownTo(browser).length === 2)
    assert.match(shownTo(browser)[1]!.title, /^Corrected: /)
    const unknown = await problemOf(await ask(browser.json, { incident: [`inc_${'0'.repeat(26)}`] }))
    assert.deepEqual([unknown.status, unknown.errors![0]!.pointer], [422, '/filter/incident'])
    await post(pathOf({ link }))
  })

  it('is one, however often the browser asks for the same, and no more than it may have', async () => {
    const browser = newBrowser()
    const alert = await started(browser)
    assert.equal((await started(browser)).link, alert.link)
    assert.equal(arrived.length, 1, 'a second request shows nothing')
    const more = await Promise.all(
      ['Lagos', 'Kano', 'Oyo', 'Edo'].map((state) => ask(browser.json, { state: [state] }).then((each) => each.status)),
    )
    assert.equal((await listed(browser)).length, more.filter((each) => each === 201).length + 1)
    assert.ok((await listed(browser)).length <= PER_BROWSER)
    for (const each of more.filter((one) => one !== 201)) assert.ok([409, 429].includes(each), String(each))
    for (const { link } of await listed(browser)) await post(pathOf({ link }))
  })

  for (const gone of [404, 410])
    it(`is deleted when the push service answers ${gone}`, async () => {
      const browser = newBrowser()
      await started(browser)
      const [id] = await ids()
      status = gone
      await publish()
      await until(async () => (await app.store.watches.find(null, id!))?.status === 'disabled')
      await removeEndedAlerts(app.store, Date.now())
      assert.deepEqual([await ids(), await listed(browser)], [[], []])
    })

  it('is deleted, and nobody is mailed, when the browser was not seen for 60 days', async () => {
    await started(newBrowser())
    const mailed: unknown[] = []
    const mailer = { sendMail: async (mail: unknown) => void mailed.push(mail) }
    const later = Date.now() + UNSEEN_AFTER_MS + 1000
    await disableUnseenBrowsers(app.store, mailer as never, later, (error) => mailed.push(error))
    assert.deepEqual([await ids(), mailed], [[], []])
  })

  for (const refusal of [400, 403, 404, 410])
    it(`does not start if the push service answers ${refusal}`, async () => {
      status = refusal
      const problem = await problemOf(await ask(newBrowser().json))
      assert.deepEqual([problem.status, problem.errors![0]!.pointer], [422, '/push/endpoint'])
      assert.deepEqual(await ids(), [])
    })

  it('does not start while the push service takes nothing', async () => {
    for (const answer of [503, 429, HANGS_UP]) {
      status = answer
      const problem = await problemOf(await ask(newBrowser().json))
      assert.deepEqual([problem.status, problem.code], [409, 'channel_unavailable'])
    }
    assert.deepEqual(await ids(), [])
  })

  it('does not start while the operator has stopped alerts', async () => {
    await app.store.accounts.change(ALERTS_ACCOUNT_ID, { status: 'blocked' }, Date.now())
    const problem = await problemOf(await ask(newBrowser().json))
    await app.store.accounts.change(ALERTS_ACCOUNT_ID, { status: 'active' }, Date.now())
    assert.deepEqual([problem.code, arrived.length], ['channel_unavailable', 0])
  })

  for (const [what, body, pointer] of [
    ['neither way', { filter: KADUNA }, ''],
    ['both ways', { email: 'a@example.org', push: aBrowser('https://fcm.googleapis.com/x').json, filter: KADUNA }, ''],
    ['no subscription', { push: 'x', filter: KADUNA }, '/push'],
    ['no URL', { push: aBrowser('push').json, filter: KADUNA }, '/push/endpoint'],
    ['a stranger’s host', { push: aBrowser('https://victim.example.org/x').json, filter: KADUNA }, '/push/endpoint'],
    ['a private address', { push: aBrowser('https://169.254.169.254/x').json, filter: KADUNA }, '/push/endpoint'],
    [
      'a host that only looks like one',
      { push: aBrowser('https://fcm.googleapis.com.evil.org/').json, filter: KADUNA },
      '/push/endpoint',
    ],
    ['no area', { push: aBrowser('https://fcm.googleapis.com/x').json, filter: {} }, '/filter'],
  ] as const)
    it(`is refused with ${what}, and nothing is sent`, async () => {
      const problem = await problemOf(await app.post('/v1/alerts', body, null))
      assert.deepEqual([problem.status, problem.errors![0]!.pointer], [422, pointer])
      assert.deepEqual([arrived.length, await ids()], [0, []])
    })

  it('counts against the messages of an hour', async () => {
    const hour = 3_600_000
    const now = (Math.floor(Date.now() / hour) + 0.5) * hour
    const ahead = now - Date.now()
    const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', CHANNEL_HOSTS: '127.0.0.1', ALERTS_PER_HOUR: '1' }
    await using capped = await startTestApp(settings, { clock: () => Date.now() + ahead })
    const pair = [newBrowser(), newBrowser()]
    for (const { json } of pair)
      assert.equal((await capped.post('/v1/alerts', { push: json, filter: KADUNA }, null)).status, 201)
    const at = new Date(now).toISOString()
    await capped.publish([anIncident(900, { severity: 'critical', published_at: at, updated_at: at })])
    // The two first ones, and one of two alerts: the other waits for the next hour.
    await until(() => arrived.length === 3)
    const watchIds = await capped.store.watches.ids(ALERTS_ACCOUNT_ID, 9)
    const query = { watchIds, status: 'pending', kind: null, eventSeqs: null, afterSeq: 0, limit: 9 } as const
    const waiting = () =>
      capped.store.deliveries.list(ALERTS_ACCOUNT_ID, { ...query, tests: AT_ANY_TIME, before: null })
    await until(async () => {
      const [only, ...more] = await waiting()
      return more.length === 0 && only !== undefined && only.delivery.dueAt! >= now + hour / 2
    }, 'the one that waits')
    assert.equal(arrived.length, 3)
  })

  it('is limited for one client, whatever endpoints it makes up', async () => {
    await using limited = await startTestApp({
      WEBHOOK_ALLOW_PRIVATE: 'true',
      CHANNEL_HOSTS: '127.0.0.1',
      MAILS_PER_CLIENT: '2',
    })
    const statuses: number[] = []
    for (let count = 0; count < 5; count++) {
      const push = newBrowser().json
      statuses.push((await limited.post('/v1/alerts', { push, filter: KADUNA }, null)).status)
    }
    assert.deepEqual([statuses, arrived.length], [[201, 201, 429, 429, 429], 2])
  })

  it('is offered by the page without a mail server, and only with a script', async () => {
    const page = await (await app.get('/alerts?state=NG-KD&severity=high', null)).text()
    assert.ok(!page.includes('name="email"'))
    assert.ok(page.includes('<noscript>'))
    assert.ok(page.includes('{&quot;state&quot;:[&quot;NG-KD&quot;],&quot;min_severity&quot;:&quot;high&quot;}'), page)
    assert.ok((await (await app.get('/nigeria/kaduna', null)).text()).includes('/alerts'))
    const sent = await fetch(`${app.url}/alerts?state=NG-KD`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'ada@example.org' }),
    })
    assert.equal(sent.status, 403)
    assert.ok((await sent.text()).includes('sends no mail'))
    await using without = await startTestApp({ ALERTS_PER_HOUR: '0' })
    assert.ok((await (await without.get('/alerts?state=NG-KD', null)).text()).includes('offers no alerts'))
    const refused = await problemOf(await without.post('/v1/alerts', { push: newBrowser().json, filter: KADUNA }, null))
    assert.equal(refused.code, 'channel_unavailable')
  })
})
