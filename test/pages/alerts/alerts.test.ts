import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { ALERTS_ACCOUNT_ID, removeEndedAlerts } from '../../../src/deliveries/alerts/alerts.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { parsedMail } from '../../support/parsed-mail.ts'

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
  // Mails to one address are paced by the clock, which stands still here. A lease must not end: it
  // is 60 s.
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
