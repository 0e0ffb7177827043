import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { lookup as systemLookup } from 'node:dns'
import type { RequestListener } from 'node:http'
import type { LookupFunction, Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, it, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { ChannelMail } from '../../src/deliveries/channels/email.ts'
import { endpointFault, type Guard } from '../../src/deliveries/guard/guard.ts'
import { MailServerDown } from '../../src/deliveries/send/failure.ts'
import { smtpReply, smtpSender } from '../../src/deliveries/send/mail-sender.ts'
import { newSecret } from '../../src/deliveries/send/signature.ts'
import { WebhookSender, type WebhookSenderOptions } from '../../src/deliveries/send/webhook-sender.ts'
import type { SendResult } from '../../src/domain/delivery.ts'
import { VERSION } from '../../src/version.ts'
import { until } from '../support/app.ts'
import { parsedMail, startMailServer } from '../support/mail.ts'
import {
  AUTHORITY,
  bodyOf,
  type Receiver,
  receive,
  receiveRaw,
  receiveSecurely,
  SPELLINGS_OF_LOOPBACK,
} from '../support/receivers.ts'

const HERE: Guard = { allowPrivate: true, lookup: systemLookup as LookupFunction }
/** For endpoints that respond: long enough for a busy machine. */
const AMPLE_MS = 15_000
/** For endpoints that never respond: long enough to connect. */
const SHORT_MS = 1000

/** Resolves every name to the current result of `address`. */
function lookupOf(address: () => string): LookupFunction {
  return (_host, _options, callback) => callback(null, [{ address: address(), family: 4 }])
}

async function sendTo(url: string, options: Partial<WebhookSenderOptions> = {}): Promise<SendResult> {
  await using sender = new WebhookSender({ guard: HERE, timeoutMs: AMPLE_MS, ...options })
  return await sender.post({ url, headers: {}, sentAt: 0, body: '{"a":1}' })
}

const outcome = (sent: SendResult) => (sent.kind === 'answered' ? answered(sent.status) : failed(sent.failure))
const sentBody = (sent: SendResult) => (sent.kind === 'answered' ? sent.body : null)
const answered = (status: number) => ({ kind: 'answered', status })
const failed = (failure: string) => ({ kind: 'failed', failure })

test('a POST arrives unchanged, and the response is returned', async () => {
  const seen: unknown[] = []
  await using receiver = await receive(async (request, response) => {
    const { method, url, headers } = request
    seen.push({ method, url, headers, body: await bodyOf(request) })
    response.setHeader('retry-after', '7').end('thänks')
  })
  await using sender = new WebhookSender({ guard: HERE })
  const attempt = await sender.post({
    url: `http://127.0.0.1:${receiver.port}/hook?a=b%20c`,
    headers: { 'webhook-id': 'msg_1' },
    sentAt: 5,
    body: '{"watch":"Şalgam"}',
  })
  assert.partialDeepStrictEqual(seen, [
    {
      method: 'POST',
      url: '/hook?a=b%20c',
      headers: {
        'content-type': 'application/json',
        'content-length': '19',
        'user-agent': `incident-feed/${VERSION}`,
        'webhook-id': 'msg_1',
      },
      body: '{"watch":"Şalgam"}',
    },
  ])
  const { startedAt, durationMs, ...rest } = attempt
  assert.deepEqual(rest, {
    kind: 'answered',
    status: 200,
    message: 'The endpoint answered 200.',
    body: 'thänks',
    retryAfter: '7',
  })
  assert.ok(Number.isInteger(startedAt) && Number.isInteger(durationMs))
})

test('a request with secrets is signed with each of them, as it is sent, and keeps its own headers', async () => {
  const seen: { headers: Record<string, string>; body: string }[] = []
  await using receiver = await receive(async (request, response) => {
    seen.push({ headers: request.headers as Record<string, string>, body: await bodyOf(request) })
    response.end()
  })
  await using sender = new WebhookSender({ guard: HERE })
  const url = `http://127.0.0.1:${receiver.port}/`
  const secrets = [newSecret(randomBytes), newSecret(randomBytes)]
  const own = { 'x-team': 'roads', 'content-type': 'application/cloudevents+json' }
  const signing = { id: 'msg_1', secrets }
  for (const body of ['{"watch":"Şalgam"}', Buffer.from([0, 255, 13])])
    assert.deepEqual(
      outcome(await sender.post({ url, headers: own, sentAt: Date.now(), body, signing })),
      answered(200),
    )
  const text = seen[0]!
  for (const secret of secrets)
    assert.deepEqual(new Webhook(secret).verify(text.body, text.headers), { watch: 'Şalgam' })
  assert.partialDeepStrictEqual(text.headers, { ...own, 'webhook-id': 'msg_1' })
  assert.equal(seen[1]!.headers['webhook-signature']!.split(' ').length, 2)
  await assert.rejects(
    sender.post({ url, headers: {}, sentAt: 0, body: '{}', signing: { id: 'msg_2', secrets: [] } }),
    TypeError,
  )
  assert.equal(seen.length, 2)
})

const ANSWERS: [string, RequestListener, number, string][] = [
  ['200 without a body', (_, response) => response.end(), 200, ''],
  ['204', (_, response) => response.writeHead(204).end(), 204, ''],
  [
    '301, which is not followed',
    (_, response) => response.writeHead(301, { location: '/elsewhere' }).end('moved'),
    301,
    'moved',
  ],
  ['410', (_, response) => response.writeHead(410).end('gone'), 410, 'gone'],
  ['500', (_, response) => response.writeHead(500).end('oh'), 500, 'oh'],
  [
    'early hints before the response',
    (_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.end('ok')
    },
    200,
    'ok',
  ],
  [
    'a body of 5,000 characters: the first 1,024 bytes are returned',
    (_, response) => response.end('x'.repeat(5000)),
    200,
    'x'.repeat(1024),
  ],
  [
    'a character that the limit would split: it is omitted',
    (_, response) => response.end(`x${'ä'.repeat(999)}`),
    200,
    `x${'ä'.repeat(511)}`,
  ],
  [
    'bytes that no database stores as text: they are replaced',
    (_, response) => response.end(Buffer.from([97, 0, 255, 27, 10])),
    200,
    'a\ufffd\ufffd\ufffd\n',
  ],
]

for (const [what, listener, status, answer] of ANSWERS) {
  test(`an endpoint responds with ${what}`, async () => {
    await using receiver = await receive(listener)
    const attempt = await sendTo(`http://127.0.0.1:${receiver.port}/`)
    assert.deepEqual({ ...outcome(attempt), body: sentBody(attempt) }, { ...answered(status), body: answer })
    assert.equal(receiver.connections(), 1)
  })
}

test('an endpoint that failed works again at the next attempt, over the same connection', async () => {
  let requests = 0
  await using receiver = await receive((_, response) => response.writeHead(++requests === 1 ? 500 : 200).end())
  await using sender = new WebhookSender({ guard: HERE })
  const post = { url: `http://127.0.0.1:${receiver.port}/`, headers: {}, sentAt: 0, body: '{}' }
  assert.deepEqual(outcome(await sender.post(post)), answered(500))
  assert.deepEqual(outcome(await sender.post(post)), answered(200))
  assert.equal(receiver.connections(), 1)
})

const drip = (socket: Socket, text: string) => {
  socket.write(text)
  socket.resume()
  const timer = setInterval(() => socket.write('x'), 10)
  socket.on('close', () => clearInterval(timer))
}

const SILENT: [string, (socket: Socket) => void, string][] = [
  ['accepts the connection and sends nothing', (socket) => socket.resume(), 'The endpoint did not answer within 1 s.'],
  ['drips its headers', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\na: '), 'The endpoint did not answer within 1 s.'],
  [
    'sends early hints and then nothing',
    (socket) => socket.resume().write('HTTP/1.1 103 Early Hints\r\n\r\n'),
    'The endpoint did not answer within 1 s.',
  ],
  [
    'drips its body',
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n'),
    'The endpoint answered 200 but did not finish within 1 s.',
  ],
]

for (const [what, listener, message] of SILENT) {
  test(`an endpoint that ${what} times out, and its connection is closed`, async () => {
    await using receiver = await receiveRaw(listener)
    await using sender = new WebhookSender({ guard: HERE, timeoutMs: SHORT_MS })
    const attempt = await sender.post({ url: `http://127.0.0.1:${receiver.port}/`, headers: {}, sentAt: 0, body: '{}' })
    assert.deepEqual(outcome(attempt), failed('timeout'))
    assert.equal(attempt.message, message)
    await until(() => receiver.open() === 0)
    assert.equal(receiver.connections(), 1)
  })
}

const BROKEN: [string, (socket: Socket) => void, string][] = [
  ['resets the connection', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'connection_closed'],
  ['closes the connection', (socket) => socket.once('data', () => socket.end()), 'connection_closed'],
  [
    'closes the connection in the middle of its response',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
    'connection_closed',
  ],
  [
    'sends huge headers',
    (socket) => socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(20_000)}\r\n\r\n`)),
    'malformed_answer',
  ],
  ['does not speak HTTP', (socket) => socket.once('data', () => socket.end('220 mail ready\r\n')), 'malformed_answer'],
]

for (const [what, listener, failure] of BROKEN) {
  test(`an endpoint that ${what} is a failed attempt`, async () => {
    await using receiver = await receiveRaw(listener)
    assert.deepEqual(outcome(await sendTo(`http://127.0.0.1:${receiver.port}/`)), failed(failure))
  })
}

