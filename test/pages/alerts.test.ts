import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { ALERTS_ACCOUNT_ID, removeEndedAlerts } from '../../src/deliveries/alerts/alerts.ts'
import { disableUnseenBrowsers, UNSEEN_AFTER_MS } from '../../src/deliveries/alerts/browsers.ts'
import { AT_ANY_TIME } from '../../src/store/store.ts'
import { aBrowser } from '../deliveries/fixtures.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { type MailServer, parsedMail, startMailServer } from '../support/mail.ts'
import { type Receiver, receive } from '../support/receivers.ts'

describe('alerts', () => {
  const DAY = 86_400_000
  let server: MailServer
  let app: TestApp
  let now = Date.now()
  let refusals = 0
  before(async () => {
    const refuse = (to: string) => (to === 'late@example.org' && refusals++ === 0 ? '450 4.2.0 try later' : null)
    server = await startMailServer({ refuse })
    const settings = { SMTP_URL: server.url, PUBLIC_URL: 'https://feed.example.org', ALERTS_PER_RECIPIENT: '1' }
    app = await startTestApp({ ...settings, MAILS_PER_CLIENT: '12' }, { clock: () => now })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const ask = (email: string, filter: object = { state: ['Kaduna'] }, more: object = {}) =>
    app.post('/v1/alerts', { email, filter, ...more }, null)
  const mailsTo = (email: string) => server.raw.map(parsedMail).filter(({ headers }) => headers.to === email)
  const post = (path: string) => fetch(`${app.url}${path}`, { method: 'POST', body: new URLSearchParams() })
  const linkIn = (text: string) => /https:\/\/feed\.example\.org(\/alerts\/[\w/-]+)/.exec(text)![1]!
  const alertIds = () => app.store.watches.ids(ALERTS_ACCOUNT_ID, 100)

  /** Asks, and returns the path of the link in the question. */
  async function asked(email: string, more: object = {}): Promise<string> {
    const before = mailsTo(email).length
    assert.equal((await ask(email, undefined, more)).status, 202)
    await until(() => mailsTo(email).length > before, 'the question')
    return linkIn(mailsTo(email).at(-1)!.text)
  }

  it('asks once, whoever asks how often for whatever, and the answer does not tell', async () => {
    const link = await asked('ada@example.org')
    const answers = [await ask('ada@example.org', { state: ['Lagos'] }), await ask('ADA+x@example.org')]
    answers.push(await ask('new@example.org', { state: ['Lagos'] }, { language: 'ha' }))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    assert.equal(new Set(texts).size, 1)
    await until(() => mailsTo('new@example.org').length === 1)
    assert.ok(mailsTo('new@example.org')[0]!.text.includes('cikin awa 24'))
    assert.equal(mailsTo('ada@example.org').length, 1)
    // An incident in the area brings nothing to who has not agreed; nor does a look at the link.
    assert.ok((await (await app.get(link, null)).text()).includes('Start this alert?'))
    await app.publish([anIncident(1, { updated_at: new Date(now).toISOString() })])
    const [first] = await alertIds()
    assert.equal((await app.store.watches.find(null, first!))?.status, 'paused')
    now += 8 * DAY
    assert.equal((await post(link)).status, 404)
    await removeEndedAlerts(app.store, now)
    assert.deepEqual(await alertIds(), [])
    assert.ok((await asked('ada@example.org')).startsWith('/alerts/confirm/'))
    assert.equal(mailsTo('ada@example.org').length, 2)
  })

  it('refuses more alerts than one address may have, and forgets an alert that is ended', async () => {
    const first = await asked('efe@example.org')
    assert.equal((await post(first)).status, 200)
    assert.equal((await post(first)).status, 200)
    assert.equal((await post(await asked('efe@example.org'))).status, 409)
    const manage = first.replace('/confirm', '')
    const shown = await (await app.get(`${manage}?lang=yo`, null)).text()
    assert.ok(shown.includes('Kaduna') && !shown.includes('efe@example.org'))
    assert.equal((await post(manage)).status, 200)
    assert.equal((await post(manage)).status, 404)
    assert.equal((await post(first)).status, 404)
  })

  it('writes to its reader in the language that was asked for, from the question to the withdrawal', async () => {
    const link = await asked('hauwa@example.org', { language: 'ha' })
    assert.equal((await post(link)).status, 200)
    const summary = 'Gunmen took two travellers.'
    const incident = anIncident(7, { type: 'kidnapping', summary, updated_at: new Date(now).toISOString() })
    await app.publish([incident])
    await until(() => mailsTo('hauwa@example.org').length === 2, 'the mail about the incident')
    // Mails to one address are paced by the clock, which stands still here. A lease of 60 s must
    // not end.
    now += 5_000
    await app.publish([{ ...incident, version: 2, status: 'retracted' }], 'incident.retracted')
    await until(() => mailsTo('hauwa@example.org').length === 3, 'the withdrawal')
    const [, first, withdrawn] = mailsTo('hauwa@example.org')
    assert.equal(first!.headers['content-language'], 'ha')
    assert.match(first!.headers.subject!, /^Garkuwa da mutum a /)
    for (const said of [
      'Yaushe: ',
      'Tsanani: ',
      'Tabbaci: ',
      summary,
      'Wannan saƙo na aiki har zuwa ',
      'Kun nemi sanarwa: ',
    ])
      assert.ok(first!.text.includes(said), `${said} is not in\n${first!.text}`)
    assert.ok(first!.html.includes('<html lang="ha">') && first!.html.includes('Buɗe al'))
    assert.ok(first!.text.includes(`/incidents/${incident.id}?lang=ha`))
    assert.ok(withdrawn!.text.includes('An janye wannan rahoto.'))
  })

  it('asks again at once if the question could not be mailed', async () => {
    const before = await alertIds()
    await ask('late@example.org')
    await until(async () => refusals === 1 && (await alertIds()).length === before.length, 'the refusal')
    assert.ok((await asked('late@example.org')).startsWith('/alerts/confirm/'))
  })

  it('stores the address in no readable form', async () => {
    const [id] = await alertIds()
    const watch = (await app.store.watches.find(null, id!))!
    assert.deepEqual([watch.url, watch.name, watch.description], ['mailto:***', id, null])
  })

  it('refuses what is no area, and too many requests of one client', async () => {
    const wrong = await problemOf(await ask('ada@example.org', { min_severity: 'high' }))
    assert.deepEqual([wrong.status, wrong.errors![0]!.pointer], [422, '/filter'])
    let last = await ask('x@example.org')
    for (let tries = 0; last.status === 202 && tries < 20; tries++) last = await ask(`x${tries}@example.org`)
    const limited = await problemOf(last)
    assert.deepEqual([limited.status, limited.code], [429, 'rate_limited'])
    // The page says the same in words.
    const page = await fetch(`${app.url}/alerts?state=NG-KD`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'ada@example.org' }),
    })
    assert.equal(page.status, 429)
    assert.ok((await page.text()).includes('Try again later.'))
  })

  it('names an LGA once, with its state', async () => {
    const page = await (await app.get('/alerts?state=NG-KD,NG-LA&lga=Chikun', null)).text()
    assert.ok(page.includes('<strong>Chikun, Kaduna, Lagos</strong>'), page.slice(page.indexOf('alert-area'), 200))
  })

  it('mails nobody where no mail server is set', async () => {
    await using without = await startTestApp()
    const refused = await problemOf(
      await without.post('/v1/alerts', { email: 'a@example.org', filter: { state: ['Kaduna'] } }, null),
    )
    assert.deepEqual([refused.status, refused.code], [403, 'mail_not_set_up'])
    assert.ok(!(await (await without.get('/alerts?state=NG-KD', null)).text()).includes('name="email"'))
  })
})

