import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { addKey, keyCap } from '../../../src/accounts/keys.ts'
import { issueSignInLink, LINK_VALID_MS } from '../../../src/accounts/sign-in.ts'
import { pageOrigin } from '../../../src/api/accounts/sessions.ts'
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '../../../src/domain/accounts.ts'
import { Problem } from '../../../src/domain/errors.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { aReport } from '../../support/incident.ts'
import { type MailServer, startMailServer } from '../../support/mail.ts'
import {
  bytes,
  cookieOf,
  openMember,
  postSession,
  type SignedIn,
  SoftwarePasskey,
  sendByCookie,
  signIn,
  text,
} from '../../support/sign-in.ts'

describe('sessions', () => {
  let app: TestApp
  const clock = Date.now

  before(async () => {
    app = await startTestApp()
  })
  after(() => app[Symbol.asyncDispose]())

  const me = async (cookie: string, { url } = app) => {
    const response = await sendByCookie(url, cookie, 'GET', '/v1/me')
    return { status: response.status, body: (await response.json()) as Me }
  }

  interface Me {
    code?: string
    account: { name: string; role: string }
    scopes: string[]
    session: { id: string; method: string; current: boolean } | null
    key: { kind: string }
  }

  describe('signing in', () => {
    it('with a link says who one is and what one may do', async () => {
      const { cookie } = await signIn(app, 'editor')
      const { status, body } = await me(cookie)
      assert.equal(status, 200)
      assert.equal(body.account.name, 'The editor')
      assert.equal(body.account.role, 'editor')
      assert.deepEqual(body.scopes, ['read', 'watch', 'report', 'review'])
      assert.equal(body.session?.method, 'link')
      assert.equal(body.session?.current, true)
      assert.equal(body.key.kind, 'session')
    })

    it('with a key gives the scopes of the key, and ends with it', async () => {
      const { key, text } = await app.issue({ scopes: ['read', 'watch', 'report'] })
      const response = await postSession(app.url, { key: text })
      assert.equal(response.status, 201)
      const cookie = cookieOf(response)!
      const { body } = await me(cookie)
      assert.deepEqual(body.scopes, ['read', 'watch', 'report'])
      await app.store.keys.revoke(key.accountId, key.id, clock())
      // As on another node: nothing forgets the cached session.
      await until(async () => (await me(cookie)).status === 401, 'the session to end')
      assert.equal((await me(cookie)).body.code, 'session_ended')
    })

    it('sets a cookie that scripts cannot read and other sites do not send', async () => {
      const { text } = await app.issue()
      const plain = (await postSession(app.url, { key: text })).headers.get('set-cookie')!
      assert.match(plain, /^session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
    })

    it('stores only a hash of the secret', async () => {
      const { cookie, account } = await signIn(app, 'editor')
      const [found] = await app.store.sessions.list(account.id, clock(), 0)
      assert.notEqual(found!.session.hash, cookie.split('=')[1])
      assert.equal(JSON.stringify(found).includes(cookie.split('=')[1]!), false)
    })

    const refusals = [
      ['a publishable key', async () => ({ key: (await app.issue({ kind: 'publishable' })).text }), 'invalid_body'],
      ['a mistyped key', async () => ({ key: 'inf_live_x' }), 'mistyped_key'],
      ['no key at all', async () => ({ key: 'hello' }), 'malformed_key'],
      ['an unknown link', async () => ({ token: 'nonsense' }), 'unknown_link'],
      ['nothing', async () => ({}), 'invalid_body'],
      ['two things at once', async () => ({ key: 'a', token: 'b' }), 'invalid_body'],
      ['a passkey that is none', async () => ({ passkey: { id: 'x' } }), 'passkey_refused'],
      [
        'a passkey with a challenge of its own',
        async () => ({
          passkey: { id: 'x', response: { clientDataJSON: Buffer.from('{"challenge":"abc"}').toString('base64url') } },
        }),
        'passkey_refused',
      ],
    ] as const
    for (const [what, body, code] of refusals) {
      it(`refuses ${what}, and sets no cookie`, async () => {
        const response = await postSession(app.url, await body())
        assert.equal(response.headers.get('set-cookie'), null)
        assert.equal((await problemOf(response)).code, code)
      })
    }

    it('refuses a link that was used, and one that has expired, each with its reason', async () => {
      const account = await openMember(app.store, 'editor')
      const link = await issueSignInLink(app.store, app.url, { accountId: account.id }, clock())
      const token = new URL(link.url).searchParams.get('token')
      assert.equal((await postSession(app.url, { token })).status, 201)
      const again = await postSession(app.url, { token })
      assert.equal(again.status, 410)
      assert.equal((await problemOf(again)).code, 'used_link')
      const late = await issueSignInLink(app.store, app.url, { accountId: account.id }, clock() - LINK_VALID_MS)
      const expired = await postSession(app.url, { token: new URL(late.url).searchParams.get('token') })
      assert.equal((await problemOf(expired)).code, 'expired_link')
    })

    it('is for pages of this service: another site signs nobody in', async () => {
      const { text } = await app.issue()
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
      ]) {
        const response = await postSession(app.url, { key: text }, headers as Record<string, string>)
        assert.equal((await problemOf(response)).code, 'cross_origin_request')
      }
    })

    it('works while an old session of the browser has ended', async () => {
      const { cookie, account, send } = await signIn(app, 'editor')
      await send('DELETE', '/v1/sessions/current')
      const link = await issueSignInLink(app.store, app.url, { accountId: account.id }, clock())
      const token = new URL(link.url).searchParams.get('token')
      assert.equal((await postSession(app.url, { token }, { cookie })).status, 201)
    })

    it('again in the same browser ends the session before', async () => {
      const first = await signIn(app, 'editor')
      const link = await issueSignInLink(app.store, app.url, { accountId: first.account.id }, clock())
      const token = new URL(link.url).searchParams.get('token')
      const headers = { cookie: first.cookie, 'sec-fetch-site': 'same-origin' }
      assert.equal((await postSession(app.url, { token }, headers)).status, 201)
      assert.equal((await me(first.cookie)).body.code, 'session_ended')
    })
  })

  describe('a session', () => {
    it('changes things only from the same origin', async () => {
      const { send } = await signIn(app, 'reporter')
      const origin = app.url
      const accepted = [{ 'sec-fetch-site': 'same-origin' }, { origin }]
      for (const headers of accepted)
        assert.equal((await send('POST', '/v1/reports', aReport(), headers as Record<string, string>)).status, 201)
      const refused = [
        {},
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site', origin },
        { 'sec-fetch-site': 'none' },
        { origin: 'null' },
        { origin: `${origin}0` },
        { origin: origin.replace('http:', 'https:') },
      ]
      for (const headers of refused) {
        const response = await send('POST', '/v1/reports', aReport(), headers as Record<string, string>)
        assert.equal((await problemOf(response)).code, 'cross_origin_request', JSON.stringify(headers))
      }
    })

    it('counts for nothing in a reading request of another origin, which gets no CORS credentials', async () => {
      const { send } = await signIn(app, 'admin')
      for (const headers of [{ 'sec-fetch-site': 'same-site' }, { origin: 'http://127.0.0.1:1' }]) {
        const response = await send('GET', '/v1/me', undefined, headers as Record<string, string>)
        assert.equal((await problemOf(response)).code, 'missing_key')
        assert.equal(response.headers.get('access-control-allow-credentials'), null)
      }
      const own = await send('GET', '/v1/me')
      assert.equal(own.status, 200)
      assert.equal(own.headers.get('access-control-allow-origin'), null)
      assert.match(own.headers.get('cache-control')!, /private/)
    })

    it('gives way to a key in the same request', async () => {
      const { cookie } = await signIn(app, 'admin')
      const { text } = await app.issue()
      const response = await app.get('/v1/me', text, { cookie, 'sec-fetch-site': 'cross-site' })
      assert.equal(((await response.json()) as Me).account.role, 'client')
    })

    it('ends after 12 hours without a request', async () => {
      let offset = 0
      await using timed = await startTestApp({}, { clock: () => Date.now() + offset })
      const { cookie, account } = await signIn(timed, 'editor')
      offset = SESSION_IDLE_MS - 1000
      assert.equal((await me(cookie, timed)).status, 200)
      const wasSeen = async () => (await timed.store.sessions.list(account.id, 0, Date.now() + 1000)).length > 0
      await until(wasSeen, 'the use to be stored')
      offset = 2 * SESSION_IDLE_MS - 2000
      assert.equal((await me(cookie, timed)).status, 200)
      offset += SESSION_IDLE_MS + 120_000
      assert.equal((await me(cookie, timed)).body.code, 'session_ended')
    })

    it('ends after 7 days in any case', async () => {
      let offset = 0
      await using timed = await startTestApp({}, { clock: () => Date.now() + offset })
      const { cookie, account } = await signIn(timed, 'editor')
      const [found] = await timed.store.sessions.list(account.id, Date.now(), 0)
      await timed.store.sessions.recordUse(found!.session.id, Date.now() + SESSION_LIFETIME_MS)
      offset = SESSION_LIFETIME_MS - 5000
      assert.equal((await me(cookie, timed)).status, 200)
      offset = SESSION_LIFETIME_MS + 5000
      assert.equal((await me(cookie, timed)).body.code, 'session_ended')
    })

    it('that was stolen is refused after signing out, and its cookie is cleared', async () => {
      const { cookie, send } = await signIn(app, 'editor')
      const out = await send('DELETE', '/v1/sessions/current')
      assert.equal(out.status, 204)
      assert.match(out.headers.get('set-cookie')!, /^session=; Max-Age=0/)
      const stolen = await sendByCookie(app.url, cookie, 'GET', '/v1/me')
      assert.match(stolen.headers.get('set-cookie')!, /^session=; Max-Age=0/)
      assert.equal((await problemOf(stolen)).code, 'session_ended')
      assert.equal((await send('DELETE', '/v1/sessions/current')).status, 204)
    })

    it('is listed and can be ended by its account only', async () => {
      const first = await signIn(app, 'editor')
      const second = await signIn(app, 'editor', first.account)
      const other = await signIn(app, 'editor')
      const list = (await (await first.send('GET', '/v1/sessions')).json()) as {
        data: { id: string; current: boolean }[]
      }
      assert.equal(list.data.length, 2)
      assert.equal(list.data.filter(({ current }) => current).length, 1)
      const id = list.data.find(({ current }) => !current)!.id
      assert.equal((await problemOf(await other.send('DELETE', `/v1/sessions/${id}`))).code, 'not_found')
      assert.equal((await first.send('DELETE', `/v1/sessions/${id}`)).status, 204)
      assert.equal((await me(second.cookie)).body.code, 'session_ended')
      assert.equal((await me(first.cookie)).status, 200)
    })

    it('signs out everywhere', async () => {
      const first = await signIn(app, 'editor')
      const second = await signIn(app, 'editor', first.account)
      assert.equal((await first.send('DELETE', '/v1/sessions')).status, 204)
      for (const { cookie } of [first, second]) assert.equal((await me(cookie)).body.code, 'session_ended')
    })

    it('cannot be ended with a key of fewer scopes', async () => {
      const { account, send } = await signIn(app, 'editor')
      const issued = await addKey(() => app.store, account.id, { scopes: ['watch'] }, keyCap(20), clock())
      assert.ok(typeof issued !== 'string')
      const refused = await app.delete('/v1/sessions', issued.text)
      assert.equal((await problemOf(refused)).code, 'insufficient_scope')
      assert.equal((await send('GET', '/v1/me')).status, 200)
    })

    it('ends when its account is blocked', async () => {
      const { cookie, account } = await signIn(app, 'editor')
      const admin = await signIn(app, 'admin')
      assert.equal((await admin.send('PATCH', `/v1/admin/accounts/${account.id}`, { status: 'blocked' })).status, 200)
      assert.equal((await me(cookie)).body.code, 'account_blocked')
    })

    it('closes its streams when it ends', async () => {
      const { cookie, send } = await signIn(app, 'editor')
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const stream = await fetch(`${app.url}/v1/stream`, { headers })
      assert.equal(stream.status, 200)
      await send('DELETE', '/v1/sessions/current')
      for await (const _chunk of stream.body!);
      assert.equal((await problemOf(await fetch(`${app.url}/v1/stream`, { headers }))).code, 'session_ended')
    })

    it('of a reporter reports, sees its own reports, and cannot confirm them', async () => {
      const { send } = await signIn(app, 'reporter')
      const filed = (await (await send('POST', '/v1/reports', aReport())).json()) as { data: { id: string }[] }
      const own = (await (await send('GET', '/v1/reports')).json()) as { data: { id: string }[] }
      assert.equal(own.data.length, 1)
      const id = own.data[0]!.id
      assert.ok(JSON.stringify(filed).includes(id))
      const refused = await send('POST', `/v1/desk/incidents/${id}/confirm`, {})
      const problem = await problemOf(refused)
      assert.equal(problem.code, 'insufficient_scope')
      assert.match(problem.detail, /signed in as reporter/)
    })

    it('makes keys that outlive it', async () => {
      const { send } = await signIn(app, 'editor')
      const response = await send('POST', '/v1/keys', { name: 'program' })
      assert.equal(response.status, 201)
      assert.equal(((await response.json()) as { expires_at: string | null }).expires_at, null)
    })

    it('counts for the usage of its account', async () => {
      const { send } = await signIn(app, 'editor')
      await send('GET', '/v1/me')
      const { usage } = (await (await send('GET', '/v1/me')).json()) as { usage: { requests: number } }
      assert.equal(usage.requests, 2)
    })

    it('of an account is at most one of 50: the one unused for longest ends', async () => {
      const first = await signIn(app, 'client')
      for (let number = 0; number < 50; number++) await signIn(app, 'client', first.account)
      assert.equal((await me(first.cookie)).body.code, 'session_ended')
      assert.equal((await app.store.sessions.list(first.account.id, clock(), 0)).length, 50)
    })
  })

  describe('under https', () => {
    it('the cookie has the prefix __Host- and is Secure', async () => {
      await using secure = await startTestApp({ PUBLIC_URL: 'https://feed.example' })
      const { text } = await secure.issue({ scopes: ['read', 'watch', 'report'] })
      const response = await postSession(secure.url, { key: text }, { origin: 'https://feed.example' })
      const cookie = response.headers.get('set-cookie')!
      assert.match(cookie, /^__Host-session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
      const send = (origin: string) =>
        sendByCookie(secure.url, cookieOf(response)!, 'POST', '/v1/reports', aReport(), { origin })
      assert.equal((await send('https://feed.example')).status, 201)
      assert.equal((await send('http://feed.example')).status, 403)
    })
  })
})

