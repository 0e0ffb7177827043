import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { type MailServer, startMailServer } from '../../../support/mail.ts'
import { openMember, postSession, signIn } from '../../../support/sign-in.ts'

let server: MailServer
let app: TestApp
before(async () => {
  server = await startMailServer()
  app = await startTestApp({ SMTP_URL: server.url })
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** The next mail that `work` causes. */
async function mailAfter(work: () => Promise<Response>): Promise<string> {
  const before = server.mails.length
  const { status } = await work()
  assert.ok(status === 202 || status === 201, `answered ${status}`)
  await until(() => server.mails.length > before, 'the mail')
  return server.mails.at(-1)!
}
const ask = (email: string) => app.post('/v1/sessions/link', { email }, null)
const tokensIn = (mail: string) => [...mail.matchAll(/\/sign-in\?token=([\w-]+)/g)].map(([, token]) => token!)

test('a mailed link signs in and proves the address; opening it spends nothing', async () => {
  const account = await openMember(app.store, 'editor', { email: 'ada@example.org' })
  const mail = await mailAfter(() => ask('ADA@example.org'))
  assert.match(mail, /^To: ada@example\.org\r$/m)
  const [token, ...others] = tokensIn(mail)
  assert.deepEqual(others, [])
  for (const scanner of [1, 2]) await fetch(`${app.url}/sign-in?token=${token}&scanner=${scanner}`)
  const opened = await postSession(app.url, { token })
  assert.equal(opened.status, 201)
  assert.notEqual((await app.store.accounts.find(account.id))!.emailVerifiedAt, null)
  assert.equal((await problemOf(await postSession(app.url, { token }))).code, 'used_link')
})

test('of several accounts with the address, those of strangers come last', async () => {
  for (let number = 0; number < 4; number++) await app.post('/v1/keys', { email: 'efe@example.org' }, null)
  await openMember(app.store, 'editor', { email: 'efe@example.org' })
  const tokens = tokensIn(await mailAfter(() => ask('efe@example.org')))
  assert.equal(tokens.length, 3)
  const { account } = (await (await postSession(app.url, { token: tokens[0] })).json()) as { account: { role: string } }
  assert.equal(account.role, 'editor')
})

test('an unknown address gets the same answer, and no mail', async () => {
  const before = server.mails.length
  const [unknown, known] = [await ask('nobody@example.org'), await ask('ada@example.org')]
  assert.deepEqual([unknown.status, await unknown.text()], [known.status, await known.text()])
  await until(() => server.mails.length > before, 'the mail to the known address')
  assert.equal(server.mails.length, before + 1)
})

test('an invitation is mailed, without words of the admin, and its link is not shown to the admin', async () => {
  const admin = await signIn(app, 'admin')
  const body = { email: 'new@example.org', name: 'Log in at https://evil.example', role: 'reporter' }
  let answer = ''
  const mail = await mailAfter(async () => {
    const response = await admin.send('POST', '/v1/admin/accounts', body)
    answer = await response.clone().text()
    return response
  })
  assert.equal((JSON.parse(answer) as { invitation: { url: null } }).invitation.url, null)
  assert.doesNotMatch(mail, /evil/)
  const [token] = tokensIn(mail)
  assert.ok(!answer.includes(token!))
  assert.equal((await postSession(app.url, { token })).status, 201)
})
