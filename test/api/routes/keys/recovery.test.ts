import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { type MailServer, startMailServer } from '../../../support/mail.ts'

let server: MailServer
let settings: Record<string, string>
before(async () => {
  server = await startMailServer()
  settings = { SMTP_URL: server.url, SIGNUPS_PER_HOUR: '1000' }
})
after(() => server[Symbol.asyncDispose]())

const PHISHING = 'Your bank: log in at https://evil.example'
const signUp = async (app: TestApp, email: string) => {
  const response = await app.post('/v1/keys', { email, name: PHISHING }, null)
  return (await response.json()) as { account_id: string; key: string }
}
const ask = (app: TestApp, email: string, headers = {}) => app.post('/v1/sessions/link', { email }, null, headers)
async function linkFor(app: TestApp, email: string): Promise<string> {
  const before = server.mails.length
  assert.equal((await ask(app, email)).status, 202)
  await until(() => server.mails.length > before, 'the mail')
  return /http:\S+\/recover\/[\w-]+/.exec(server.mails.at(-1)!)![0]
}
const press = (link: string, form: Record<string, string> = {}) =>
  fetch(link, { method: 'POST', body: new URLSearchParams(form) })

test('a mailed link gives a new key for the account, once, and proves the address', async () => {
  await using app = await startTestApp(settings)
  const { account_id, key } = await signUp(app, 'Ada@example.org')
  const link = await linkFor(app, 'ada@EXAMPLE.org')
  assert.match(server.mails.at(-1)!, /^To: Ada@example\.org/m)
  assert.match(server.mails.at(-1)!, /^Subject: Your sign-in link for Incident Feed\r$/m)
  assert.doesNotMatch(server.mails.at(-1)!, /evil|bank/, 'words of a user are in the mail')
  for (const scanner of [1, 2])
    assert.match(await (await fetch(link)).text(), /Show my key/, `scanner ${scanner} used it up`)
  const shown = await press(link)
  const recovered = /inf_live_[0-9A-Za-z]{36}/.exec(await shown.text())![0]
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const me = (await (await app.get('/v1/me', recovered)).json()) as { account: { id: string; email_verified: boolean } }
  assert.deepEqual([me.account.id, me.account.email_verified], [account_id, true])
  assert.equal((await app.get('/v1/me', key)).status, 200)
  assert.equal((await press(link)).status, 404)
})

test('the answer for an unknown address is the same, and no mail is sent', async () => {
  await using app = await startTestApp(settings)
  await signUp(app, 'known@example.org')
  const sent = server.mails.length
  const [unknown, known] = [await ask(app, 'unknown@example.org'), await ask(app, 'known@example.org')]
  assert.equal(await unknown.text(), await known.text())
  assert.equal(unknown.status, known.status)
  await until(() => server.mails.length > sent, 'the mail')
  assert.equal(server.mails.filter((mail) => /^To: unknown@/m.test(mail)).length, 0)
})

test('of several accounts one is chosen; verified ones come first, and names are not shown', async () => {
  await using app = await startTestApp(settings)
  const first = await signUp(app, 'many@example.org')
  const second = await signUp(app, 'many@example.org')
  await app.store.accounts.verifyEmail(second.account_id, Date.now())
  const link = await linkFor(app, 'many@example.org')
  const page = await (await press(link)).text()
  assert.ok(page.indexOf(second.account_id) < page.indexOf(first.account_id))
  assert.doesNotMatch(page, /evil|bank/)
  const foreign = await app.issue()
  assert.doesNotMatch(await (await press(link, { account: foreign.key.accountId })).text(), /inf_live_/)
  assert.match(await (await press(link, { account: first.account_id })).text(), /inf_live_/)
})

test('a blocked account is not recovered', async () => {
  await using app = await startTestApp(settings)
  const { account_id } = await signUp(app, 'blocked@example.org')
  const link = await linkFor(app, 'blocked@example.org')
  await app.store.accounts.change(account_id, { status: 'blocked' }, Date.now())
  const page = await press(link)
  assert.equal(page.status, 403)
  assert.doesNotMatch(await page.text(), /inf_live_/)
})

test('mails are limited for each recipient, whatever the tag and the client, and for each client', async () => {
  await using app = await startTestApp({ ...settings, TRUST_PROXY: 'loopback', MAILS_PER_CLIENT: '3' })
  const statuses: number[] = []
  for (let count = 0; count < 7; count++) {
    const email = `Victim+${count}@example.org`
    statuses.push((await ask(app, email, { 'x-forwarded-for': `192.0.2.${count}` })).status)
  }
  assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429, 429])
  const client: number[] = []
  for (let count = 0; count < 5; count++) {
    client.push((await ask(app, `other${count}@example.org`, { 'x-forwarded-for': '198.51.100.1' })).status)
  }
  assert.deepEqual(client, [202, 202, 202, 429, 429])
})

test('signing up by mail is limited alike, its subject is ours, and a known address opens another account', async () => {
  await using app = await startTestApp({ ...settings, SIGNUP: 'email' })
  const existing = await app.issue()
  const sent = server.mails.length
  const statuses: number[] = []
  for (let count = 0; count < 11; count++)
    statuses.push((await app.post('/v1/keys', { email: 'test@example.org', name: PHISHING }, null)).status)
  assert.deepEqual(statuses, [...Array(5).fill(202), ...Array(6).fill(429)])
  assert.equal(server.mails.length - sent, 5)
  const mail = server.mails.at(-1)!
  assert.match(mail, /^Subject: Your key for Incident Feed\r$/m)
  assert.doesNotMatch(mail, /evil|bank/)
  const link = /http:\S+\/signup\/[\w-]+/.exec(mail)![0]
  const key = /inf_live_[0-9A-Za-z]{36}/.exec(await (await press(link)).text())![0]
  const me = (await (await app.get('/v1/me', key)).json()) as { account: { id: string; email_verified: boolean } }
  assert.notEqual(me.account.id, existing.key.accountId)
  assert.equal(me.account.email_verified, true)
})

test('without a mail server the answer says who can help', async () => {
  await using app = await startTestApp()
  const response = await ask(app, 'ada@example.org')
  assert.deepEqual([response.status, (await problemOf(response)).code], [403, 'mail_not_set_up'])
})
