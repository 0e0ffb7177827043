import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ALERTS_ACCOUNT_ID } from '../../../src/deliveries/alerts/alerts.ts'
import { startTestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { parsedMail } from '../../support/parsed-mail.ts'

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
