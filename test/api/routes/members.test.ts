import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addKey, keyCap } from '../../../src/accounts/keys.ts'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'
import { cookieOf, postSession, sendByCookie, signIn } from '../../support/sign-in.ts'

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