test('an endless response is read up to the limit, and then closed', async () => {
  await using receiver = await receive((_, response) => {
    const writeAll = () => {
      while (!response.destroyed && response.write('x'.repeat(1000)));
    }
    response.on('drain', writeAll)
    writeAll()
  })
  const attempt = await sendTo(`http://127.0.0.1:${receiver.port}/`)
  assert.deepEqual(outcome(attempt), answered(200))
  assert.equal(sentBody(attempt)?.length, 1024)
  await until(() => receiver.open() === 0)
})

test('a refused connection is reported', async () => {
  const { port } = await (async (): Promise<Receiver> => {
    await using receiver = await receive((_, response) => response.end())
    return receiver
  })()
  assert.deepEqual(outcome(await sendTo(`http://127.0.0.1:${port}/`)), failed('connection_refused'))
})

test('a host without an address is reported', async () => {
  const lookup: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), '', 0)
  const attempt = await sendTo('https://receiver.org/', { guard: { allowPrivate: false, lookup } })
  assert.deepEqual(outcome(attempt), failed('unknown_host'))
  assert.equal(attempt.message, 'The host has no address. (ENOTFOUND)')
})

const SECURE: [string, string, Partial<WebhookSenderOptions>, object][] = [
  ['a certificate of a trusted authority is accepted', 'receiver.org', { ca: AUTHORITY }, answered(200)],
  ['a certificate of an unknown authority is refused', 'receiver.org', {}, failed('bad_certificate')],
  ['a certificate for another name is refused', 'other.org', { ca: AUTHORITY }, failed('bad_certificate')],
]

