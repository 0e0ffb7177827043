import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addKey, keyCap, openAccount } from '../../../src/accounts/keys.ts'
import type { Scope } from '../../../src/domain/keys.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { type MailServer, startMailServer } from '../../support/mail.ts'

describe('recovery', () => {
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
    const owner = { email: 'ada@example.org', name: PHISHING, ownsEmail: true }
    const { text: key, key: first } = await openAccount(app.store, owner, {}, Date.now())
    const link = await linkFor(app, 'ada@EXAMPLE.org')
    assert.match(server.mails.at(-1)!, /^To: ada@example\.org/m)
    assert.match(server.mails.at(-1)!, /^Subject: Your sign-in link for Incident Feed\r$/m)
    assert.doesNotMatch(server.mails.at(-1)!, /evil|bank/, 'words of a user are in the mail')
    for (const scanner of [1, 2])
      assert.match(await (await fetch(link)).text(), /Show my key/, `scanner ${scanner} used it up`)
    const shown = await press(link)
    const recovered = /inf_live_[0-9A-Za-z]{36}/.exec(await shown.text())![0]
    assert.equal(shown.headers.get('cache-control'), 'no-store')
    const me = (await (await app.get('/v1/me', recovered)).json()) as {
      account: { id: string; email_verified: boolean }
    }
    assert.deepEqual([me.account.id, me.account.email_verified], [first.accountId, true])
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

  test('a blocked account is not recovered', async () => {
    await using app = await startTestApp(settings)
    const owner = { email: 'blocked@example.org', name: 'Ada', emailVerifiedAt: 1 }
    const { key } = await openAccount(app.store, owner, {}, Date.now())
    const link = await linkFor(app, 'blocked@example.org')
    await app.store.accounts.change(key.accountId, { status: 'blocked' }, Date.now())
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

  test('signing up by mail is limited alike, its subject is ours, and a claimed address opens another account', async () => {
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
    assert.equal((await app.store.accounts.find(existing.key.accountId))!.email, null)
    assert.equal((await ask(app, 'test@example.org')).status, 202, 'sign-in mails have a limit of their own')
  })

  test('without a mail server the answer says who can help', async () => {
    await using app = await startTestApp()
    const response = await ask(app, 'ada@example.org')
    assert.deepEqual([response.status, (await problemOf(response)).code], [403, 'mail_not_set_up'])
  })
})

describe('rights', () => {
  interface KeyBody {
    id: string
    key: string
    scopes: Scope[]
    expires_at: string | null
    origins: string[]
    name: string | null
    last_used_at: string | null
  }

  let now = Date.now()
  let app: TestApp
  before(async () => {
    app = await startTestApp({}, { clock: () => now })
  })
  after(() => app[Symbol.asyncDispose]())

  /** An account of an admin, with a second key that has only `read` and `watch`. */
  async function adminWithWeakKey() {
    const strong = await app.issue({ scopes: ['read', 'watch', 'operate'] })
    const weak = await addKey(() => app.store, strong.key.accountId, {}, keyCap(20), now)
    assert.ok(typeof weak === 'object')
    return { strong, weak }
  }
  const bodyOf = async (response: Response, status: number) => {
    assert.equal(response.status, status, await response.clone().text())
    return (await response.json()) as KeyBody
  }

  test('a watch key cannot rotate, change or revoke an operate key, nor create one', async () => {
    const { strong, weak } = await adminWithWeakKey()
    const attempts = [
      app.post(`/v1/keys/${strong.key.id}/rotate`, '', weak.text),
      app.patch(`/v1/keys/${strong.key.id}`, { name: 'mine' }, weak.text, null),
      app.delete(`/v1/keys/${strong.key.id}`, weak.text),
      app.post('/v1/keys', { scopes: ['read', 'operate'] }, weak.text),
      app.post('/v1/keys', { scopes: ['report'] }, weak.text),
    ]
    for (const attempt of attempts) assert.equal((await problemOf(await attempt)).code, 'insufficient_scope')
    assert.equal((await app.get('/v1/desk/incidents', strong.text)).status, 200)
    await bodyOf(await app.post(`/v1/keys/${weak.key.id}/rotate`, '', strong.text), 201)
  })

  test('a key creates keys with scopes that it has, also in parts of operate', async () => {
    const { strong } = await adminWithWeakKey()
    const reviewer = await bodyOf(await app.post('/v1/keys', { scopes: ['read', 'review'] }, strong.text), 201)
    assert.deepEqual(reviewer.scopes, ['read', 'review'])
    assert.equal((await app.get('/v1/desk/incidents', reviewer.key)).status, 200)
    assert.equal((await problemOf(await app.get('/v1/admin/accounts', reviewer.key))).code, 'insufficient_scope')
    assert.equal((await problemOf(await app.get('/v1/desk/publishers', reviewer.key))).code, 'insufficient_scope')
  })

  test('a key made with an expiring key expires with it, and so does one that it rotates', async () => {
    const expiresAt = now + 60_000
    const { key, text } = await app.issue({ expiresAt })
    const lasting = await addKey(() => app.store, key.accountId, {}, keyCap(20), now)
    assert.ok(typeof lasting === 'object')
    const made = await bodyOf(await app.post('/v1/keys', {}, text), 201)
    assert.equal(made.expires_at, new Date(expiresAt).toISOString())
    const later = { expires_at: new Date(expiresAt + 1).toISOString() }
    const refused = await problemOf(await app.post('/v1/keys', later, text))
    assert.deepEqual([refused.code, refused.errors?.[0]?.pointer], ['invalid_body', '/expires_at'])
    const rotated = await bodyOf(await app.post(`/v1/keys/${lasting.key.id}/rotate`, '', text), 201)
    assert.equal(rotated.expires_at, new Date(expiresAt).toISOString())
    const own = await bodyOf(await app.post(`/v1/keys/${key.id}/rotate`, '', text), 201)
    assert.equal(own.expires_at, new Date(expiresAt).toISOString())
  })

  test('an account has at most 20 valid keys, and 40 with those that replace others', async () => {
    const { key, text } = await app.issue()
    const statuses: number[] = []
    for (let count = 0; count < 25; count++) statuses.push((await app.post('/v1/keys', {}, text)).status)
    assert.deepEqual(statuses, [...Array(19).fill(201), ...Array(6).fill(409)])
    const rotations: number[] = []
    for (let count = 0; count < 25; count++)
      rotations.push((await app.post(`/v1/keys/${key.id}/rotate`, '', text)).status)
    assert.deepEqual(rotations, [...Array(20).fill(201), ...Array(5).fill(409)])
    assert.equal(await app.store.keys.countValid(key.accountId, now), 40)
  })

  test('creating and revoking in turn ends at 100 keys a day', async () => {
    const { text } = await app.issue()
    let made = 1
    for (; ; made++) {
      const response = await app.post('/v1/keys', {}, text)
      if (response.status !== 201) {
        assert.equal((await problemOf(response)).code, 'too_many_keys')
        break
      }
      await app.delete(`/v1/keys/${((await response.json()) as KeyBody).id}`, text)
    }
    assert.equal(made, 100)
  })

  test('keys are listed in pages, with their last use', async () => {
    const { key, text } = await app.issue()
    for (let count = 0; count < 4; count++) await bodyOf(await app.post('/v1/keys', {}, text), 201)
    await app.get('/v1/me', text)
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const response = await app.get(`/v1/keys?limit=2${cursor}`, text)
      const page = (await response.json()) as { data: KeyBody[]; has_more: boolean; next_cursor: string | null }
      for (const { id, last_used_at } of page.data) {
        seen.push(id)
        assert.equal(last_used_at, id === key.id ? new Date(now).toISOString() : null)
      }
      if (!page.has_more) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.equal(new Set(seen).size, 5)
    assert.equal((await problemOf(await app.get('/v1/keys?cursor=x', text))).code, 'invalid_cursor')
  })

  test('the last live key is revoked only with confirm=last', async () => {
    const { key, text } = await app.issue()
    await bodyOf(await app.post('/v1/keys', { kind: 'publishable' }, text), 201)
    assert.equal((await problemOf(await app.delete(`/v1/keys/${key.id}`, text))).code, 'last_key')
    assert.equal((await problemOf(await app.delete(`/v1/keys/${key.id}?confirm=yes`, text))).code, 'invalid_parameter')
    assert.equal((await app.delete(`/v1/keys/${key.id}?confirm=last`, text)).status, 200)
    assert.equal((await problemOf(await app.get('/v1/me', text))).code, 'revoked_key')
  })

  test('name and origins can be changed; origins are stored as browsers send them', async () => {
    const { text } = await app.issue()
    const made = await bodyOf(
      await app.post(
        '/v1/keys',
        { kind: 'publishable', origins: ['HTTPS://Example.ORG:443/', 'http://bücher.ng:80'] },
        text,
      ),
      201,
    )
    assert.deepEqual(made.origins, ['https://example.org', 'http://xn--bcher-kva.ng'])
    const origin = { origin: 'https://example.org' }
    assert.equal((await app.get('/v1/incidents', made.key, origin)).status, 200)
    const path = `/v1/keys/${made.id}`
    const changed = await bodyOf(
      await app.patch(path, { name: 'Shop', origins: ['https://shop.ng/'] }, text, null),
      200,
    )
    assert.deepEqual([changed.name, changed.origins], ['Shop', ['https://shop.ng']])
    assert.equal((await problemOf(await app.get('/v1/incidents', made.key, origin))).code, 'origin_not_allowed')
    for (const wrong of [
      '*',
      'https://*.shop.ng',
      'shop.ng',
      'https://shop.ng/path',
      'https://a@shop.ng',
      'null',
      'ftp://x',
    ]) {
      const problem = await problemOf(await app.patch(path, { origins: [wrong] }, text, null))
      assert.deepEqual([problem.code, problem.errors?.[0]?.pointer], ['invalid_body', '/origins/0'], wrong)
    }
    const other = await app.issue()
    assert.equal((await problemOf(await app.patch(path, { name: 'x' }, other.text, null))).code, 'not_found')
  })

  test('a role that shrinks takes scopes from keys at once, and gives them back', async () => {
    const { key, text } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
    await app.issue({ scopes: ['read', 'watch', 'operate'] })
    const { text: admin } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
    const setRole = (role: string) => app.patch(`/v1/admin/accounts/${key.accountId}`, { role }, admin, null)
    assert.equal((await setRole('reporter')).status, 200)
    const refused = await problemOf(await app.get('/v1/desk/incidents', text))
    assert.match(refused.detail, /yours has read, watch, report\./)
    assert.equal((await app.get('/v1/reports', text)).status, 200)
    const me = (await (await app.get('/v1/me', text)).json()) as {
      scopes: string[]
      key: KeyBody
      account: { role: string }
    }
    assert.deepEqual(
      [me.account.role, me.scopes, me.key.scopes],
      ['reporter', ['read', 'watch', 'report'], ['read', 'watch', 'operate']],
    )
    const { weak } = await adminWithWeakKey()
    assert.equal((await setRole('admin')).status, 200)
    assert.equal((await app.get('/v1/desk/incidents', text)).status, 200)
    assert.equal((await problemOf(await app.get('/v1/admin/accounts', weak.text))).code, 'insufficient_scope')
    now += 1
  })
})

describe('sign up', () => {
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
})
