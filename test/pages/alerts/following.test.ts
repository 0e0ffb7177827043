import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { parsedMail } from '../../support/parsed-mail.ts'

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