describe('browser alerts', () => {
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
        ['Lagos', 'Kano', 'Oyo', 'Edo'].map((state) =>
          ask(browser.json, { state: [state] }).then((each) => each.status),
        ),
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
      [
        'both ways',
        { email: 'a@example.org', push: aBrowser('https://fcm.googleapis.com/x').json, filter: KADUNA },
        '',
      ],
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
      assert.ok(
        page.includes('{&quot;state&quot;:[&quot;NG-KD&quot;],&quot;min_severity&quot;:&quot;high&quot;}'),
        page,
      )
      assert.ok((await (await app.get('/nigeria/kaduna', null)).text()).includes('/alerts'))
      const sent = await fetch(`${app.url}/alerts?state=NG-KD`, {
        method: 'POST',
        body: new URLSearchParams({ email: 'ada@example.org' }),
      })
      assert.equal(sent.status, 403)
      assert.ok((await sent.text()).includes('sends no mail'))
      await using without = await startTestApp({ ALERTS_PER_HOUR: '0' })
      assert.ok((await (await without.get('/alerts?state=NG-KD', null)).text()).includes('offers no alerts'))
      const refused = await problemOf(
        await without.post('/v1/alerts', { push: newBrowser().json, filter: KADUNA }, null),
      )
      assert.equal(refused.code, 'channel_unavailable')
    })
  })
})

