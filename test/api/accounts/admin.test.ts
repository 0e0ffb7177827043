import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { addKey, keyCap } from '../../../src/accounts/keys.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { aReport } from '../../support/incident.ts'
import { readStream } from '../../support/readers.ts'
import { cookieOf, postSession, sendByCookie, signIn } from '../../support/sign-in.ts'

describe('admin', () => {
  let app: TestApp
  let admin: string
  let adminAccount: string
  before(async () => {
    app = await startTestApp()
    const issued = await app.issue({ scopes: ['read', 'watch', 'operate'] })
    admin = issued.text
    adminAccount = issued.key.accountId
  })
  after(() => app[Symbol.asyncDispose]())

  const OPERATOR = { scopes: ['read', 'watch', 'operate'] } as const
  const change = (id: string, body: object, key = admin) => app.patch(`/v1/admin/accounts/${id}`, body, key, null)
  const read = async <Body>(path: string) => (await (await app.get(path, admin)).json()) as Body

  test('only an admin sees accounts', async () => {
    const { text } = await app.issue({ scopes: ['read', 'watch', 'report', 'review'] })
    for (const path of ['/v1/admin/accounts', `/v1/admin/accounts/${adminAccount}`, '/v1/admin/keys'])
      assert.equal((await problemOf(await app.get(path, text))).code, 'insufficient_scope')
    assert.equal((await problemOf(await change(adminAccount, { role: 'client' }, text))).code, 'insufficient_scope')
  })

  test('accounts are listed in pages, by address, role and status', async () => {
    await app.post('/v1/keys', { email: 'Listed@Example.org' }, null)
    interface Page {
      data: { id: string; email: string; role: string }[]
      has_more: boolean
      next_cursor: string
    }
    const found = await read<Page>('/v1/admin/accounts?email=listed@example.ORG&role=client&status=active')
    assert.deepEqual(
      found.data.map(({ email }) => email),
      ['listed@example.org'],
    )
    const first = await read<Page>('/v1/admin/accounts?limit=1')
    const second = await read<Page>(`/v1/admin/accounts?limit=1&cursor=${first.next_cursor}`)
    assert.ok(first.has_more && first.data[0]!.id > second.data[0]!.id)
    assert.equal((await problemOf(await app.get('/v1/admin/accounts?role=king', admin))).code, 'invalid_parameter')
  })

  test('a blocked account stops at once: keys, streams and watches', async () => {
    const { key, text } = await app.issue()
    await using stream = await readStream(`${app.url}/v1/stream`, text)
    assert.equal((await change(key.accountId, { status: 'blocked' })).status, 200)
    const refused = await app.get('/v1/me', text)
    assert.deepEqual([refused.status, (await problemOf(refused)).code], [403, 'account_blocked'])
    await stream.ended
    assert.equal((await change(key.accountId, { status: 'active' })).status, 200)
    assert.equal((await app.get('/v1/me', text)).status, 200)
  })

  test('limits of one account are set, shown and taken back', async () => {
    const { key, text } = await app.issue()
    const limits = { requests_per_minute: 7, keys: 1 }
    const changed = (await (await change(key.accountId, { limits })).json()) as { limits: object }
    assert.deepEqual(changed.limits, limits)
    assert.equal((await app.get('/v1/me', text)).headers.get('ratelimit-policy'), '"minute";q=7;w=60')
    assert.equal((await problemOf(await app.post('/v1/keys', {}, text))).code, 'too_many_keys')
    const back = (await (await change(key.accountId, { limits: { keys: null } })).json()) as { limits: object }
    assert.deepEqual(back.limits, { requests_per_minute: 7 })
    assert.equal((await problemOf(await change(key.accountId, { limits: { karma: 1 } }))).code, 'invalid_body')
  })

  test('the last admin can neither be blocked nor demoted', async () => {
    await using app = await startTestApp()
    const { key, text } = await app.issue(OPERATOR)
    const change = (id: string, body: object) => app.patch(`/v1/admin/accounts/${id}`, body, text, null)
    for (const body of [{ status: 'blocked' }, { role: 'editor' }])
      assert.equal((await problemOf(await change(key.accountId, body))).code, 'last_admin')
    const second = await app.issue(OPERATOR)
    assert.equal((await change(second.key.accountId, { role: 'editor' })).status, 200)
    assert.equal((await problemOf(await change(key.accountId, { status: 'blocked' }))).code, 'last_admin')
  })

  test('an admin issues a key for an account, with no more than its role', async () => {
    const { key } = await app.issue()
    const path = `/v1/admin/accounts/${key.accountId}/keys`
    const issued = (await (await app.post(path, {}, admin)).json()) as {
      key: string
      scopes: string[]
      account_id: string
    }
    assert.deepEqual([issued.account_id, issued.scopes], [key.accountId, ['read', 'watch']])
    assert.equal((await app.get('/v1/me', issued.key)).status, 200)
    const refused = await problemOf(await app.post(path, { scopes: ['review'] }, admin))
    assert.deepEqual([refused.code, refused.errors?.[0]?.pointer], ['invalid_body', '/scopes'])
    assert.equal((await problemOf(await app.post('/v1/admin/accounts/acc_x/keys', {}, admin))).code, 'not_found')
  })

  test('an admin lists and revokes any key', async () => {
    const { key, text } = await app.issue()
    const { data } = await read<{ data: { id: string; account_id: string }[] }>(
      `/v1/admin/keys?account=${key.accountId}`,
    )
    assert.deepEqual(
      data.map(({ id, account_id }) => [id, account_id]),
      [[key.id, key.accountId]],
    )
    assert.equal((await app.delete(`/v1/admin/keys/${key.id}`, admin)).status, 200)
    assert.equal((await problemOf(await app.get('/v1/me', text))).code, 'revoked_key')
    assert.equal((await problemOf(await app.get('/v1/admin/keys/key_x', admin))).code, 'not_found')
  })

  test('a reporter files reports and sees its own only, and no unpublished report of others', async () => {
    const reporter = await app.issue({ scopes: ['read', 'watch', 'report'] })
    const other = await app.issue({ scopes: ['read', 'watch', 'report'] })
    const first = (await (await app.post('/v1/reports', aReport(), other.text)).json()) as { id: string }
    const filed = await app.post('/v1/reports', aReport(), reporter.text)
    const own = (await filed.json()) as { id: string; desk: { possible_duplicates: object[] } }
    assert.equal(filed.status, 201)
    assert.deepEqual(own.desk.possible_duplicates, [])
    const desk = await read<{ desk: { possible_duplicates: { id: string }[] } }>(`/v1/desk/incidents/${own.id}`)
    assert.ok(desk.desk.possible_duplicates.some(({ id }) => id === first.id))
    const list = (await (await app.get('/v1/reports', reporter.text)).json()) as { data: { id: string }[] }
    assert.deepEqual(
      list.data.map(({ id }) => id),
      [own.id],
    )
    assert.equal((await app.get(`/v1/reports/${own.id}`, reporter.text)).status, 200)
    assert.equal((await problemOf(await app.get(`/v1/reports/${first.id}`, reporter.text))).code, 'not_found')
    assert.equal((await problemOf(await app.get('/v1/desk/incidents', reporter.text))).code, 'insufficient_scope')
    const confirm = await app.post(`/v1/desk/incidents/${own.id}/confirm`, '', reporter.text)
    assert.equal((await problemOf(confirm)).code, 'insufficient_scope')
  })

  test('usage is visible to the admin', async () => {
    const { key, text } = await app.issue()
    for (let count = 0; count < 3; count++) await app.get('/v1/me', text)
    interface Shown {
      requests_last_30_days: number
      usage: { days: { requests: number }[] }
    }
    await until(async () => (await read<Shown>(`/v1/admin/accounts/${key.accountId}`)).requests_last_30_days === 3)
    const shown = await read<Shown>(`/v1/admin/accounts/${key.accountId}`)
    assert.equal(shown.usage.days.at(-1)!.requests, 3)
  })
})

