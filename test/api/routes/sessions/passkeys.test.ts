import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'
import { bytes, cookieOf, postSession, type SignedIn, SoftwarePasskey, signIn, text } from '../../../support/sign-in.ts'

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

async function addPasskey(person: SignedIn, passkey = new SoftwarePasskey(ORIGIN)): Promise<[SoftwarePasskey, string]> {
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
      assert.equal((await problemOf(await person.send('POST', '/v1/passkeys', { credential }))).code, 'passkey_refused')
    const broken = { ...new SoftwarePasskey(ORIGIN).register(await challengeFor(person, 'registration')) }
    const credential = { ...broken, response: { ...broken.response, attestationObject: 'AAAA' } }
    assert.equal((await problemOf(await person.send('POST', '/v1/passkeys', { credential }))).code, 'passkey_refused')
  })

  it('is one of at most ten', async () => {
    const person = await signIn(app, 'editor')
    for (let number = 0; number < 10; number++) await addPasskey(person)
    const credential = new SoftwarePasskey(ORIGIN).register(await challengeFor(person, 'registration'))
    assert.equal((await problemOf(await person.send('POST', '/v1/passkeys', { credential }))).code, 'too_many_passkeys')
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
