import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import fastify from 'fastify'
import { Webhook } from 'standardwebhooks'
import { expressHandler, fastifyWebhooks, fetchHandler, type HandleMessage } from '../../client/src/handlers/index.ts'
import { signTestMessage, unwrap, type WebhookMessage, type WebhookRefusal } from '../../client/src/index.ts'
import { newSecret } from '../../src/deliveries/send/signature.ts'

const secret = newSecret((size) => new Uint8Array(size).fill(7))
const another = newSecret((size) => new Uint8Array(size).fill(8))
const NOW = Date.parse('2026-05-01T06:31:00Z')
const at = { now: NOW }

test('a message that this package signs verifies with standardwebhooks', async () => {
  const { headers, body } = await signTestMessage({ event: 'incident.updated' }, secret)
  assert.deepEqual(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body))
})

test('a message that standardwebhooks signs verifies with this package', async () => {
  const body = JSON.stringify({ event: 'incident.created', incident: { summary: 'Ọ̀yọ́ — “quoted” 🚧' } })
  const signature = new Webhook(secret).sign('msg_1', new Date(NOW), body)
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW / 1000), 'webhook-signature': signature }
  assert.deepEqual(await unwrap({ headers, body }, secret, at), JSON.parse(body))
})

test('every kind of request is read', async () => {
  const { headers, body } = await signTestMessage({ event: 'incident.created' }, secret, at)
  const bytes = new TextEncoder().encode(body)
  const mixedCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  async function* chunks() {
    yield Buffer.from(bytes.subarray(0, 10))
    yield Buffer.from(bytes.subarray(10))
  }
  const requests = {
    Request: new Request('http://localhost/', { method: 'POST', headers, body }),
    'headers and text': { headers, body },
    'headers and bytes': { headers: new Headers(headers), body: bytes },
    'a buffer of memory': { headers: mixedCase, body: bytes.slice().buffer },
    'a request of Node': Object.assign(chunks(), { headers }),
    'a parsed body with the raw one beside it': { headers, body: JSON.parse(body), rawBody: Buffer.from(body) },
  }
  for (const [name, request] of Object.entries(requests)) {
    assert.equal((await unwrap(request, secret, at)).event, 'incident.created', name)
  }
})

test('one of several secrets is enough, and so is one of several signatures', async () => {
  const { headers, body } = await signTestMessage({}, secret, at)
  const other = await signTestMessage({}, another, at)
  await unwrap({ headers, body }, [another, secret], at)
  const both = `v1a,ignored ${other.headers['webhook-signature']} ${headers['webhook-signature']}`
  await unwrap({ headers: { ...headers, 'webhook-signature': both }, body }, secret, at)
})

test('what is tampered with, old or unsigned is refused', async () => {
  const { headers, body } = await signTestMessage({}, secret, at)
  const signature = headers['webhook-signature']!
  const cases: [WebhookRefusal, Record<string, string | undefined>, unknown?, number?][] = [
    ['wrong_signature', headers, body.replace('Test', 'Tset')],
    ['wrong_signature', { ...headers, 'webhook-id': 'msg_2' }],
    ['wrong_signature', { ...headers, 'webhook-timestamp': String(NOW / 1000 + 1) }],
    ['wrong_signature', { ...headers, 'webhook-signature': signature.slice(0, -5) }],
    ['wrong_signature', { ...headers, 'webhook-signature': signature.replace('v1,', 'v2,') }],
    ['wrong_signature', { ...headers, 'webhook-signature': 'v1,' }],
    ['wrong_signature', { ...headers, 'webhook-signature': 'v1,*' }],
    ['missing_header', { ...headers, 'webhook-signature': undefined }],
    ['missing_header', { ...headers, 'webhook-id': '' }],
    ['missing_header', {}],
    ['malformed_timestamp', { ...headers, 'webhook-timestamp': '1e9' }],
    ['too_old', headers, body, NOW + 301_000],
    ['too_new', headers, body, NOW - 301_000],
    ['body_already_parsed', headers, JSON.parse(body)],
    ['body_too_large', headers, 'x'.repeat(2_000_000)],
  ]
  for (const [reason, given, text = body, now = NOW] of cases) {
    const request = { headers: given, body: text as string }
    await assert.rejects(unwrap(request, secret, { now }), { name: 'WebhookError', reason }, `${reason}: ${given}`)
  }
  await assert.rejects(unwrap({ headers, body }, another, at), { reason: 'wrong_signature' })
})

