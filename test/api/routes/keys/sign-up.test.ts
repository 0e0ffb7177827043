import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp } from '../../../support/app.ts'
import { type MailServer, startMailServer } from '../../../support/mail.ts'

let server: MailServer
let settings: Record<string, string>

before(async () => {
  server = await startMailServer()
  settings = {
    SIGNUP: 'email',
    SMTP_URL: server.url,
    MAIL_FROM: 'Feed <feed@example.org>',
  }
})
after(() => server[Symbol.asyncDispose]())

async function askForKey(app: Awaited<ReturnType<typeof startTestApp>>): Promise<string> {
  const response = await app.post('/v1/keys', { email: 'ada@example.org' }, null)
  assert.equal(response.status, 202)
  const mail = server.mails.at(-1)!
  assert.match(mail, /^To: ada@example\.org/m)
  assert.match(mail, /^From: Feed <feed@example\.org>/m)
  return /http:\S+\/signup\/[\w-]+/.exec(mail)![0]
}

test('the link in the mail shows the key once, on a button', async () => {
  await using app = await startTestApp(settings)
  const link = await askForKey(app)
  for (const scanner of [1, 2])
    assert.match(await (await fetch(link)).text(), /Show my key/, `scanner ${scanner} used it up`)
  const pressButton = () => fetch(link, { method: 'POST', body: new URLSearchParams() })
  const shown = await pressButton()
  const key = /inf_live_[0-9A-Za-z]{36}/.exec(await shown.text())![0]
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const me = (await (await app.get('/v1/me', key)).json()) as { account: { email: string } }
  assert.equal(me.account.email, 'ada@example.org')
  const again = await pressButton()
  assert.equal(again.status, 404)
  assert.doesNotMatch(await again.text(), /inf_live_/)
})

test('the link expires after 24 hours', async () => {
  let now = Date.now()
  await using app = await startTestApp(settings, { clock: () => now })
  const link = await askForKey(app)
  now += 24 * 3_600_000
  assert.equal((await fetch(link, { method: 'POST', body: new URLSearchParams() })).status, 404)
})

test('an unreachable mail server is 503, and no key is issued', async () => {
  await using app = await startTestApp({ ...settings, SMTP_URL: 'smtp://127.0.0.1:1' })
  assert.equal(
    (await problemOf(await app.post('/v1/keys', { email: 'ada@example.org' }, null))).code,
    'mail_unavailable',
  )
})