describe('following', () => {
  const [FOLLOWED, OTHER, WITHDRAWN] = [1, 2, 3].map((number) =>
    anIncident(number, { type: 'kidnapping', summary: `Words of report ${number}.` }),
  ) as [ReturnType<typeof anIncident>, ReturnType<typeof anIncident>, ReturnType<typeof anIncident>]
  let server: MailServer
  let app: TestApp
  before(async () => {
    server = await startMailServer()
    app = await startTestApp({ SMTP_URL: server.url, PUBLIC_URL: 'https://feed.example.org' })
    await app.publish([FOLLOWED, OTHER, WITHDRAWN])
    const gone = { ...WITHDRAWN, version: 2, status: 'retracted' as const }
    await app.store.incidents.save([{ incident: gone, event: 'incident.retracted' }], Date.now())
    await until(async () => (await page(`/incidents/${WITHDRAWN.id}`)).status === 410)
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const page = async (path: string) => {
    const response = await fetch(`${app.url}${path}`, { headers: { accept: 'text/html' } })
    return { status: response.status, text: await response.text() }
  }
  const post = (path: string, fields: Record<string, string> = {}) =>
    fetch(`${app.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  const mails = () => server.raw.map(parsedMail).filter(({ headers }) => headers.to === 'ada@example.org')
  const linkIn = (text: string) => /https:\/\/feed\.example\.org(\/alerts\/[\w/-]+)/.exec(text)![1]!

  it('leads from the page of an incident over the mail that asks to mails of what becomes of it, and of nothing else', async () => {
    const link = /href="(\/alerts\?incident=[^"]+)"/.exec((await page(`/incidents/${FOLLOWED.id}`)).text)![1]!
    const form = await page(link)
    assert.equal(form.status, 200)
    assert.ok(form.text.includes('Tell me about this incident') && form.text.includes('Words of report 1.'))
    const action = /<form method="post" action="([^"]+)"/.exec(form.text)![1]!.replaceAll('&amp;', '&')
    assert.equal((await post(action, { email: 'ada@example.org' })).status, 200)
    await until(() => mails().length === 1, 'the question')
    const [question] = mails()
    assert.ok(question!.text.includes('Kidnapping in ') && !question!.text.includes('Words of report'))
    const confirm = linkIn(question!.text)
    assert.ok((await page(confirm)).text.includes('when this incident is corrected'))
    const confirmed = await post(confirm)
    assert.ok((await confirmed.text()).includes('when this incident is corrected'))
    const save = (incident: typeof FOLLOWED, event: 'incident.updated' | 'incident.retracted') =>
      app.store.incidents.save([{ incident: { ...incident, updated_at: new Date().toISOString() }, event }], Date.now())
    await save({ ...OTHER, version: 2, summary: 'Nobody follows this.' }, 'incident.updated')
    await save({ ...FOLLOWED, version: 2, summary: 'Corrected words.' }, 'incident.updated')
    await until(() => mails().length === 2, 'the correction')
    assert.ok(mails()[1]!.text.includes('Corrected words.'))
    await save({ ...FOLLOWED, version: 3, status: 'retracted' }, 'incident.retracted')
    await until(() => mails().length === 3, 'the retraction')
    assert.ok(!mails().some(({ text }) => text.includes('Nobody follows this.')))
    assert.equal((await post(confirm.replace('/confirm', ''))).status, 200)
  })

  it('says that a withdrawn or unknown incident cannot be followed, and offers it nowhere without alerts', async () => {
    for (const id of [WITHDRAWN.id, `inc_${'0'.repeat(26)}`]) {
      const shown = await page(`/alerts?incident=${id}`)
      assert.deepEqual([shown.status, shown.text.includes('It cannot be followed.')], [404, true])
      assert.equal((await post(`/alerts?incident=${id}`, { email: 'ada@example.org' })).status, 404)
      const refused = await problemOf(
        await app.post('/v1/alerts', { email: 'ada@example.org', filter: { incident: [id] } }, null),
      )
      assert.deepEqual([refused.status, refused.errors![0]!.pointer], [422, '/filter/incident'])
    }
    await using without = await startTestApp({ ALERTS_PER_HOUR: '0' })
    await without.publish([OTHER])
    const response = await fetch(`${without.url}/incidents/${OTHER.id}`, { headers: { accept: 'text/html' } })
    assert.ok(!(await response.text()).includes('/alerts?incident'))
  })
})

describe('overlap', () => {
  it('one mail for the alerts of one person that overlap, whose one-click link ends all of them', async () => {
    await using server = await startMailServer()
    const settings = { SMTP_URL: server.url, PUBLIC_URL: 'https://feed.example.org', MAILS_PER_CLIENT: '20' }
    await using app = await startTestApp(settings)
    const mailsTo = (email: string) => server.raw.map(parsedMail).filter(({ headers }) => headers.to === email)
    const post = (path: string) =>
      fetch(`${app.url}${path}`, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    const pathIn = (text: string) => /https:\/\/feed\.example\.org(\/alerts\/[\w/?=.-]+)/.exec(text)![1]!
    const start = async (email: string, filter: object) => {
      const before = mailsTo(email).length
      assert.equal((await app.post('/v1/alerts', { email, filter }, null)).status, 202)
      await until(() => mailsTo(email).length > before, 'the question')
      assert.equal((await post(pathIn(mailsTo(email).at(-1)!.text))).status, 200)
    }
    const incident = anIncident(1, { updated_at: new Date().toISOString() })
    await start('ada@example.org', { state: [incident.state] })
    await start('ada@example.org', { near: [incident.lat, incident.lng], radius_km: 20 })
    await start('efe@example.org', { state: [incident.state] })
    // The tag makes no other mailbox, where limits count; but it may be another person.
    await start('ada+school@example.org', { state: [incident.state] })
    const [ada, tagged, efe] = ['ada@example.org', 'ada+school@example.org', 'efe@example.org'].map(
      (email) => () => mailsTo(email).slice(email === 'ada@example.org' ? 2 : 1),
    ) as [() => ReturnType<typeof mailsTo>, () => ReturnType<typeof mailsTo>, () => ReturnType<typeof mailsTo>]
    await app.publish([incident])
    await until(async () => {
      const { waiting, leased } = await app.store.deliveries.queueDepth(10)
      return waiting + leased === 0 && efe().length > 0
    })
    assert.deepEqual([ada().length, tagged().length, efe().length], [1, 1, 1])
    const [mail] = ada()
    assert.match(mail!.text, /You asked for alerts: “[^”]+”, “[^”]+”\./)
    const link = pathIn(mail!.headers['list-unsubscribe']!)
    assert.match(link, /\?and=/)
    const page = await (await app.get(link, null)).text()
    assert.equal(page.match(/<li><a href="\/alerts\/[\w-]+">/g)!.length, 2)
    assert.equal((await app.store.watches.ids(ALERTS_ACCOUNT_ID, 10)).length, 4)
    const ended = await post(link)
    assert.equal(ended.status, 200)
    assert.ok((await ended.text()).includes('Nothing more is sent for these'))
    assert.equal((await app.store.watches.ids(ALERTS_ACCOUNT_ID, 10)).length, 2)
    assert.equal((await post(link)).status, 404)
  })
})