for (const [what, host, options, expected] of SECURE) {
  test(what, async () => {
    let requests = 0
    await using receiver = await receiveSecurely((_, response) => {
      requests++
      response.end()
    })
    const guard = { allowPrivate: true, lookup: lookupOf(() => '127.0.0.1') }
    assert.deepEqual(outcome(await sendTo(`https://${host}:${receiver.port}/`, { guard, ...options })), expected)
    assert.equal(requests, 'status' in expected && expected.status === 200 ? 1 : 0)
  })
}

test('an https endpoint without TLS is a failed attempt', async () => {
  await using receiver = await receiveRaw((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')))
  assert.deepEqual(outcome(await sendTo(`https://127.0.0.1:${receiver.port}/`)), failed('no_tls'))
})

test('a host whose address has become private is not connected to', async () => {
  await using receiver = await receiveSecurely((_, response) => response.end())
  let address = '1.1.1.1'
  const guard = { allowPrivate: false, lookup: lookupOf(() => address) }
  const url = `https://receiver.org:${receiver.port}/`
  assert.equal(await endpointFault(url, guard, 'acc_1'), null)
  address = '127.0.0.1'
  const attempt = await sendTo(url, { guard, ca: AUTHORITY })
  assert.deepEqual(outcome(attempt), failed('refused_address'))
  assert.equal(attempt.message, 'The host leads to a private address.')
  assert.equal(receiver.connections(), 0)
})

test('no spelling of the loopback address is connected to', async () => {
  await using receiver = await receive((_, response) => response.end())
  await using sender = new WebhookSender({ guard: { ...HERE, allowPrivate: false }, timeoutMs: AMPLE_MS })
  for (const host of SPELLINGS_OF_LOOPBACK) {
    const attempt = await sender.post({ url: `https://${host}:${receiver.port}/`, headers: {}, sentAt: 0, body: '{}' })
    // Some names resolve to this machine and some do not resolve, depending on its configuration.
    assert.match(attempt.kind === 'failed' ? attempt.failure : '', /^(refused_address|unknown_host)$/, host)
  }
  assert.equal(receiver.connections(), 0)
})

const loopbackV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

test('an IPv6 address in brackets is connected to', { skip: !loopbackV6 && 'this machine has no IPv6' }, async () => {
  await using receiver = await receive((_, response) => response.end(), '::1')
  assert.deepEqual(outcome(await sendTo(`http://[::1]:${receiver.port}/`)), answered(200))
  const refused = await sendTo(`https://[::1]:${receiver.port}/`, { guard: { ...HERE, allowPrivate: false } })
  assert.equal(refused.message, 'The host is ::1, a loopback address.')
  assert.equal(receiver.connections(), 1)
})

test('a message whose lookup exceeds the timeout is never sent', async () => {
  let requests = 0
  await using receiver = await receive((_, response) => {
    requests++
    response.end()
  })
  let answerLookup = () => {}
  const lookup: LookupFunction = (_host, _options, callback) => {
    answerLookup = () => callback(null, [{ address: '127.0.0.1', family: 4 }])
  }
  await using sender = new WebhookSender({ guard: { allowPrivate: true, lookup }, timeoutMs: SHORT_MS })
  const post = { url: `http://receiver.org:${receiver.port}/`, headers: {}, sentAt: 0, body: '{}' }
  assert.deepEqual(outcome(await sender.post(post)), failed('timeout'))
  answerLookup()
  assert.deepEqual(outcome(await sendTo(`http://127.0.0.1:${receiver.port}/`)), answered(200))
  assert.equal(requests, 1)
})

test('closing waits for attempts in flight', async () => {
  let finish = () => {}
  await using receiver = await receive((_, response) => {
    finish = () => response.end()
  })
  const sender = new WebhookSender({ guard: HERE, timeoutMs: AMPLE_MS })
  const sending = sender.post({ url: `http://127.0.0.1:${receiver.port}/`, headers: {}, sentAt: 0, body: '{}' })
  await until(() => receiver.connections() === 1)
  const order: string[] = []
  const sent = sending.then(() => order.push('sent'))
  const closed = sender[Symbol.asyncDispose]().then(() => order.push('closed'))
  await until(() => {
    finish()
    return receiver.open() === 0
  })
  await Promise.all([sent, closed])
  assert.deepEqual(order, ['sent', 'closed'])
  assert.deepEqual(outcome(await sending), answered(200))
})

test('after a response that is too long, the next POST opens another connection', async () => {
  await using receiver = await receive((_, response) => response.end('x'.repeat(100_000)))
  await using sender = new WebhookSender({ guard: HERE, timeoutMs: AMPLE_MS })
  const post = { url: `http://127.0.0.1:${receiver.port}/`, headers: {}, sentAt: 0, body: '{}' }
  for (let count = 1; count <= 3; count++) {
    assert.deepEqual(outcome(await sender.post(post)), answered(200))
    assert.equal(receiver.connections(), count)
  }
})

test('idle connections stay within their limit, and closing ends them all', async () => {
  await using first = await receive((_, response) => response.end())
  await using second = await receive((_, response) => response.end())
  {
    await using sender = new WebhookSender({ guard: HERE, timeoutMs: AMPLE_MS, maxIdle: 3 })
    const sending = [first, second, first, second].flatMap(({ port }) =>
      [1, 2].map(() => sender.post({ url: `http://127.0.0.1:${port}/`, headers: {}, sentAt: 0, body: '{}' })),
    )
    await Promise.all(sending)
    await until(() => first.open() + second.open() === 3)
    assert.equal(first.connections() + second.connections(), 8)
  }
  await until(() => first.open() + second.open() === 0)
})

test('a connection that the endpoint closes after its response is not reused', async () => {
  await using receiver = await receive((_, response) => response.setHeader('connection', 'close').end())
  await using sender = new WebhookSender({ guard: HERE, timeoutMs: AMPLE_MS })
  const post = { url: `http://127.0.0.1:${receiver.port}/`, headers: {}, sentAt: 0, body: '{}' }
  for (let count = 0; count < 5; count++) assert.deepEqual(outcome(await sender.post(post)), answered(200))
  assert.equal(receiver.connections(), 5)
})

test('http is refused where only https is allowed, even for an existing watch', async () => {
  const attempt = await sendTo('http://receiver.org/', { guard: { ...HERE, allowPrivate: false } })
  assert.deepEqual(outcome(attempt), failed('failed'))
  assert.equal(attempt.message, 'The URL does not begin with https://.')
})

const mail = (to: string, more: Partial<ChannelMail> = {}): ChannelMail => ({
  to,
  subject: 'Kidnapping in Ìbàdàn\r\nBcc: eve@example.org',
  language: 'yo',
  text: 'What happened: ọ̀rọ̀.',
  html: '<p>What happened: ọ̀rọ̀.</p>',
  messageId: 'inc_1.wat_1@feed.example.org',
  parentId: null,
  unsubscribeUrl: `https://feed.example.org/alerts/${'x'.repeat(120)}`,
  ...more,
})

describe('sending a mail', () => {
  it('carries the headers of one-click unsubscribing and of threads', async () => {
    await using server = await startMailServer()
    using sender = smtpSender(server.url, 'Feed <feed@example.org>')
    const sent = await sender.sendMail(mail('ada@example.org', { parentId: 'inc_0.wat_1@feed.example.org' }), 7)
    assert.ok(sent.kind === 'answered' && sent.status === 250 && sent.startedAt === 7)
    const { headers, text, html } = parsedMail(server.raw[0]!)
    // RFC 8058: exactly these, on one unfolded line each.
    assert.equal(headers['list-unsubscribe'], `<https://feed.example.org/alerts/${'x'.repeat(120)}>`)
    assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    assert.equal(headers['message-id'], '<inc_1.wat_1@feed.example.org>')
    assert.equal(headers.references, '<inc_0.wat_1@feed.example.org>')
    assert.equal(headers['in-reply-to'], '<inc_0.wat_1@feed.example.org>')
    assert.equal(headers['auto-submitted'], 'auto-generated')
    assert.equal(headers['content-language'], 'yo')
    assert.deepEqual([headers.to, headers.bcc], ['ada@example.org', undefined])
    assert.ok(text.includes('ọ̀rọ̀') && html.includes('<p>What happened: ọ̀rọ̀.</p>'))
  })

  it('tells a mailbox that does not exist from one that is busy', async () => {
    const answers: Record<string, string> = {
      'nobody@example.org': '550 5.1.1 no such user',
      'busy@example.org': '450 4.2.0 try later',
      'blocked@example.org': '554 5.7.1 looks like spam',
    }
    await using server = await startMailServer({ refuse: (to) => answers[to] ?? null })
    using sender = smtpSender(server.url, 'Feed <feed@example.org>')
    const statuses: number[] = []
    for (const to of Object.keys(answers)) {
      const sent = await sender.sendMail(mail(to), 0)
      if (sent.kind === 'answered') statuses.push(sent.status)
    }
    assert.deepEqual(statuses, [410, 450, 554])
    assert.equal((await sender.sendMail(mail('ada@example.org'), 0)).kind, 'answered')
  })

  it('keeps the address out of what the mail server answered, in whatever letters it repeats it', async () => {
    const refuse = (to: string) => `550 5.1.1 <${to}> or <${to.toLowerCase()}>: no such user`
    await using server = await startMailServer({ refuse })
    using sender = smtpSender(server.url, 'Feed <feed@example.org>')
    const sent = await sender.sendMail(mail('Ada.Obi@example.org'), 0)
    assert.ok(sent.kind === 'answered' && sent.body.endsWith('no such user'))
    assert.doesNotMatch(sent.body, /ada/i)
  })

  it('counts no attempt while the mail server is away, and does not ask it for each mail', async () => {
    let now = 0
    let url: string
    {
      await using server = await startMailServer()
      url = server.url
    }
    using sender = smtpSender(url, 'Feed <feed@example.org>', () => now)
    await assert.rejects(
      sender.sendMail(mail('ada@example.org'), 0),
      (error) => error instanceof MailServerDown && error.wasAsked,
    )
    await assert.rejects(
      sender.sendMail(mail('ada@example.org'), 0),
      (error) => error instanceof MailServerDown && !error.wasAsked && error.message.includes('at the moment'),
    )
    now = 19_999
    await assert.rejects(sender.sendMail(mail('ada@example.org'), 0), /at the moment/)
    now = 20_000
    await assert.rejects(sender.sendMail(mail('ada@example.org'), 0), /cannot be reached/)
  })

  it('does not take an address that no mail can have for a server that is away', async () => {
    await using server = await startMailServer()
    using sender = smtpSender(server.url, 'Feed <feed@example.org>')
    const sent = await sender.sendMail(mail('no address'), 0)
    assert.deepEqual([sent.kind, server.raw.length], ['failed', 0])
    assert.equal((await sender.sendMail(mail('ada@example.org'), 0)).kind, 'answered')
  })
})

it('a refusal of the service itself is no answer about the mail', () => {
  assert.equal(smtpReply({ response: '535 5.7.8 bad login', responseCode: 535, command: 'AUTH PLAIN' }), null)
  assert.equal(smtpReply({ response: '450 too much', responseCode: 450, command: 'MAIL FROM' }), null)
  assert.equal(smtpReply({ command: 'CONN' }), null)
})
