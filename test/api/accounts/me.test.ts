import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addKey, type IssuedKey, keyCap, openAccount } from '../../../src/accounts/keys.ts'
import type { Scope } from '../../../src/domain/keys.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { readListening, readStream } from '../../support/readers.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'
import { cookieOf, postSession, sendByCookie, signIn } from '../../support/sign-in.ts'

interface Me {
  account: { id: string; name: string | null; email: string | null }
  quotas: Record<string, { limit: number; used: number; window_seconds: number | null }>
}

const CIRCLE = { lat: 10, lng: 7.4, radius_km: 30 }
const EVERYTHING = { accountId: null, incidentId: null, from: null, to: null }

let app: TestApp
let endpoint: TestEndpoint
before(async () => {
  endpoint = await startEndpoint()
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', SIGNUPS_PER_HOUR: '1000', AREAS_PER_ACCOUNT: '7' })
  await app.publish([anIncident(1), anIncident(2)])
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

let people = 0
/** A new account with an address of its own. */
async function aPerson(name: string | null = 'Ada Obi'): Promise<IssuedKey & { readonly email: string }> {
  const email = `Person${++people}@Example.org`
  return { ...(await openAccount(app.store, { email, name }, {}, Date.now())), email }
}
async function keyWith({ key }: IssuedKey, scopes: readonly Scope[], kind: 'live' | 'publishable' = 'live') {
  const added = await addKey(() => app.store, key.accountId, { scopes, kind }, keyCap(20), Date.now())
  assert.ok(typeof added === 'object')
  return added
}
const meOf = async (key: string) => (await (await app.get('/v1/me', key)).json()) as Me
const created = async (path: string, body: unknown, key: string) => {
  const response = await app.post(path, body, key)
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as { id: string }
}

describe('GET /v1/me', () => {
  it('shows the areas used and their limit', async () => {
    const { text } = await aPerson()
    assert.deepEqual((await meOf(text)).quotas.areas, { limit: 7, used: 0, window_seconds: null })
    await created('/v1/areas', { name: 'Kaduna', circle: CIRCLE }, text)
    assert.deepEqual((await meOf(text)).quotas.areas, { limit: 7, used: 1, window_seconds: null })
  })

  it('shows a limit of areas that an admin has set, and it holds', async () => {
    const { key, text } = await aPerson()
    const { text: admin } = await app.issue({ scopes: ['read', 'operate'] })
    const changed = await app.patch(`/v1/admin/accounts/${key.accountId}`, { limits: { areas: 1 } }, admin, null)
    assert.equal(changed.status, 200)
    await created('/v1/areas', { name: 'One', circle: CIRCLE }, text)
    const refused = await problemOf(await app.post('/v1/areas', { name: 'Two', circle: CIRCLE }, text))
    assert.deepEqual([refused.code, /may have 1 areas/.test(refused.detail)], ['too_many_areas', true])
    assert.equal((await meOf(text)).quotas.areas!.limit, 1)
  })
})

describe('PATCH /v1/me', () => {
  it('changes the name, and takes it away, on record', async () => {
    const { key, text } = await aPerson()
    const changed = await app.patch('/v1/me', { name: 'Adaeze Obi' }, text, null)
    assert.equal(changed.status, 200)
    assert.equal(((await changed.json()) as Me['account']).name, 'Adaeze Obi')
    assert.equal((await meOf(text)).account.name, 'Adaeze Obi')
    assert.equal((await app.patch('/v1/me', { name: 'Adaeze Obi' }, text, null)).status, 200)
    assert.equal((await app.patch('/v1/me', { name: null }, text, null)).status, 200)
    assert.equal((await meOf(text)).account.name, null)
    const entries = await app.store.audit.list({ ...EVERYTHING, accountId: key.accountId }, null, 10)
    assert.deepEqual(
      entries.map(({ action, before, after }) => [action, before, after]),
      [
        ['account.change', { name: 'Adaeze Obi' }, { name: null }],
        ['account.change', { name: 'Ada Obi' }, { name: 'Adaeze Obi' }],
      ],
    )
  })

  const wrong = [{}, { name: '' }, { name: '   ' }, { name: 'a\u0000b' }, { name: 'x'.repeat(101) }, { role: 'admin' }]
  for (const body of wrong)
    it(`refuses ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const { text } = await aPerson()
      assert.equal((await problemOf(await app.patch('/v1/me', body, text, null))).code, 'invalid_body')
      assert.equal((await meOf(text)).account.name, 'Ada Obi')
    })

  it('is for keys with watch: a read key and a publishable one are refused', async () => {
    const person = await aPerson()
    for (const weak of [await keyWith(person, ['read']), await keyWith(person, ['read'], 'publishable')])
      assert.equal(
        (await problemOf(await app.patch('/v1/me', { name: 'Eve' }, weak.text, null))).code,
        'insufficient_scope',
      )
  })

  it('leaves the names of members to admins: nobody takes the name of a colleague', async () => {
    const editor = await signIn(app, 'editor')
    const refused = await problemOf(await editor.send('PATCH', '/v1/me', { name: 'The admin' }))
    assert.deepEqual([refused.code, /an admin changes the name/.test(refused.detail)], ['insufficient_scope', true])
    const admin = await signIn(app, 'admin')
    assert.equal((await admin.send('PATCH', '/v1/me', { name: 'Chief' })).status, 200)
  })
})

describe('DELETE /v1/me', () => {
  it('deletes what belongs to the account, and its keys work no more', async () => {
    const person = await aPerson()
    const { key, text, email } = person
    const second = await keyWith(person, ['read', 'watch'])
    const publishable = await keyWith(person, ['read'], 'publishable')
    const area = await created('/v1/areas', { name: 'Kaduna', circle: CIRCLE }, text)
    const filter = { area: area.id }
    await created('/v1/watches', { name: 'One', url: endpoint.url, filter, headers: { 'x-token': 'secret' } }, text)
    const answer = await app.delete('/v1/me', text, { confirm: email.toLowerCase() })
    assert.deepEqual([answer.status, await answer.text()], [204, ''])
    for (const each of [text, second.text, publishable.text])
      assert.equal((await problemOf(await app.get('/v1/me', each))).code, 'revoked_key')
    const tombstone = (await app.store.accounts.find(key.accountId))!
    assert.deepEqual(
      [tombstone.status, tombstone.email, tombstone.name, tombstone.emailVerifiedAt],
      ['deleted', null, null, null],
    )
    assert.equal(await app.store.accounts.countWatches(key.accountId), 0)
    assert.equal(await app.store.areas.count(key.accountId), 0)
    const again = await problemOf(await app.delete('/v1/me', text, { confirm: email }))
    assert.deepEqual([again.status, again.code], [401, 'revoked_key'])
  })

  it('is on record without the name', async () => {
    const { key, text, email } = await aPerson()
    await app.patch('/v1/me', { name: 'Ada Nwosu' }, text, null)
    await app.delete('/v1/me', text, { confirm: email })
    const entries = await app.store.audit.list({ ...EVERYTHING, accountId: key.accountId }, null, 10)
    assert.deepEqual(
      entries.map(({ by, action, subject, before, after }) => [by.name, action, subject, before, after]),
      [
        ['deleted account', 'account.delete', key.accountId, { status: 'active' }, { status: 'deleted' }],
        ['deleted account', 'account.change', key.accountId, {}, {}],
      ],
    )
  })

  it('lets the same address sign up again, as another account', async () => {
    const { key, text, email } = await aPerson()
    await app.delete('/v1/me', text, { confirm: email })
    const response = await app.post('/v1/keys', { email }, null)
    assert.equal(response.status, 201, await response.clone().text())
    const { key: fresh } = (await response.json()) as { key: string }
    const me = await meOf(fresh)
    assert.equal(me.account.email, email.toLowerCase())
    assert.notEqual(me.account.id, key.accountId)
    assert.deepEqual([me.quotas.watches!.used, me.quotas.areas!.used], [0, 0])
  })

  it('needs the address of the account, and says so', async () => {
    const { text } = await aPerson()
    for (const confirm of ['yes', 'Ada Obi', 'person@example.org', '']) {
      const refused = await problemOf(await app.delete('/v1/me', text, { confirm }))
      assert.deepEqual([refused.status, refused.code, refused.errors![0]!.pointer], [422, 'invalid_body', '/confirm'])
    }
    const missing = await problemOf(await app.delete('/v1/me', text, {}))
    assert.equal(missing.code, 'invalid_body')
    const wrong = await problemOf(await app.delete('/v1/me', text, { confirm: 'yes' }))
    assert.match(String(wrong.errors![0]!.message), /must be the e-mail address of the account/)
    assert.equal((await app.get('/v1/me', text)).status, 200)
  })

  it('takes the name of an account without an address, and the id of one without both', async () => {
    const named = await openAccount(app.store, { email: null, name: 'Bot 7' }, {}, Date.now())
    assert.equal((await app.delete('/v1/me', named.text, { confirm: named.key.accountId })).status, 422)
    assert.equal((await app.delete('/v1/me', named.text, { confirm: 'Bot 7' })).status, 204)
    const nameless = await openAccount(app.store, { email: null, name: null }, {}, Date.now())
    assert.equal((await app.delete('/v1/me', nameless.text, { confirm: 'null' })).status, 422)
    assert.equal((await app.delete('/v1/me', nameless.text, { confirm: nameless.key.accountId })).status, 204)
  })

  const weakKeys: readonly (readonly [Scope[], 'live' | 'publishable'])[] = [
    [['read'], 'live'],
    [['watch'], 'live'],
    [['read'], 'publishable'],
  ]
  for (const [scopes, kind] of weakKeys)
    it(`is not for a ${kind} key with ${scopes.join(', ')}`, async () => {
      const person = await aPerson()
      const weak = await keyWith(person, scopes, kind)
      const refused = await problemOf(await app.delete('/v1/me', weak.text, { confirm: person.email }))
      assert.deepEqual([refused.status, refused.code], [403, 'insufficient_scope'])
      assert.equal((await app.get('/v1/me', person.text)).status, 200)
    })

  it('is not for a session that was opened with a lesser key', async () => {
    const person = await aPerson()
    const weak = await keyWith(person, ['watch'])
    const cookie = cookieOf(await postSession(app.url, { key: weak.text }))!
    const refused = await problemOf(await sendByCookie(app.url, cookie, 'DELETE', '/v1/me', { confirm: person.email }))
    assert.equal(refused.code, 'insufficient_scope')
  })

  it('works in a session from a page of the service, clears the cookie and ends every session', async () => {
    const person = await aPerson()
    const cookie = cookieOf(await postSession(app.url, { key: person.text }))!
    const other = cookieOf(await postSession(app.url, { key: person.text }))!
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    const body = { confirm: person.email }
    const foreign = await problemOf(await sendByCookie(app.url, cookie, 'DELETE', '/v1/me', body, elsewhere))
    assert.equal(foreign.code, 'cross_origin_request')
    const answer = await sendByCookie(app.url, cookie, 'DELETE', '/v1/me', body)
    assert.deepEqual([answer.status, cookieOf(answer)], [204, null])
    assert.match(answer.headers.get('set-cookie') ?? '', /=;/)
    for (const each of [cookie, other])
      assert.equal((await problemOf(await sendByCookie(app.url, each, 'GET', '/v1/me'))).code, 'session_ended')
  })

  for (const role of ['reporter', 'editor', 'admin'] as const)
    it(`is refused to a ${role}, who needs an admin first`, async () => {
      const member = await signIn(app, role)
      const refused = await problemOf(await member.send('DELETE', '/v1/me', { confirm: `The ${role}` }))
      assert.deepEqual([refused.status, refused.code], [409, 'has_desk_role'])
      assert.match(refused.detail, /An admin must take the role away first/)
      assert.equal((await member.send('GET', '/v1/me')).status, 200)
      const admin = await app.issue({ scopes: ['read', 'operate'] })
      await app.patch(`/v1/admin/accounts/${member.account.id}`, { role: 'client' }, admin.text, null)
      assert.equal((await member.send('DELETE', '/v1/me', { confirm: `The ${role}` })).status, 204)
    })

  it('ends open streams and listeners', async () => {
    const { text, email } = await aPerson()
    const watch = await created('/v1/watches', { name: 'One', url: endpoint.url, filter: {} }, text)
    await using stream = await readStream(`${app.url}/v1/stream`, text)
    await using filter = await readListening(`${app.url}/v1/listen`, text)
    await using listener = await readListening(`${app.url}/v1/listen?watch=${watch.id}`, text)
    await app.delete('/v1/me', text, { confirm: email })
    await stream.ended
    await filter.stream.ended
    await listener.stream.ended
  })

  it('sends nothing more: neither what waits for another attempt nor later events', async () => {
    const { text, email } = await aPerson()
    const deaf = await startEndpoint()
    deaf.answer = (response) => response.writeHead(500).end()
    const watch = await created('/v1/watches', { name: 'One', url: deaf.url, filter: {} }, text)
    const witness = await aPerson()
    const other = await created('/v1/watches', { name: 'Two', url: endpoint.url, filter: {} }, witness.text)
    await app.publish([anIncident(31)])
    await until(() => deaf.messages.length === 1, 'the first attempt')
    await app.post(`/v1/watches/${watch.id}/retry`, '', text)
    const before = deaf.messages.length
    await app.delete('/v1/me', text, { confirm: email })
    await app.publish([anIncident(32)])
    const arrived = () => endpoint.messages.some(({ json }) => json.watch_id === other.id && json.seq >= 4)
    await until(arrived, 'the message of another account')
    assert.ok(deaf.messages.length <= before + 1, 'at most the attempt that was under way')
    assert.ok(deaf.messages.every(({ json }) => json.incident.id !== anIncident(32).id))
    await deaf[Symbol.asyncDispose]()
  })
})

describe('an admin', () => {
  it('sees a deleted account as such, and can do nothing with it', async () => {
    const { key, text, email } = await aPerson()
    await app.delete('/v1/me', text, { confirm: email })
    const { text: admin } = await app.issue({ scopes: ['read', 'operate'] })
    const path = `/v1/admin/accounts/${key.accountId}`
    const shown = (await (await app.get(path, admin)).json()) as { status: string; email: string | null }
    assert.deepEqual([shown.status, shown.email], ['deleted', null])
    const listed = await app.get('/v1/admin/accounts?status=deleted', admin)
    const { data } = (await listed.json()) as { data: { id: string }[] }
    assert.ok(data.some(({ id }) => id === key.accountId))
    const attempts = [
      app.patch(path, { status: 'active' }, admin, null),
      app.post(`${path}/keys`, {}, admin),
      app.post(`${path}/sign-in-link`, '', admin),
    ]
    for (const attempt of attempts) assert.equal((await problemOf(await attempt)).code, 'not_found')
    const status = await problemOf(await app.patch(path, { status: 'deleted' }, admin, null))
    assert.equal(status.code, 'invalid_body')
  })
})
