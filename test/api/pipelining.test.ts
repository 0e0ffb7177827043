import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

const ADDRESS = JSON.stringify({ email: 'someone@example.org' })

describe('requests that a client sends ahead', () => {
  const clients: Socket[] = []
  after(() => {
    for (const client of clients) client.destroy()
  })

  function connectTo(app: TestApp): Socket {
    const { hostname, port } = new URL(app.url)
    const socket = connect({ port: Number(port), host: hostname })
    // The service may reset the connection at any time.
    socket.on('error', () => {})
    clients.push(socket)
    return socket
  }

  /** The text received so far. */
  function collect(socket: Socket): () => string {
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
    })
    return () => received
  }

  const get = (path: string, ...headers: string[]) =>
    [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')
  const last = (path: string) => get(path, 'Connection: close')
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  const newKey = (body: string, ...headers: string[]) =>
    [
      'POST /v1/keys HTTP/1.1',
      'Host: a',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...headers,
      '',
      body,
    ].join('\r\n')
  const openConnections = (app: TestApp): Promise<number> =>
    new Promise((resolve) => app.app.server.server.getConnections((_, count) => resolve(count)))

  test('are all answered, in their order, however many come at once', async () => {
    await using app = await startTestApp()
    const paths = Array.from({ length: 1500 }, (_, number) => (number % 3 === 0 ? '/nowhere' : '/healthz'))
    const socket = connectTo(app)
    socket.write(paths.map((path) => get(path, `X-Padding: ${'x'.repeat(80)}`)).join('') + last('/healthz'))
    const expected = paths.map((path) => (path === '/healthz' ? 200 : 404))
    assert.deepEqual(statuses(await readText(socket)), [...expected, 200])
  })

  test('begin one after another, so that other clients wait for one only', async () => {
    await using app = await startTestApp()
    const many = connectTo(app)
    const other = connectTo(app)
    await Promise.all([once(many, 'connect'), once(other, 'connect')])
    const received = collect(many)
    many.write(get('/healthz').repeat(500))
    other.write(last('/healthz'))
    assert.match(await readText(other), /^HTTP\/1\.1 200 /)
    const before = statuses(received()).length
    assert.ok(before < 100, `${before} requests of one connection were answered before that of another`)
    await until(() => statuses(received()).length === 500)
  })

  test('do not begin while a stream lasts', async () => {
    await using app = await startTestApp()
    const { text } = await app.issue()
    const before = await countKeys(app)
    const socket = connectTo(app)
    const received = collect(socket)
    socket.write(get('/v1/stream', `Authorization: Bearer ${text}`) + newKey(ADDRESS))
    await until(() => received().includes('text/event-stream'))
    await app.get('/healthz')
    assert.equal(await countKeys(app), before)
    socket.destroy()
    await until(async () => (await openConnections(app)) <= 1)
    assert.equal(await countKeys(app), before)
  })

  test('do not begin once their client has left', async () => {
    await using app = await startTestApp({ SIGNUPS_PER_HOUR: '1000' })
    const before = await countKeys(app)
    const socket = connectTo(app)
    socket.write(newKey(ADDRESS).repeat(100))
    await until(async () => (await countKeys(app)) > before)
    socket.destroy()
    await until(async () => (await openConnections(app)) === 0)
    const after = await countKeys(app)
    assert.ok(after < before + 50, `${after - before} of 100 requests were run`)
  })

  test('may have bodies, expect 100-continue, be HEAD, or be the last', async () => {
    await using app = await startTestApp()
    const socket = connectTo(app)
    const long = JSON.stringify({ email: 'x'.repeat(200_000) })
    const received = collect(socket)
    socket.write(
      newKey(ADDRESS) +
        get('/healthz').replace('GET', 'HEAD') +
        get('/healthz').repeat(20) +
        newKey(long) +
        newKey(ADDRESS, 'Expect: 100-continue') +
        last('/healthz') +
        get('/healthz'),
    )
    await once(socket, 'close')
    const kept = Array.from({ length: 20 }, () => 200)
    assert.deepEqual(statuses(received()), [201, 200, ...kept, 422, 100, 201, 200])
  })

  test('are answered before what is not HTTP is refused', async () => {
    await using app = await startTestApp()
    const socket = connectTo(app)
    socket.write(`${get('/healthz').repeat(30)}NONSENSE\r\n\r\n`)
    const received = await readText(socket)
    assert.deepEqual(statuses(received), [...Array.from({ length: 30 }, () => 200), 400])
  })

  test('are answered although the rest of the last one comes late; it is not called late', async () => {
    const connections = { headersMs: 50, requestMs: 60, checkIntervalMs: 10 }
    await using app = await startTestApp({}, { connections })
    const { text } = await app.issue()
    const summary = 'x'.repeat(20_000)
    await app.publish(Array.from({ length: 500 }, (_, index) => ({ ...anIncident(index), summary })))
    const socket = connectTo(app)
    socket.pause()
    const list = get('/v1/incidents?limit=1000', `Authorization: Bearer ${text}`)
    socket.write(`${list.repeat(3)}${get('/healthz').repeat(20)}GET /healthz HTTP/1.1\r\nHost:`)
    // Longer than the time that a request may take; the answers cannot be sent meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 200))
    const received = await readText(socket)
    assert.deepEqual(
      statuses(received),
      Array.from({ length: 23 }, () => 200),
    )
  })

  test('are not read while they cannot begin', async () => {
    await using app = await startTestApp()
    const { text } = await app.issue()
    const accepted = once(app.app.server.server, 'connection')
    const socket = connectTo(app)
    const [connection] = (await accepted) as [Socket]
    const received = collect(socket)
    const large = get('/healthz', `X-Padding: ${'x'.repeat(8000)}`)
    socket.write(get('/v1/stream', `Authorization: Bearer ${text}`) + large.repeat(2000))
    await until(() => received().includes('text/event-stream'))
    for (let turn = 0; turn < 50; turn++) await app.get('/healthz')
    assert.ok(connection.bytesRead < 1_000_000, `${connection.bytesRead} of 16,000,000 bytes were read`)
    assert.equal(connection.destroyed, false)
  })

  test('are bounded in all: above that, connections that send more are closed', async () => {
    await using app = await startTestApp()
    const { text } = await app.issue()
    const sockets = Array.from({ length: 8 }, () => connectTo(app))
    let closed = 0
    for (const socket of sockets) {
      socket.on('close', () => closed++).resume()
      socket.write(get('/v1/stream', `Authorization: Bearer ${text}`) + get('/').repeat(3000))
    }
    await until(() => closed >= 2)
    assert.equal((await app.get('/healthz')).status, 200)
    assert.ok(closed < sockets.length)
  })
})

async function countKeys(app: TestApp): Promise<number> {
  return (await app.store.keys.list(null, 1000, null)).length
}
