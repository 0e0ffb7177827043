import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { Webhook } from 'standardwebhooks'
import { SenderLost } from '../../src/deliveries/send/failure.ts'
import { messageBody } from '../../src/deliveries/send/message.ts'
import { SENDER_THREAD_NAME, SendingThread } from '../../src/deliveries/send/sending-thread.ts'
import { newSecret, signatureHeaders } from '../../src/deliveries/send/signature.ts'
import { EVENT_KINDS } from '../../src/domain/incident.ts'
import { until } from '../support/app.ts'
import { incidentFrom, incidentParts } from '../support/arbitrary.ts'
import fc, { anyText } from '../support/fast-check.ts'
import { bodyOf, receive } from '../support/receivers.ts'
import { tries } from '../support/tier.ts'

const notice = fc.record({
  event: fc.constantFrom(...EVENT_KINDS),
  watch: anyText(),
  watchId: fc.stringMatching(/^wat_[0-9a-z]{26}$/),
  id: fc.stringMatching(/^msg_[0-9a-z]{26}$/),
  sequence: fc.integer({ min: 1 }),
  seq: fc.integer({ min: 1 }),
  createdAt: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
  redacted: fc.constantFrom(true, undefined),
})

test('the body is the object that the reference describes, with any watch name and summary', () => {
  fc.assert(
    fc.property(notice, incidentParts, anyText(), (notice, parts, summary) => {
      const incident = { ...incidentFrom(parts, 1), summary }
      const { event, watch, watchId, id, sequence, seq, createdAt, redacted } = notice
      const createdAtText = `${new Date(createdAt).toISOString().slice(0, 19)}Z`
      const whole = {
        event,
        watch,
        incident,
        id,
        watch_id: watchId,
        sequence,
        seq,
        created_at: createdAtText,
        redacted,
      }
      assert.equal(messageBody(notice, JSON.stringify(incident)), JSON.stringify(whole))
    }),
    { numRuns: tries(1000) },
  )
})

const id = fc.stringMatching(/^msg_[0-9a-z]{26}$/)
const body = fc.json().map((text) => `{"incident":${text}}`)
const secret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((key) => `whsec_${Buffer.from(key).toString('base64')}`)
/** The reference library accepts timestamps within five minutes of the real clock. */
const sentAt = fc.integer({ min: -200_000, max: 200_000 }).map((offset) => Date.now() + offset)

test('a message is signed byte for byte as the reference library signs it', () => {
  fc.assert(
    fc.property(id, body, secret, sentAt, (id, body, secret, sentAt) => {
      const headers = signatureHeaders({ id, sentAt, body }, [secret])
      assert.equal(headers['webhook-signature'], new Webhook(secret).sign(id, new Date(sentAt), body))
      assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    }),
    { numRuns: 300 },
  )
})

test('during a rotation the old and the new secret both verify, and no other does', () => {
  fc.assert(
    fc.property(
      id,
      body,
      fc.uniqueArray(secret, { minLength: 3, maxLength: 3 }),
      sentAt,
      (id, body, secrets, sentAt) => {
        const [old, next, other] = secrets as [string, string, string]
        const headers = signatureHeaders({ id, sentAt, body }, [next, old])
        for (const secret of [old, next]) assert.doesNotThrow(() => new Webhook(secret).verify(body, headers))
        assert.throws(() => new Webhook(other).verify(body, headers), /No matching signature/)
        assert.throws(() => new Webhook(old).verify(`${body} `, headers), /No matching signature/)
      },
    ),
    { numRuns: 200 },
  )
})

test('a new secret is accepted by the reference library, and is never the same twice', () => {
  const [one, other] = [newSecret(randomBytes), newSecret(randomBytes)]
  assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(one, other)
  const message = { id: 'msg_1', sentAt: Date.now(), body: '{}' }
  assert.doesNotThrow(() => new Webhook(one).verify('{}', signatureHeaders(message, [one])))
})

const WRONG: [string, readonly string[]][] = [
  ['no secret', []],
  ['a secret without its prefix', [Buffer.alloc(32).toString('base64')]],
  ['a secret that is too short', [`whsec_${Buffer.alloc(23).toString('base64')}`]],
  ['a secret that is too long', [`whsec_${Buffer.alloc(65).toString('base64')}`]],
  ['a secret that was cut off', [newSecret(randomBytes).slice(0, -2)]],
  ['a secret with a blank in it', [newSecret(randomBytes).replace(/(?<=^.{20})./, ' ')]],
]

for (const [what, secrets] of WRONG) {
  test(`${what} is refused`, () => {
    assert.throws(() => signatureHeaders({ id: 'msg_1', sentAt: 0, body: '{}' }, secrets), TypeError)
  })
}

const threads: Worker[] = []
process.on('worker', (worker) => {
  if (worker.threadName === SENDER_THREAD_NAME) threads.push(worker)
})

