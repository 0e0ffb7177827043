import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addKey, keyCap } from '../../../../src/accounts/keys.ts'
import { issueSignInLink, LINK_VALID_MS } from '../../../../src/accounts/sign-in.ts'
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '../../../../src/domain/accounts.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { aReport } from '../../../support/incident.ts'
import { cookieOf, openMember, postSession, sendByCookie, signIn } from '../../../support/sign-in.ts'

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
    const link = await issueSignInLink(app.store, app.url, account.id, { mailed: false }, clock())
    const token = new URL(link.url).searchParams.get('token')
    assert.equal((await postSession(app.url, { token })).status, 201)
    const again = await postSession(app.url, { token })
    assert.equal(again.status, 410)
    assert.equal((await problemOf(again)).code, 'used_link')
    const late = await issueSignInLink(app.store, app.url, account.id, { mailed: false }, clock() - LINK_VALID_MS)
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
    const link = await issueSignInLink(app.store, app.url, account.id, { mailed: false }, clock())
    const token = new URL(link.url).searchParams.get('token')
    assert.equal((await postSession(app.url, { token }, { cookie })).status, 201)
  })

  it('again in the same browser ends the session before', async () => {
    const first = await signIn(app, 'editor')
    const link = await issueSignInLink(app.store, app.url, first.account.id, { mailed: false }, clock())
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
