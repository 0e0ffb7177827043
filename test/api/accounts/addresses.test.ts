import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { openAccount } from '../../../src/accounts/keys.ts'
import { MailUnavailable, recipientHash, smtpMailer } from '../../../src/accounts/mail.ts'
import { untilProved } from '../../../src/accounts/sign-in.ts'
import { actorOf } from '../../../src/api/desk/incident.ts'
import { smtpSender } from '../../../src/deliveries/send/mail-sender.ts'
import { sessionAsKey } from '../../../src/domain/accounts.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { type MailServer, parsedMail, startMailServer } from '../../support/mail.ts'
import { cookieOf, openMember, postSession, sendByCookie, signIn } from '../../support/sign-in.ts'

interface Me {
  readonly account: {
    readonly id: string
    readonly email: string | null
    readonly email_verified: boolean
    readonly email_claimed: boolean
    readonly name: string | null
  }
}

interface Issued {
  readonly id: string
  readonly key: string
  readonly account_id: string
  readonly email_verified?: boolean
  readonly email_note?: string
}

const CIRCLE = { lat: 9.06, lng: 7.49, radius_km: 5 }
const VICTIM = 'ngozi@example.org'

/** Somebody with a key from `POST /v1/keys`, and what they see of their account. */
class Stranger {
  readonly issued: Issued
  readonly #app: TestApp
  constructor(app: TestApp, issued: Issued) {
    this.#app = app
    this.issued = issued
  }
  async account() {
    const response = await this.#app.get('/v1/me', this.issued.key)
    assert.equal(response.status, 200, 'the key goes on working')
    return ((await response.json()) as Me).account
  }
  async names(path: string): Promise<string[]> {
    const { data } = (await (await this.#app.get(path, this.issued.key)).json()) as { data: { name: string }[] }
    return data.map(({ name }) => name)
  }
}

/** The owner of the mailbox: reads mails, follows links, and uses the pages with a cookie. */
class Person {
  readonly cookie: string
  readonly #app: TestApp
  constructor(app: TestApp, cookie: string) {
    this.#app = app
    this.cookie = cookie
  }
  send(method: string, path: string, body?: unknown): Promise<Response> {
    return sendByCookie(this.#app.url, this.cookie, method, path, body)
  }
  async account() {
    return ((await (await this.send('GET', '/v1/me')).json()) as Me).account
  }
}

const ORDERS = [
  'stranger first',
  'victim first',
  'three strangers first',
  'stranger while the link is on its way',
] as const

describe('an address is proved before it means anything', () => {
  let server: MailServer
  let app: TestApp
  before(async () => {
    server = await startMailServer()
    app = await startTestApp({ SMTP_URL: server.url, MAILS_PER_CLIENT: '1000', SIGNUPS_PER_HOUR: '1000' })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const claim = async (email: string, body: object = {}) => {
    const response = await app.post('/v1/keys', { email, ...body }, null)
    assert.equal(response.status, 201)
    return new Stranger(app, (await response.json()) as Issued)
  }
  async function mailTo(email: string): Promise<string> {
    const before = server.raw.length
    assert.equal((await app.post('/v1/sessions/link', { email }, null)).status, 202)
    await until(() => server.raw.length > before, 'the mail')
    return parsedMail(server.raw.at(-1)!).text
  }
  const tokenIn = (mail: string) => /\/sign-in\?token=([\w-]+)/.exec(mail)![1]!
  const keyLinkIn = (mail: string) => /http:\S+\/recover\/[\w-]+/.exec(mail)![0]
  async function follow(mail: string): Promise<Person> {
    const response = await postSession(app.url, { token: tokenIn(mail) })
    assert.equal(response.status, 201, await response.clone().text())
    return new Person(app, cookieOf(response)!)
  }
  const say = (t: TestContext, who: string, what: unknown) => t.diagnostic(`${who}: ${JSON.stringify(what)}`)

  for (const [number, order] of ORDERS.entries())
    test(`${order}: the person gets an account of their own, and the stranger sees nothing of it`, async (t) => {
      const email = `${number}.${VICTIM}`
      const strangers: Stranger[] = []
      const name = 'Your bank: https://evil.example'
      const open = async () => {
        const stranger = await claim(email, { name })
        const area = { name: `Trap ${strangers.length}`, circle: CIRCLE }
        await app.post('/v1/areas', area, stranger.issued.key)
        strangers.push(stranger)
        say(t, 'stranger is answered', [stranger.issued.email_verified, stranger.issued.email_note?.slice(0, 35)])
        say(t, 'stranger before', await stranger.account())
      }
      if (order === 'victim first') await follow(await mailTo((await claim(email)) && email))
      else await open()
      if (order === 'three strangers first') for (let more = 0; more < 2; more++) await open()
      const mail = await mailTo(email)
      if (order === 'victim first' || order.startsWith('stranger while')) await open()
      say(t, 'person reads', mail.split('\n')[0])
      assert.doesNotMatch(mail, /evil|bank/, 'words of a stranger are in the mail')
      for (const { issued } of strangers) assert.ok(!mail.includes(issued.account_id))
      const person = await follow(mail)
      const own = await person.account()
      say(t, 'person is', own)
      assert.deepEqual([own.email, own.email_verified, own.email_claimed], [email, true, false])
      const saved = { name: 'Where my family lives', circle: CIRCLE }
      const added = await person.send('POST', '/v1/areas', saved)
      assert.equal(added.status, 201, await added.text())
      const areas = (await (await person.send('GET', '/v1/areas')).json()) as { data: { name: string }[] }
      assert.deepEqual(
        areas.data.map((area) => area.name),
        ['Where my family lives'],
      )
      const keys = (await (await person.send('GET', '/v1/keys')).json()) as { data: Issued[] }
      for (const [index, stranger] of strangers.entries()) {
        const named = order === 'victim first' ? email : null
        // A node goes by what it knew of a key for a second.
        await until(async () => (await stranger.account()).email === named, 'the claim to be cleared')
        const after = await stranger.account()
        say(t, 'stranger after', after)
        assert.notEqual(after.id, own.id)
        assert.equal(after.email_verified, false)
        assert.deepEqual(await stranger.names('/v1/areas'), [`Trap ${index}`])
        assert.ok(keys.data.every(({ id }) => id !== stranger.issued.id))
        const watch = { name: 'Mails', channel: { kind: 'email' } }
        const refused = await problemOf(await app.post('/v1/watches', watch, stranger.issued.key))
        assert.equal(refused.code, 'address_not_confirmed')
        for (const one of keys.data)
          assert.equal((await app.delete(`/v1/keys/${one.id}?confirm=last`, stranger.issued.key)).status, 404)
        say(t, 'stranger asks for mails', refused.code)
      }
      const again = await follow(await mailTo(email))
      assert.equal((await again.account()).id, own.id, 'the next mail leads to the same account')
    })

  test('links that were mailed before another proof lead to the account that was proved', async () => {
    const email = 'later@example.org'
    await claim(email)
    const [first, second] = [await mailTo(email), await mailTo(email)]
    const person = await follow(second)
    assert.equal((await (await follow(first)).account()).id, (await person.account()).id)
    const page = await (await fetch(keyLinkIn(first), { method: 'POST', body: new URLSearchParams() })).text()
    const key = /inf_live_[0-9A-Za-z]{36}/.exec(page)![0]
    const { account } = (await (await app.get('/v1/me', key)).json()) as Me
    assert.equal(account.id, (await person.account()).id)
    assert.ok(page.includes(account.id), 'the page says whose key it is')
  })

  test('of many links that are followed at once, all lead to one account', async () => {
    const email = 'crowd@example.org'
    for (let count = 0; count < 3; count++) await claim(email)
    const mails: string[] = []
    for (let count = 0; count < 4; count++) mails.push(await mailTo(email))
    const ids = await Promise.all(
      mails.flatMap((mail) => [
        follow(mail).then(async (person) => (await person.account()).id),
        fetch(keyLinkIn(mail), { method: 'POST', body: new URLSearchParams() }).then(
          async (page) => /acc_[0-9a-z]+/.exec(await page.text())![0],
        ),
      ]),
    )
    assert.equal(new Set(ids).size, 1)
    const named = await app.store.accounts.list({ email }, 10, null)
    assert.deepEqual(
      named.map(({ id, ownsEmail }) => [id, ownsEmail]),
      [[ids[0], true]],
    )
  })

  test('a link that never finds its owner is answered as an outage, not for ever', async () => {
    let tries = 0
    const never = async () => (++tries > 0 ? ('other_owner' as const) : null)
    await assert.rejects(untilProved(never), StoreUnavailable)
    assert.equal(tries, 10)
  })

  test('the mail names the account by its own name and when it was opened, but no name that could be a link', async () => {
    const at = Date.parse('2026-05-01T12:00:00Z')
    const named = { email: 'efe@example.org', name: 'Dr. Efe Obi', emailVerifiedAt: at }
    const { key } = await openAccount(app.store, named, {}, at)
    const mail = await mailTo('efe@example.org')
    assert.ok(
      mail.includes(`the account “Dr. Efe Obi” (${key.accountId}), client, opened on 2026-05-01 12:00 UTC.`),
      mail,
    )
    await openAccount(app.store, { email: 'eve@example.org', name: 'see evil.example', emailVerifiedAt: at }, {}, at)
    const other = await mailTo('eve@example.org')
    assert.doesNotMatch(other, /evil/)
    assert.match(other, /the account acc_[0-9a-z]+, client, opened on/)
  })

  test('whom an operator opened an account for owns the address, whoever claimed it before', async () => {
    const email = 'editor@example.org'
    const stranger = await claim(email)
    const admin = await signIn(app, 'admin')
    const invite = (role: string) =>
      admin.send('POST', '/v1/admin/accounts', { email: 'Editor@Example.org', name: 'Ẹniọlá', role })
    const before = server.raw.length
    const invited = await invite('editor')
    assert.equal(invited.status, 201)
    const { account: editor } = (await invited.json()) as Me
    assert.deepEqual([editor.email_verified, editor.email_claimed], [false, false])
    await until(() => server.raw.length > before, 'the invitation')
    await until(async () => (await stranger.account()).email === null)
    await claim(email)
    const listed = await admin.send('GET', '/v1/admin/accounts?email=EDITOR@example.org')
    const { data } = (await listed.json()) as { data: Me['account'][] }
    assert.deepEqual(
      data.map((each) => [each.email_verified, each.email_claimed]),
      [
        [false, true],
        [false, false],
      ],
    )
    assert.equal((await (await follow(await mailTo(email))).account()).id, editor.id)
    assert.equal((await (await follow(parsedMail(server.raw[before]!).text)).account()).id, editor.id)
    const again = await problemOf(await invite('reporter'))
    assert.equal(again.code, 'account_exists')
    assert.ok(again.detail.includes(editor.id))
  })

  test('a role does not turn a claim into an address', async () => {
    const email = 'boss@example.org'
    const stranger = await claim(email)
    const admin = await signIn(app, 'admin')
    const path = `/v1/admin/accounts/${stranger.issued.account_id}`
    assert.equal((await admin.send('PATCH', path, { role: 'admin' })).status, 200)
    assert.notEqual((await (await follow(await mailTo(email))).account()).id, stranger.issued.account_id)
    await until(async () => (await stranger.account()).email === null)
  })

  test('the desk names nobody by an address that is only claimed', async () => {
    const claimed = { name: null, email: 'boss@example.org', ownsEmail: false }
    for (const [ownsEmail, shown] of [
      [true, 'boss@example.org'],
      [false, null],
    ] as const) {
      const member = await openMember(app.store, 'editor', {
        ...claimed,
        ownsEmail,
        email: `${ownsEmail}.boss@example.org`,
      })
      const { session, account } = (
        await app.store.sessions.list((await signIn(app, 'editor', member)).account.id, 0, 0)
      )[0]!
      const { name } = actorOf({ key: sessionAsKey(session, account, null), account, session })
      assert.equal(name.includes('boss@example.org'), shown !== null)
    }
  })

  test('who signs up by mail with an address that has an account gets a key of that account', async () => {
    await using byMail = await startTestApp({ SMTP_URL: server.url, SIGNUP: 'email' })
    const keys: string[] = []
    for (let round = 0; round < 2; round++) {
      const before = server.raw.length
      assert.equal((await byMail.post('/v1/keys', { email: 'Twice@example.org', name: 'Mine' }, null)).status, 202)
      await until(() => server.raw.length > before, 'the mail')
      const link = /http:\S+\/signup\/[\w-]+/.exec(parsedMail(server.raw.at(-1)!).text)![0]
      const page = await (await fetch(link, { method: 'POST', body: new URLSearchParams() })).text()
      keys.push(/inf_live_[0-9A-Za-z]{36}/.exec(page)![0])
    }
    const accounts = await Promise.all(
      keys.map(async (key) => ((await (await byMail.get('/v1/me', key)).json()) as Me).account),
    )
    assert.equal(new Set(accounts.map(({ id }) => id)).size, 1)
    assert.equal(accounts[0]!.email, 'twice@example.org')
  })

  test('where nobody may sign up, a claim gets no mail', async () => {
    await using closed = await startTestApp({ SMTP_URL: server.url, SIGNUP: 'closed' })
    await openAccount(closed.store, { email: 'claim@example.org', name: null }, {}, Date.now())
    await openAccount(closed.store, { email: 'owner@example.org', name: null, ownsEmail: true }, {}, Date.now())
    const before = server.recipients.length
    for (const name of ['claim', 'owner'])
      assert.equal((await closed.post('/v1/sessions/link', { email: `${name}@example.org` }, null)).status, 202)
    await until(() => server.recipients.length > before, 'the mail')
    assert.deepEqual(server.recipients.slice(before), ['owner@example.org'])
  })
})

describe('one address is one address', () => {
  let server: MailServer
  before(async () => {
    server = await startMailServer()
  })
  after(() => server[Symbol.asyncDispose]())

  const FILTER = { state: ['Kaduna'] }
  /** Spellings that programs for mail bring to one mailbox. */
  const SPELLINGS = [
    'boss@example.org',
    'Boss@example.org',
    'BOSS@Example.ORG',
    'boss@example.org.',
    ' boss@EXAMPLE.org ',
  ]
  const REFUSED = [
    ...Array.from({ length: 20 }, (_, number) => `"${String.fromCharCode(number + 1)}boss"@example.org`),
    '"boss"@example.org',
    '"bo\\ss"@example.org',
    'boss(1)@example.org',
    '<boss@example.org>',
    'boss@example.org, eve@example.org',
    'Boss <boss@example.org>',
    'boss\r\nRCPT TO:<eve@example.org>@example.org',
    'boss\0@example.org',
    'boss@[127.0.0.1]',
    'boss@127.0.0.1',
    'boss@localhost',
    'boss@example..org',
    'boß@example.org',
  ]

  test('twenty spellings of one mailbox bring it one question about an alert, at the address that was counted', async () => {
    await using app = await startTestApp({ SMTP_URL: server.url, MAILS_PER_CLIENT: '1000' })
    const before = server.recipients.length
    for (const email of SPELLINGS)
      assert.equal((await app.post('/v1/alerts', { email, filter: FILTER }, null)).status, 202, email)
    for (const email of REFUSED) {
      const problem = await problemOf(await app.post('/v1/alerts', { email, filter: FILTER }, null))
      assert.deepEqual([problem.status, problem.errors![0]!.pointer], [422, '/email'], JSON.stringify(email))
      if (!email.includes('\0')) assert.match(String(problem.errors![0]!.message), /as name@example\.org/)
    }
    assert.equal((await app.post('/v1/alerts', { email: 'last@example.org', filter: FILTER }, null)).status, 202)
    await until(() => server.recipients.includes('last@example.org', before), 'the last mail')
    assert.deepEqual(server.recipients.slice(before), ['boss@example.org', 'last@example.org'])
  })

  test('sign-in mails are counted by mailbox, whatever the spelling; what is refused is not counted', async () => {
    await using app = await startTestApp({ SMTP_URL: server.url, MAILS_PER_CLIENT: '1000' })
    await openAccount(app.store, { email: 'Boss@example.org', name: null, ownsEmail: true }, {}, Date.now())
    const before = server.recipients.length
    const ask = (email: string) => app.post('/v1/sessions/link', { email }, null)
    for (const email of REFUSED) assert.equal((await ask(email)).status, 422, JSON.stringify(email))
    const statuses: number[] = []
    for (const email of [...SPELLINGS, ...SPELLINGS]) statuses.push((await ask(email)).status)
    assert.deepEqual(statuses, [...Array(5).fill(202), ...Array(5).fill(429)])
    await until(() => server.recipients.length === before + 5, 'five mails')
    assert.deepEqual(new Set(server.recipients.slice(before)), new Set(['boss@example.org']))
  })

  test('what is handed to RCPT TO is what was counted, for every sign and script that is taken', async () => {
    await using app = await startTestApp({ SMTP_URL: server.url, SIGNUP: 'email', MAILS_PER_CLIENT: '1000' })
    const addresses = {
      "a!#$%&'*/=?^_`{|}~-1@example.org": "a!#$%&'*/=?^_`{|}~-1@example.org",
      "O'Hara+Work@Example.org": "o'hara+work@example.org",
      'ada@BÜCHER.ng': 'ada@xn--bcher-kva.ng',
      'ada@straße.example': 'ada@xn--strae-oqa.example',
      'ada@xn--bcher-kva.ng': 'ada@xn--bcher-kva.ng',
      'x.y@sub.domain.example.org.': 'x.y@sub.domain.example.org',
    }
    for (const [typed, sent] of Object.entries(addresses)) {
      const before = server.recipients.length
      const response = await app.post('/v1/keys', { email: typed }, null)
      assert.equal(response.status, 202, `${typed}: ${await response.text()}`)
      assert.deepEqual(server.recipients.slice(before), [sent])
    }
  })

  test('both senders hand over one canonical recipient, whatever was stored, and nothing for what is none', async () => {
    const before = server.recipients.length
    const from = 'Feed <feed@example.org>'
    const mailer = smtpMailer(server.url, from)
    using sender = smtpSender(server.url, from)
    const alert = { subject: 'x', text: 'x', html: 'x', language: 'en', messageId: 'a@b', parentId: null } as const
    const send = (to: string) => sender.sendMail({ ...alert, to, unsubscribeUrl: 'https://feed.example.org/' }, 0)
    await mailer.sendMail({ to: 'Boss@Example.ORG.', subject: 'x', text: 'x' })
    assert.equal((await send('Boss@Bücher.ng')).kind, 'answered')
    for (const to of ['"\u0001boss"@example.org', 'boss@example.org, eve@example.org', 'boss@localhost']) {
      await assert.rejects(mailer.sendMail({ to, subject: 'x', text: 'x' }), MailUnavailable)
      assert.equal((await send(to)).kind, 'failed')
    }
    assert.deepEqual(server.recipients.slice(before), ['boss@example.org', 'boss@xn--bcher-kva.ng'])
  })

  test('alerts cannot use up sign-in mails, nor these the alerts, and each has its own setting', async () => {
    const settings = { SMTP_URL: server.url, SIGNUP: 'email', MAILS_PER_CLIENT: '3', MAILS_PER_RECIPIENT: '2' }
    await using app = await startTestApp({
      ...settings,
      SIGN_IN_MAILS_PER_CLIENT: '5',
      SIGN_IN_MAILS_PER_RECIPIENT: '4',
    })
    const statuses = async (count: number, ask: (number: number) => Promise<Response>) => {
      const answered: number[] = []
      for (let number = 0; number < count; number++) answered.push((await ask(number)).status)
      return answered
    }
    const alert = (number: number) => app.post('/v1/alerts', { email: `a${number}@example.org`, filter: FILTER }, null)
    const signUp = () => app.post('/v1/keys', { email: 'ada@example.org' }, null)
    const signIn = (email: string) => () => app.post('/v1/sessions/link', { email }, null)
    assert.deepEqual(await statuses(5, alert), [202, 202, 202, 429, 429])
    assert.deepEqual(await statuses(4, signUp), [202, 202, 429, 429])
    assert.deepEqual(await statuses(5, signIn('ada@example.org')), [202, 202, 202, 202, 429])
    assert.deepEqual(await statuses(2, signIn('eve@example.org')), [429, 429], 'five for the client')
  })

  test('the limit of a mailbox holds over all nodes', async () => {
    await using first = await startTestApp({ SMTP_URL: server.url })
    const now = Date.now()
    const day = new Date(now).toISOString().slice(0, 10)
    assert.equal((await first.post('/v1/sessions/link', { email: 'node@example.org' }, null)).status, 202)
    // Another node counts in the same rows.
    const subject = `sign-in ${recipientHash('Node@example.org')}`
    for (let count = 0; count < 4; count++) assert.equal(await first.store.mails.countMail(subject, day, 5), true)
    assert.equal((await first.post('/v1/sessions/link', { email: 'node+x@example.org' }, null)).status, 429)
  })

  test('an admin looks for an address in any spelling, and is told what is none', async () => {
    await using app = await startTestApp()
    await openAccount(app.store, { email: 'Ada@Bücher.ng', name: null }, {}, Date.now())
    const admin = await signIn(app, 'admin')
    const list = (email: string) => admin.send('GET', `/v1/admin/accounts?email=${encodeURIComponent(email)}`)
    const { data } = (await (await list('ADA@bücher.NG')).json()) as { data: Me['account'][] }
    assert.deepEqual(
      data.map(({ email }) => email),
      ['ada@xn--bcher-kva.ng'],
    )
    for (const none of ['\0', 'ada', '"ada"@example.org']) {
      const problem = await problemOf(await list(none))
      assert.deepEqual([problem.status, problem.code], [400, 'invalid_parameter'])
    }
  })
})