function start(changes: { allowPrivate?: boolean } = {}) {
  const losses: SenderLost[] = []
  const onLost = (error: SenderLost) => losses.push(error)
  const sender = new SendingThread({ allowPrivate: true, nameServers: null, onLost, ...changes })
  const before = threads.length
  return {
    sender,
    losses,
    threads: () => threads.slice(before),
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  }
}

const requestTo = (port: number, body: string | Uint8Array = '{}') => ({
  url: `http://127.0.0.1:${port}/`,
  headers: { 'x-team': 'roads' },
  sentAt: Date.now(),
  body,
})

test('requests are signed and sent by the thread, and each gets its own result', async () => {
  const secret = newSecret(randomBytes)
  await using receiver = await receive(async (request, response) => {
    const body = await bodyOf(request)
    assert.equal(request.headers['x-team'], 'roads')
    const { number } = new Webhook(secret).verify(body, request.headers as Record<string, string>) as { number: number }
    response.writeHead(number % 2 === 0 ? 200 : 500).end(`for ${number}`)
  })
  await using it = start()
  const numbers = Array.from({ length: 50 }, (_, index) => index)
  const results = await Promise.all(
    numbers.map((number) => {
      const text = JSON.stringify({ number, name: 'Şalgam' })
      const body = number % 3 === 0 ? Buffer.from(text) : text
      return it.sender.post({ ...requestTo(receiver.port, body), signing: { id: `msg_${number}`, secrets: [secret] } })
    }),
  )
  for (const [number, sent] of results.entries())
    assert.partialDeepStrictEqual(sent, {
      kind: 'answered',
      status: number % 2 === 0 ? 200 : 500,
      body: `for ${number}`,
    })
  assert.equal(it.threads().length, 1)
  assert.deepEqual(it.losses, [])
})

test('the thread refuses private addresses, by number and by name', async () => {
  await using receiver = await receive((_, response) => response.end())
  await using it = start({ allowPrivate: false })
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1']) {
    const sent = await it.sender.post({ ...requestTo(receiver.port), url: `https://${host}:${receiver.port}/` })
    assert.partialDeepStrictEqual(sent, { kind: 'failed', failure: 'refused_address' }, host)
  }
  assert.equal(receiver.connections(), 0)
})

test('a message that cannot be signed is an error of its own, and the thread goes on', async () => {
  await using receiver = await receive((_, response) => response.end())
  await using it = start()
  const unsigned = it.sender.post({ ...requestTo(receiver.port), signing: { id: 'msg_1', secrets: [] } })
  await assert.rejects(unsigned, (error) => !(error instanceof SenderLost) && /no secret/.test(String(error)))
  assert.partialDeepStrictEqual(await it.sender.post(requestTo(receiver.port)), { status: 200 })
  assert.equal(it.threads().length, 1)
})

test('a thread that ends gives its open requests back at once, and the next request starts another', async () => {
  const open: ServerResponse[] = []
  await using receiver = await receive((_, response) => {
    open.push(response)
    if (open.length > 2) response.end()
  })
  await using it = start()
  const lost = [it.sender.post(requestTo(receiver.port)), it.sender.post(requestTo(receiver.port))].map((post) =>
    assert.rejects(post, SenderLost),
  )
  await until(() => open.length === 2)
  await it.threads()[0]!.terminate()
  await Promise.all(lost)
  assert.equal(it.losses.length, 1)
  const again = await Promise.all([it.sender.post(requestTo(receiver.port)), it.sender.post(requestTo(receiver.port))])
  for (const sent of again) assert.partialDeepStrictEqual(sent, { kind: 'answered', status: 200 })
  assert.equal(it.threads().length, 2)
})

test('closing waits for open requests; later ones are given back', async () => {
  let finish = () => {}
  await using receiver = await receive((_, response) => {
    finish = () => response.end()
  })
  await using it = start()
  const order: string[] = []
  const sending = it.sender.post(requestTo(receiver.port)).then((sent) => {
    assert.partialDeepStrictEqual(sent, { kind: 'answered', status: 200 })
    order.push('sent')
  })
  await until(() => receiver.connections() === 1)
  const exited = once(it.threads()[0]!, 'exit')
  const closed = it.sender[Symbol.asyncDispose]().then(() => order.push('closed'))
  await assert.rejects(it.sender.post(requestTo(receiver.port)), SenderLost)
  await until(() => {
    finish()
    return order.length === 2
  })
  await Promise.all([sending, closed, exited])
  assert.deepEqual(order, ['sent', 'closed'])
  assert.deepEqual(it.losses, [])
})

test('a thread starts when it is needed, or made ready', async () => {
  await using unused = start()
  await unused.sender[Symbol.asyncDispose]()
  assert.equal(unused.threads().length, 0)
  unused.sender.prepare()
  assert.equal(unused.threads().length, 0, 'not after it was closed')
  await using ready = start()
  ready.sender.prepare()
  ready.sender.prepare()
  await until(() => ready.threads().length === 1)
})
