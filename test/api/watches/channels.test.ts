import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openAccount } from '../../../src/accounts/keys.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { type MailServer, parsedMail, startMailServer } from '../../support/mail.ts'
import { bodyOf, type Receiver, receive } from '../../support/receivers.ts'

describe('channels', () => {
  const TOKEN = '123456789:AAF-test-token-of-a-bot-0123456789'

  interface Arrived {
    readonly path: string
    readonly headers: Record<string, unknown>
    readonly body: string
  }

  let app: TestApp
  let place: Receiver & { port: number }
  let key: string
  let answer: (path: string) => { status: number; body: string; headers?: Record<string, string> }
  const arrived: Arrived[] = []
  let numbers = 0

  before(async () => {
    place = await receive(async (request, response) => {
      const body = await bodyOf(request)
      arrived.push({ path: request.url!, headers: request.headers, body })
      const { status, body: text, headers = {} } = answer(request.url!)
      response.writeHead(status, headers).end(text)
    })
    app = await startTestApp({
      WEBHOOK_ALLOW_PRIVATE: 'true',
      CHANNEL_HOSTS: '127.0.0.1',
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_API_URL: `http://127.0.0.1:${place.port}`,
      PUBLIC_URL: 'https://feed.example.org',
    })
  })
  beforeEach(async () => {
    arrived.length = 0
    answer = () => ({ status: 200, body: 'ok' })
    key = (await app.issue()).text
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const address = (path: string) => `http://127.0.0.1:${place.port}/${path}`
  const create = (channel: unknown, more: object = {}) =>
    app.post('/v1/watches', { name: `For people ${++numbers}`, channel, ...more }, key)
  const to = (path: string) => arrived.filter((each) => each.path === `/${path}`)

  async function refusal(response: Promise<Response>, status: number, code: string) {
    const problem = await problemOf(await response)
    assert.deepEqual([problem.status, problem.code], [status, code], problem.detail)
    return problem
  }

  interface Watch {
    id: string
    url: string
    secret: string
    events: string[]
    channel: { kind: string; language: string | null }
  }

  async function watching(channel: unknown): Promise<Watch> {
    const response = await create(channel)
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as Watch
  }

  describe('channels for people', () => {
    it('writes a new incident, its correction and its withdrawal in the form of each channel', async () => {
      const kinds = ['slack', 'discord', 'teams'] as const
      for (const kind of kinds) await watching({ kind, url: address(`${kind}-three`) })
      const incident = anIncident(1, { summary: 'Gunmen <b>took</b> *two* [travellers](https://evil.example) & left.' })
      await app.publish([incident])
      for (const kind of kinds) {
        await until(() => to(`${kind}-three`).length === 1, kind)
        const [{ body, headers }] = to(`${kind}-three`) as [Arrived]
        assert.ok(body.includes(`https://feed.example.org/incidents/${incident.id}`), body)
        assert.equal(headers['webhook-signature'], undefined)
      }
      await app.publish([{ ...incident, version: 2, summary: 'Three travellers.' }], 'incident.updated')
      for (const kind of kinds) {
        await until(() => to(`${kind}-three`).length === 2, kind)
        const { body } = to(`${kind}-three`)[1]!
        assert.ok(body.includes('Corrected: ') && body.includes('Three travellers.'), body)
      }
      await app.publish([{ ...incident, version: 3, status: 'retracted' }], 'incident.retracted')
      for (const kind of kinds) {
        await until(() => to(`${kind}-three`).length === 3, kind)
        const { body } = to(`${kind}-three`)[2]!
        assert.ok(body.includes('Withdrawn: ') && !body.includes('travellers'), body)
      }
    })

    it('never shows the address again, and nothing signs', async () => {
      const watch = await watching({ kind: 'slack', url: address('a-secret-path') })
      assert.match(watch.url, /^http:\/\/127\.0\.0\.1:\d+\/\*\*\*[0-9a-f]{8}$/)
      assert.equal(watch.secret, '')
      assert.deepEqual(watch.events, ['incident.created', 'incident.updated', 'incident.retracted'])
      const read = await (await app.get(`/v1/watches/${watch.id}`, key)).text()
      assert.ok(!read.includes('a-secret-path'))
      await refusal(app.post(`/v1/watches/${watch.id}/rotate-secret`, '', key), 409, 'not_a_webhook')
      await refusal(app.get(`/v1/listen?watch=${watch.id}`, key), 409, 'not_a_webhook')
    })

    it('moves to another address of the same kind', async () => {
      const { id, url } = await watching({ kind: 'discord', url: address('before') })
      const changed = await app.patch(
        `/v1/watches/${id}`,
        { channel: { kind: 'discord', url: address('after') } },
        key,
        null,
      )
      assert.notEqual(((await changed.json()) as Watch).url, url)
      await app.post(`/v1/watches/${id}/test`, { event: 'incident.created' }, key)
      assert.equal(to('before').length, 0)
      assert.ok(to('after')[0]!.body.includes('Test: '))
    })

    it('writes in the language of the watch, and in another once that is changed, to the same address', async () => {
      const { id, url, channel } = await watching({ kind: 'slack', url: address('in-words'), language: 'yo' })
      assert.equal(channel.language, 'yo')
      await app.post(`/v1/watches/${id}/test`, { event: 'incident.created' }, key)
      assert.ok(to('in-words')[0]!.body.includes('Ìdánwò: '))
      const body = { channel: { kind: 'slack', language: 'ha' } }
      const changed = (await (await app.patch(`/v1/watches/${id}`, body, key, null)).json()) as Watch
      assert.deepEqual([changed.channel.language, changed.url], ['ha', url])
      await app.post(`/v1/watches/${id}/test`, { event: 'incident.created' }, key)
      assert.ok(to('in-words')[1]!.body.includes('Gwaji: '))
      const moved = { channel: { kind: 'slack', url: address('moved') } }
      assert.equal(
        ((await (await app.patch(`/v1/watches/${id}`, moved, key, null)).json()) as Watch).channel.language,
        'ha',
      )
    })

    for (const [what, channel, more, pointer] of [
      ['a kind that there is not', { kind: 'pigeon' }, {}, '/channel/kind'],
      ['an address elsewhere', { kind: 'slack', url: 'https://example.com/services/T/B/X' }, {}, '/channel/url'],
      ['no address', { kind: 'teams' }, {}, '/channel/url'],
      ['no address beside a language', { kind: 'teams', language: 'ha' }, {}, '/channel/url'],
      ['a language that there is not', { kind: 'slack', language: 'fr' }, {}, '/channel/language'],
      ['a language of a webhook', { kind: 'webhook', language: 'ha' }, {}, '/channel/language'],
      ['a chat for Slack', { kind: 'slack', chat_id: '12' }, {}, '/channel/chat_id'],
      ['a wrong chat', { kind: 'telegram', chat_id: 'lagos roads' }, {}, '/channel/chat_id'],
      ['an unknown member', { kind: 'slack', extra: 1 }, {}, '/channel'],
      ['a URL beside a channel', { kind: 'slack', url: 'http://127.0.0.1/x' }, { url: 'http://127.0.0.1/x' }, '/url'],
      ['fewer events', { kind: 'slack', url: 'http://127.0.0.1/x' }, { events: ['incident.created'] }, '/events'],
      ['headers', { kind: 'slack', url: 'http://127.0.0.1/x' }, { headers: { 'X-A': '1' } }, '/headers'],
      ['neither a channel nor a URL', undefined, {}, '/url'],
      ['not an object', 'slack', {}, '/channel'],
    ] as const)
      it(`refuses ${what}`, async () => {
        const { errors } = await refusal(create(channel, more), 422, 'invalid_body')
        assert.equal(errors![0]!.pointer, pointer)
      })

    it('writes to a Telegram chat only with the code that was sent there', async () => {
      const chat = { kind: 'telegram', chat_id: '-1001234567890' }
      answer = () => ({ status: 200, body: '{"ok":true,"result":{"text":"the message, repeated"}}' })
      await refusal(create(chat), 409, 'code_needed')
      const asked = to(`bot${TOKEN}/sendMessage`)
      assert.equal(asked.length, 1)
      const code = /code: (\w+)/.exec((JSON.parse(asked[0]!.body) as { text: string }).text)![1]!
      await refusal(create({ ...chat, code: 'AAAAAAAAAA' }), 409, 'code_needed')
      const watch = await watching({ ...chat, code: code.toLowerCase() })
      assert.equal(watch.url, 'telegram:-1001234567890')
      const test = (await (await app.post(`/v1/watches/${watch.id}/test`, '', key)).json()) as Record<string, unknown>
      assert.deepEqual([test.delivered, test.answer], [true, null])
      const sent = JSON.parse(to(`bot${TOKEN}/sendMessage`).at(-1)!.body) as { chat_id: string; parse_mode: string }
      assert.deepEqual([sent.chat_id, sent.parse_mode], ['-1001234567890', 'HTML'])
      // Of another account, the code is another.
      key = (await app.issue()).text
      await refusal(create({ ...chat, code }), 409, 'code_needed')
    })

    it('says so if Telegram does not take a message to the chat', async () => {
      answer = () => ({ status: 400, body: '{"ok":false,"description":"Bad Request: chat not found"}' })
      await refusal(create({ kind: 'telegram', chat_id: '12345' }), 409, 'channel_unavailable')
    })

    it('sends again after a channel asked to wait, and shows what was sent in the log', async () => {
      let refused = false
      answer = () => {
        if (refused) return { status: 204, body: '' }
        refused = true
        return { status: 429, body: '{"retry_after": 0.4, "global": false}' }
      }
      const { id } = await watching({ kind: 'discord', url: address('busy') })
      const incident = anIncident(2)
      await app.publish([incident])
      await until(() => to('busy').length === 1)
      const path = `/v1/watches/${id}/deliveries`
      type Page = { data: { id: string; status: string; attempts: number }[] }
      const listed = async () => ((await (await app.get(path, key)).json()) as Page).data
      await until(async () => (await listed())[0]?.attempts === 1)
      await app.post(`/v1/watches/${id}/retry`, '', key)
      await until(async () => (await listed())[0]?.status === 'delivered')
      const shown = await (await app.get(`/v1/deliveries/${(await listed())[0]!.id}`, key)).json()
      const { bodies } = shown as { bodies: { body: string }[] }
      assert.equal(bodies[0]!.body, to('busy').at(-1)!.body)
    })
  })
})

describe('email', () => {
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

  let confirmed = 0
  async function confirmedAccount(): Promise<string> {
    const owner = { email: `test${++confirmed}@example.org`, name: 'Test', emailVerifiedAt: 1 }
    return (await openAccount(app.store, owner, {}, Date.now())).text
  }

  it('sends a new incident, its correction and its withdrawal as one thread to the account’s own address', async () => {
    const key = await confirmedAccount()
    const response = await create(key)
    assert.equal(response.status, 201, await response.clone().text())
    const watch = (await response.json()) as Watch
    assert.deepEqual([watch.url, watch.secret], ['mailto:test1@example.org', ''])
    const incident = anIncident(1)
    await app.publish([incident])
    await until(() => server.raw.length === 1, 'the first mail')
    await app.publish([{ ...incident, version: 2, summary: 'Three travellers.' }], 'incident.updated')
    await until(() => server.raw.length === 2, 'the correction')
    await app.publish([{ ...incident, version: 3, status: 'retracted' }], 'incident.retracted')
    await until(() => server.raw.length === 3, 'the withdrawal')
    const [first, corrected, withdrawn] = server.raw.map(parsedMail) as [Parsed, Parsed, Parsed]
    assert.equal(first.headers.to, 'test1@example.org')
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
    const { text } = await without.issue()
    const response = await without.post('/v1/watches', { name: 'By mail', channel: { kind: 'email' } }, text)
    const problem = await problemOf(response)
    assert.deepEqual([problem.status, problem.code], [409, 'channel_unavailable'])
    assert.ok(problem.detail.includes('SMTP_URL'))
  })
})