describe('passkeys', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp({ PUBLIC_URL: 'http://localhost:1' })
  })
  after(() => app[Symbol.asyncDispose]())

  const ORIGIN = 'http://localhost:1'

  async function challengeFor({ send }: Pick<SignedIn, 'send'>, purpose: 'registration' | 'sign_in'): Promise<string> {
    const response = await send('POST', '/v1/passkeys/options', { for: purpose })
    assert.equal(response.status, 200)
    return ((await response.json()) as { challenge: string }).challenge
  }

  async function signInChallenge(): Promise<string> {
    const response = await app.post('/v1/passkeys/options', { for: 'sign_in' }, null)
    return ((await response.json()) as { challenge: string }).challenge
  }

  async function addPasskey(
    person: SignedIn,
    passkey = new SoftwarePasskey(ORIGIN),
  ): Promise<[SoftwarePasskey, string]> {
    const credential = passkey.register(await challengeFor(person, 'registration'))
    const added = await person.send('POST', '/v1/passkeys', { name: 'Laptop', credential })
    assert.equal(added.status, 201)
    return [passkey, ((await added.json()) as { id: string }).id]
  }

  describe('a passkey', () => {
    it('is added, listed, signs in with the scopes of the role, and is removed with its sessions', async () => {
      const person = await signIn(app, 'editor')
      const [passkey, id] = await addPasskey(person)
      const opened = await postSession(app.url, { passkey: passkey.signIn(await signInChallenge()) })
      assert.equal(opened.status, 201)
      const { scopes, session } = (await opened.json()) as { scopes: string[]; session: { method: string } }
      assert.deepEqual(scopes, ['read', 'watch', 'report', 'review'])
      assert.equal(session.method, 'passkey')
      const list = (await (await person.send('GET', '/v1/passkeys')).json()) as { data: { id: string; name: string }[] }
      assert.deepEqual(
        list.data.map((one) => [one.id, one.name]),
        [[id, 'Laptop']],
      )
      assert.equal((await person.send('DELETE', `/v1/passkeys/${id}`)).status, 204)
      const after = await app.get('/v1/me', null, { cookie: cookieOf(opened)! })
      assert.equal((await problemOf(after)).code, 'session_ended')
      const again = await postSession(app.url, { passkey: passkey.signIn(await signInChallenge()) })
      assert.equal((await problemOf(again)).code, 'passkey_refused')
    })

    it('with a NUL in its id is refused, though its challenge is ours', async () => {
      const passkey = { ...new SoftwarePasskey(ORIGIN).signIn(await signInChallenge()), id: 'x\0' }
      const problem = await problemOf(await postSession(app.url, { passkey }))
      assert.deepEqual([problem.status, problem.errors?.[0]?.pointer], [422, '/passkey/id'])
    })

    it('answers a challenge once, and only one that was asked for this purpose', async () => {
      const person = await signIn(app, 'editor')
      const [passkey] = await addPasskey(person)
      const challenge = await signInChallenge()
      assert.equal((await postSession(app.url, { passkey: passkey.signIn(challenge) })).status, 201)
      const replayed = await postSession(app.url, { passkey: passkey.signIn(challenge) })
      assert.match((await problemOf(replayed)).detail, /answered before, or too late/)
      const forRegistration = await challengeFor(person, 'registration')
      const crossed = await postSession(app.url, { passkey: passkey.signIn(forRegistration) })
      assert.equal((await problemOf(crossed)).code, 'passkey_refused')
    })

    it('of another person cannot be added with their challenge', async () => {
      const [one, other] = [await signIn(app, 'editor'), await signIn(app, 'editor')]
      const credential = new SoftwarePasskey(ORIGIN).register(await challengeFor(one, 'registration'))
      assert.equal((await problemOf(await other.send('POST', '/v1/passkeys', { credential }))).code, 'passkey_refused')
    })

    it('that another site asked for is refused', async () => {
      const person = await signIn(app, 'editor')
      const [passkey] = await addPasskey(person)
      const phished = Object.assign(new SoftwarePasskey('https://evil.example'), { id: passkey.id })
      const response = await postSession(app.url, { passkey: phished.signIn(await signInChallenge()) })
      assert.match((await problemOf(response)).detail, /origin/i)
    })

    it('whose signature is by another key, or whose person was not verified, is refused', async () => {
      const person = await signIn(app, 'editor')
      const [passkey] = await addPasskey(person)
      const forged = Object.assign(new SoftwarePasskey(ORIGIN), { id: passkey.id })
      const response = await postSession(app.url, { passkey: forged.signIn(await signInChallenge()) })
      assert.match((await problemOf(response)).detail, /signature/)
      const unverified = await postSession(app.url, { passkey: passkey.signIn(await signInChallenge(), 0x01) })
      assert.equal((await problemOf(unverified)).code, 'passkey_refused')
    })

    it('whose counter goes back is a copy', async () => {
      const person = await signIn(app, 'editor')
      const [passkey] = await addPasskey(person)
      passkey.counter = 5
      assert.equal((await postSession(app.url, { passkey: passkey.signIn(await signInChallenge()) })).status, 201)
      passkey.counter = 4
      const copy = await postSession(app.url, { passkey: passkey.signIn(await signInChallenge()) })
      assert.equal((await problemOf(copy)).code, 'passkey_refused')
    })

    it('with a certificate is refused before anything named in it could be fetched', async () => {
      const person = await signIn(app, 'editor')
      // { alg: -7, sig: h'00', x5c: [h'00'] }
      const statement = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text('alg'), Buffer.from([0x26]), text('sig'), bytes(Buffer.alloc(1))],
        ...[text('x5c'), Buffer.from([0x81]), bytes(Buffer.alloc(1))],
      ])
      for (const format of ['packed', 'tpm', 'android-key']) {
        const passkey = new SoftwarePasskey(ORIGIN)
        const credential = passkey.register(await challengeFor(person, 'registration'), format, statement)
        const refused = await person.send('POST', '/v1/passkeys', { credential })
        assert.match((await problemOf(refused)).detail, /has certificates/)
      }
    })

    it('needs somebody who is signed in, and an answer that can be read', async () => {
      const anonymous = await app.post('/v1/passkeys/options', { for: 'registration' }, null)
      assert.equal((await problemOf(anonymous)).code, 'missing_key')
      const person = await signIn(app, 'client')
      for (const credential of [{ id: 'x' }, { id: 'x', response: { clientDataJSON: '!!!' } }])
        assert.equal(
          (await problemOf(await person.send('POST', '/v1/passkeys', { credential }))).code,
          'passkey_refused',
        )
      const broken = { ...new SoftwarePasskey(ORIGIN).register(await challengeFor(person, 'registration')) }
      const credential = { ...broken, response: { ...broken.response, attestationObject: 'AAAA' } }
      assert.equal((await problemOf(await person.send('POST', '/v1/passkeys', { credential }))).code, 'passkey_refused')
    })

    it('is one of at most ten', async () => {
      const person = await signIn(app, 'editor')
      for (let number = 0; number < 10; number++) await addPasskey(person)
      const credential = new SoftwarePasskey(ORIGIN).register(await challengeFor(person, 'registration'))
      assert.equal(
        (await problemOf(await person.send('POST', '/v1/passkeys', { credential }))).code,
        'too_many_passkeys',
      )
    })

    it('goes when its account gets a higher role: a lesser key may have added it', async () => {
      const person = await signIn(app, 'client')
      const [passkey] = await addPasskey(person)
      const admin = await signIn(app, 'admin')
      const raised = await admin.send('PATCH', `/v1/admin/accounts/${person.account.id}`, { role: 'editor' })
      assert.equal(raised.status, 200)
      const response = await postSession(app.url, { passkey: passkey.signIn(await signInChallenge()) })
      assert.equal((await problemOf(response)).code, 'passkey_refused')
    })
  })

  it('a key with fewer scopes than its role adds no passkey', async () => {
    const { key, text: full } = await app.issue({ scopes: ['read', 'watch', 'report', 'review'] })
    const created = await app.post('/v1/keys', { scopes: ['read', 'watch'] }, full)
    const { key: lesser } = (await created.json()) as { key: string }
    const refused = await app.post('/v1/passkeys/options', { for: 'registration' }, lesser)
    assert.equal((await problemOf(refused)).code, 'insufficient_scope')
    assert.equal((await app.post('/v1/passkeys/options', { for: 'registration' }, full)).status, 200)
    assert.deepEqual(await app.store.passkeys.list(key.accountId), [])
  })
})

describe('page origin', () => {
  test('the origin is that of PUBLIC_URL, else of the request as browsers write it', () => {
    const request = { protocol: 'http', host: 'desk.example.org:80' } as const
    assert.equal(pageOrigin(request, 'https://incidents.example.org/'), 'https://incidents.example.org')
    assert.equal(pageOrigin(request, null), 'http://desk.example.org')
  })

  for (const host of ['"><script>', 'a b', '[::'])
    test(`the host ${host} is an error of the client`, () => {
      assert.throws(
        () => pageOrigin({ protocol: 'http', host }, null),
        (error) => error instanceof Problem && error.code === 'malformed_request',
      )
    })
})

describe('mailed link', () => {
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
})
