import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'
import { type MailServer, parsedMail, startMailServer } from '../../../support/mail.ts'

let server: MailServer
let app: TestApp
before(async () => {
  server = await startMailServer()
  app = await startTestApp({ SMTP_URL: server.url, PUBLIC_URL: 'https://feed.example.org' })
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

interface Watch {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly status: string
}

const create = (key: string, channel: object = { kind: 'email' }) =>
  app.post('/v1/watches', { name: 'By mail', channel }, key)

async function confirmedAccount(): Promise<string> {
  const { text, key } = await app.issue()
  await app.store.accounts.verifyEmail(key.accountId, 1)
  return text
}

it('sends a new incident, its correction and its withdrawal as one thread to the account’s own address', async () => {
  const key = await confirmedAccount()
  const response = await create(key)
  assert.equal(response.status, 201, await response.clone().text())
  const watch = (await response.json()) as Watch
  assert.deepEqual([watch.url, watch.secret], ['mailto:test@example.org', ''])
  const incident = anIncident(1)
  await app.publish([incident])
  await until(() => server.raw.length === 1, 'the first mail')
  await app.publish([{ ...incident, version: 2, summary: 'Three travellers.' }], 'incident.updated')
  await until(() => server.raw.length === 2, 'the correction')
  await app.publish([{ ...incident, version: 3, status: 'retracted' }], 'incident.retracted')
  await until(() => server.raw.length === 3, 'the withdrawal')
  const [first, corrected, withdrawn] = server.raw.map(parsedMail) as [Parsed, Parsed, Parsed]
  assert.equal(first.headers.to, 'test@example.org')
  for (const later of [corrected, withdrawn]) assert.equal(later.headers.references, first.headers['message-id'])
  assert.ok(corrected.html.includes('Three travellers.') && !withdrawn.html.includes('travellers'))

  // One click ends it, as a program for mail sends it; a look at the link does not.
  const link = /<https:\/\/feed\.example\.org(\/alerts\/[\w-]+)>/.exec(first.headers['list-unsubscribe']!)![1]!
  const shown = await app.get(link, null)
  assert.ok((await shown.text()).includes('Pause this watch'))
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const read = async () => (await (await app.get(`/v1/watches/${watch.id}`, key)).json()) as Watch
  assert.equal((await read()).status, 'active')
  const body = new FormData()
  body.append('List-Unsubscribe', 'One-Click')
  const ended = await fetch(`${app.url}${link}`, { method: 'POST', body })
  assert.equal(ended.status, 200)
  assert.equal((await read()).status, 'paused')
  const again = await fetch(`${app.url}${link}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  assert.equal(again.status, 200)
  const wrong = await app.post(`${link.slice(0, -1)}${link.endsWith('a') ? 'b' : 'a'}`, '', null)
  assert.notEqual(wrong.status, 200)
})
type Parsed = ReturnType<typeof parsedMail>

it('refuses an address that is not confirmed, and any other than the account’s own', async () => {
  const { text } = await app.issue()
  const problem = await problemOf(await create(text))
  assert.deepEqual([problem.status, problem.code], [409, 'address_not_confirmed'])
  const other = await problemOf(
    await create(await confirmedAccount(), { kind: 'email', url: 'mailto:eve@example.org' }),
  )
  assert.deepEqual([other.status, other.errors![0]!.pointer], [422, '/channel/url'])
})

it('is refused with a clear error where no mail server is set', async () => {
  await using without = await startTestApp()
  const { text, key } = await without.issue()
  await without.store.accounts.verifyEmail(key.accountId, 1)
  const response = await without.post('/v1/watches', { name: 'By mail', channel: { kind: 'email' } }, text)
  const problem = await problemOf(response)
  assert.deepEqual([problem.status, problem.code], [409, 'channel_unavailable'])
  assert.ok(problem.detail.includes('SMTP_URL'))
})
