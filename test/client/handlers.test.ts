import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import fastify from 'fastify'
import { expressHandler, fastifyWebhooks, fetchHandler, type HandleMessage } from '../../client/src/handlers/index.ts'
import { signTestMessage, type WebhookMessage } from '../../client/src/index.ts'
import { newSecret } from '../../src/deliveries/send/signature.ts'

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