test('a request that was read before is refused by that name', async () => {
  const { headers, body } = await signTestMessage({}, secret, at)
  const request = new Request('http://localhost/', { method: 'POST', headers, body })
  await request.json()
  await assert.rejects(unwrap(request, secret, at), { reason: 'body_already_parsed' })
})

test('a secret that is none is refused, instead of verifying with an empty key', async () => {
  const { headers, body } = await signTestMessage({}, secret, at)
  for (const wrong of ['', 'whsec_', 'whsec_AAAA', 'secret']) {
    await assert.rejects(unwrap({ headers, body }, wrong, at), TypeError)
  }
  await assert.rejects(unwrap({ headers, body }, [], at), TypeError)
})

describe('handlers', () => {
  const secret = newSecret((size) => new Uint8Array(size).fill(7))

  interface Endpoint extends AsyncDisposable {
    readonly send: (request: RequestInit) => Promise<Response>
  }

  /** Each way to serve an endpoint, with the same function behind it. */
  const ENDPOINTS: Record<string, (handle: HandleMessage) => Promise<Endpoint>> = {
    async fetch(handle) {
      const handler = fetchHandler(secret, handle)
      return { send: (init) => handler(new Request('http://localhost/hook', init)), async [Symbol.asyncDispose]() {} }
    },
    async 'Express and node:http'(handle) {
      const server = createServer(expressHandler(secret, handle)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      return {
        send: (init) => fetch(`http://127.0.0.1:${port}/hook`, init),
        async [Symbol.asyncDispose]() {
          server.closeAllConnections()
          server.close()
        },
      }
    },
    async Fastify(handle) {
      const app = fastify()
      app.post('/json', async ({ body }) => body)
      app.register(fastifyWebhooks(secret, handle), { prefix: '/hook' })
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      const other = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"parsed":true}' }
      assert.deepEqual(await (await fetch(`${url}/json`, other)).json(), { parsed: true })
      return { send: (init) => fetch(`${url}/hook`, init), [Symbol.asyncDispose]: () => app.close() }
    },
  }

  for (const [name, start] of Object.entries(ENDPOINTS)) {
    test(`${name}: a message is handled once it is verified`, async () => {
      const messages: WebhookMessage[] = []
      await using endpoint = await start(async (message) => {
        if (message.event === 'incident.retracted') throw new Error('the disk is full')
        messages.push(message)
      })
      const { headers, body } = await signTestMessage({ event: 'incident.created' }, secret)
      const statusOf = async (init: RequestInit) => (await endpoint.send({ method: 'POST', ...init })).status

      assert.equal(await statusOf({ headers, body }), 204)
      assert.deepEqual(messages, [JSON.parse(body)])
      assert.equal(await statusOf({ headers, body: `${body} ` }), 400)
      assert.equal(await statusOf({ headers }), 400)
      assert.equal(await statusOf({ headers: { 'content-type': 'application/json' }, body }), 400)
      assert.equal(await statusOf({ headers: { ...headers, 'content-type': 'text/plain' }, body }), 204)
      // 500 asks the service to send it again.
      const failing = await signTestMessage({ event: 'incident.retracted' }, secret)
      assert.equal(await statusOf(failing), 500)
      assert.ok([404, 405].includes((await endpoint.send({ method: 'GET' })).status))
      assert.equal(messages.length, 2)
    })
  }

  test('a body that a framework has parsed is the fault of the endpoint, and its owner is told', async () => {
    const errors: unknown[] = []
    const { headers, body } = await signTestMessage({}, secret)
    const handler = expressHandler(secret, () => {}, { onError: (error) => errors.push(error) })
    const response = { statusCode: 0, setHeader() {}, end() {} }
    const parsed = { method: 'POST', headers, body: JSON.parse(body), async *[Symbol.asyncIterator]() {} }
    await handler(parsed, response)
    assert.equal(response.statusCode, 500)
    assert.match(String(errors[0]), /verify the raw bytes/)
  })
})