describe('members', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
  })
  after(() => app[Symbol.asyncDispose]())

  const invitation = (email: string, role = 'editor') => ({ email, name: 'Efe Musa', role })
  const tokenOf = (url: string) => new URL(url).searchParams.get('token')

  interface Invited {
    account: { id: string; role: string; name: string; email_verified: boolean }
    invitation: { url: string | null; mailed: boolean }
  }

  describe('an admin', () => {
    it('invites a person, who signs in with the link, once', async () => {
      const admin = await signIn(app, 'admin')
      const response = await admin.send('POST', '/v1/admin/accounts', invitation('efe@example.org'))
      assert.equal(response.status, 201)
      const { account, invitation: link } = (await response.json()) as Invited
      assert.deepEqual([account.role, account.name, account.email_verified], ['editor', 'Efe Musa', false])
      assert.equal(link.mailed, false)
      const opened = await postSession(app.url, { token: tokenOf(link.url!) })
      assert.equal(opened.status, 201)
      assert.equal((await postSession(app.url, { token: tokenOf(link.url!) })).status, 410)
      const again = await admin.send('POST', '/v1/admin/accounts', invitation('EFE@example.org', 'reporter'))
      const problem = await problemOf(again)
      assert.equal(problem.code, 'account_exists')
      assert.ok(problem.detail.includes(account.id))
    })

    it('gives a way in to a person who lost theirs, renames and blocks people', async () => {
      const admin = await signIn(app, 'admin')
      const editor = await signIn(app, 'editor')
      const path = `/v1/admin/accounts/${editor.account.id}`
      const link = (await (await admin.send('POST', `${path}/sign-in-link`)).json()) as { url: string }
      assert.equal((await postSession(app.url, { token: tokenOf(link.url) })).status, 201)
      const renamed = (await (await admin.send('PATCH', path, { name: 'Efe' })).json()) as { name: string }
      assert.equal(renamed.name, 'Efe')
      await admin.send('PATCH', path, { status: 'blocked' })
      const later = (await (await admin.send('POST', `${path}/sign-in-link`)).json()) as { url: string }
      const refused = await postSession(app.url, { token: tokenOf(later.url) })
      assert.equal((await problemOf(refused)).code, 'account_blocked')
    })

    it('cannot be demoted or blocked by themselves while nobody else can sign in', async () => {
      await using alone = await startTestApp()
      const admin = await signIn(alone, 'admin')
      const path = `/v1/admin/accounts/${admin.account.id}`
      for (const change of [{ role: 'editor' }, { status: 'blocked' }])
        assert.equal((await problemOf(await admin.send('PATCH', path, change))).code, 'last_admin')
      assert.equal((await admin.send('GET', '/v1/me')).status, 200)
    })

    it('changes a role at once, in open sessions too', async () => {
      const admin = await signIn(app, 'admin')
      const editor = await signIn(app, 'editor')
      assert.equal((await editor.send('GET', '/v1/desk/incidents')).status, 200)
      await admin.send('PATCH', `/v1/admin/accounts/${editor.account.id}`, { role: 'reporter' })
      assert.equal((await problemOf(await editor.send('GET', '/v1/desk/incidents'))).code, 'insufficient_scope')
    })

    it('gets a clear answer to a wrong invitation', async () => {
      const admin = await signIn(app, 'admin')
      for (const body of [
        {},
        { ...invitation('no address') },
        { ...invitation('a@example.org'), role: 'king' },
        { ...invitation('a@example.org'), name: 'a\u0000b' },
        { ...invitation('a@example.org'), name: '' },
        { ...invitation('a@example.org'), limits: {} },
      ])
        assert.equal((await problemOf(await admin.send('POST', '/v1/admin/accounts', body))).code, 'invalid_body')
    })
  })

  it('what people do with accounts and sessions is in the audit log', async () => {
    const admin = await signIn(app, 'admin')
    const response = await admin.send('POST', '/v1/admin/accounts', invitation('audited@example.org'))
    const { account, invitation: link } = (await response.json()) as Invited
    const opened = await postSession(app.url, { token: tokenOf(link.url!) })
    await sendByCookie(app.url, cookieOf(opened)!, 'DELETE', '/v1/sessions/current')
    await admin.send('POST', `/v1/admin/accounts/${account.id}/sign-in-link`)
    interface Entry {
      action: string
      subject: string
      by: { account_id: string }
    }
    const { data } = (await (await admin.send('GET', '/v1/admin/audit')).json()) as { data: Entry[] }
    const acts = data.filter(({ subject, by }) => subject === account.id || by.account_id === account.id)
    assert.deepEqual(
      acts.map(({ action, by }) => [action, by.account_id === account.id ? 'the invited' : 'the admin']),
      [
        ['account.sign_in_link', 'the admin'],
        ['session.end', 'the invited'],
        ['session.create', 'the invited'],
        ['account.create', 'the admin'],
      ],
    )
  })

  describe('nobody else', () => {
    for (const role of ['client', 'reporter', 'editor'] as const)
      it(`makes an admin: not a ${role}`, async () => {
        const person = await signIn(app, role)
        const own = `/v1/admin/accounts/${person.account.id}`
        const attempts = [
          await person.send('POST', '/v1/admin/accounts', invitation(`${role}-friend@example.org`, 'admin')),
          await person.send('PATCH', own, { role: 'admin' }),
          await person.send('POST', `${own}/sign-in-link`),
          await person.send('POST', '/v1/keys', { scopes: ['admin'] }),
        ]
        for (const attempt of attempts) assert.equal((await problemOf(attempt)).code, 'insufficient_scope')
        assert.equal((await app.store.accounts.find(person.account.id))!.role, role)
      })

    it('gives a role whose scopes they lack, even with the scope admin', async () => {
      const admin = await signIn(app, 'admin')
      const issued = await addKey(() => app.store, admin.account.id, { scopes: ['admin'] }, keyCap(20), Date.now())
      assert.ok(typeof issued !== 'string')
      const opened = await postSession(app.url, { key: issued.text })
      assert.equal(opened.status, 201)
      const invited = await app.post('/v1/admin/accounts', invitation('x@example.org'), issued.text)
      assert.equal((await problemOf(invited)).code, 'insufficient_scope')
      const client = await signIn(app, 'client')
      const raised = await app.patch(`/v1/admin/accounts/${client.account.id}`, { role: 'admin' }, issued.text, null)
      assert.equal((await problemOf(raised)).code, 'insufficient_scope')
      const link = await app.post(`/v1/admin/accounts/${admin.account.id}/sign-in-link`, '', issued.text)
      assert.equal((await problemOf(link)).code, 'insufficient_scope')
    })
  })
})
