import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { Webhook } from 'standardwebhooks'
import { SenderLost } from '../../../src/deliveries/send/failure.ts'
import { SENDER_THREAD_NAME, SendingThread } from '../../../src/deliveries/send/sending-thread.ts'
import { newSecret } from '../../../src/deliveries/send/signature.ts'
import { until } from '../../support/app.ts'
import { bodyOf, receive } from '../../support/receivers.ts'

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
