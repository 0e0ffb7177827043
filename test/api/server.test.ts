import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { ConnectionBounds, type ConnectionTimeouts } from '../../src/api/server.ts'
import { parseTrustedProxies } from '../../src/lib/network.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

describe('hostile clients', () => {
  const NEVER_MS = 600_000
  const PATIENT: Partial<ConnectionTimeouts> = {
    headersMs: NEVER_MS,
    requestMs: NEVER_MS,
    silenceMs: NEVER_MS,
    slowReaderMs: NEVER_MS,
  }
  const clients: Socket[] = []
  after(() => {
    for (const client of clients) client.destroy()
  })

  function connectTo(app: TestApp): Socket {
    const { hostname, port } = new URL(app.url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    // The service may reset the connection at any time.
    socket.on('error', () => {})
    clients.push(socket)
    return socket
  }

  function openConnections(app: TestApp): Promise<number> {
    return new Promise((resolve) => app.app.server.server.getConnections((_, count) => resolve(count)))
  }

  const allClosed = (app: TestApp) => until(async () => (await openConnections(app)) === 0, 'closed connections')

  const SLOW: [string, string][] = [
    ['no byte at all', ''],
    ['half of its headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    [
      'half of its body',
      'POST /v1/keys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":',
    ],
    [
      'half of its body in chunks',
      'POST /v1/keys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"email":\r\n',
    ],
  ]

  for (const [what, bytes] of SLOW) {
    test(`a client that sends ${what} is told so and closed, even if it never closes itself`, async () => {
      await using app = await startTestApp({}, { connections: { headersMs: 50, requestMs: 60, checkIntervalMs: 10 } })
      const socket = connectTo(app)
      socket.write(bytes)
      const answer = await readText(socket)
      assert.match(answer, /^HTTP\/1.1 408 Request Timeout\r\nContent-Type: application\/problem\+json/)
      assert.match(answer, /"code":"request_timeout"/)
      await allClosed(app)
    })
  }

  test('a client that sends what is not HTTP is closed, even if it never closes itself', async () => {
    await using app = await startTestApp({}, { connections: { ...PATIENT, lingerMs: 20 } })
    const sockets = Array.from({ length: 5 }, () => connectTo(app))
    for (const socket of sockets) socket.write('NONSENSE\r\n\r\n')
    for (const socket of sockets) assert.match(await readText(socket), /^HTTP\/1.1 400 /)
    await allClosed(app)
  })

  test('an address that sends what is not HTTP above its limit gets no answer', async () => {
    await using app = await startTestApp({ RATE_LIMIT_ADDRESS: '2' }, { connections: { ...PATIENT, lingerMs: 20 } })
    const answers: string[] = []
    for (let count = 0; count < 3; count++) {
      const socket = connectTo(app)
      socket.write('NONSENSE\r\n\r\n')
      answers.push((await readText(socket).catch(() => '')).slice(0, 12))
    }
    assert.deepEqual(answers, ['HTTP/1.1 400', 'HTTP/1.1 400', ''])
  })

  /** Requests answers of many megabytes, more than the buffers of the operating system hold. */
  async function requestMuch(app: TestApp): Promise<Socket> {
    const { text } = await app.issue()
    const summary = 'x'.repeat(20_000)
    await app.publish(Array.from({ length: 500 }, (_, index) => ({ ...anIncident(index), summary })))
    const socket = connectTo(app)
    socket.pause()
    const request = `GET /v1/incidents?limit=1000 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${text}\r\n\r\n`
    socket.write(request.repeat(10))
    await until(async () => (await openConnections(app)) === 1)
    return socket
  }

  test('a client that never reads its answers is closed', async () => {
    await using app = await startTestApp({}, { connections: { ...PATIENT, silenceMs: 100 } })
    await requestMuch(app)
    await allClosed(app)
  })

  test('a client that reads a little at a time is closed', async () => {
    const slow = { slowReaderMs: 200, slowReaderBytes: 100_000_000 }
    await using app = await startTestApp({}, { connections: { ...PATIENT, ...slow } })
    const socket = await requestMuch(app)
    const reading = setInterval(() => socket.read(100), 5)
    await allClosed(app)
    clearInterval(reading)
  })

  test('a client that reads at a fair pace gets everything', async () => {
    const slow = { slowReaderMs: 500, slowReaderBytes: 1 }
    await using app = await startTestApp({}, { connections: { ...PATIENT, ...slow } })
    const socket = await requestMuch(app)
    let bytes = 0
    for await (const chunk of socket) {
      bytes += chunk.length
      if (bytes > 90_000_000) break
    }
    assert.ok(bytes > 90_000_000, `${bytes} bytes`)
  })

  test('a stop lets an answer end that its client reads slowly', async () => {
    const app = await startTestApp({}, { connections: PATIENT })
    const { text } = await app.issue()
    const summary = 'x'.repeat(20_000)
    await app.publish(Array.from({ length: 500 }, (_, index) => ({ ...anIncident(index), summary })))
    const socket = connectTo(app)
    socket.write(`GET /v1/incidents?limit=1000 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${text}\r\n\r\n`)
    await once(socket, 'readable')
    const stopping = app[Symbol.asyncDispose]()
    // The service looks for idle connections every 100 ms.
    await new Promise((resolve) => setTimeout(resolve, 300))
    let bytes = 0
    for await (const chunk of socket) bytes += chunk.length
    assert.ok(bytes > 10_000_000, `${bytes} bytes`)
    await stopping
  })

  test('connections of one address are bounded; those of a trusted proxy are not', async () => {
    for (const [TRUST_PROXY, open] of [
      ['false', 3],
      ['loopback', 6],
      ['1', 6],
    ] as const) {
      const settings = { CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY }
      await using app = await startTestApp(settings, { connections: PATIENT })
      const sockets = Array.from({ length: 6 }, () => connectTo(app))
      let ended = 0
      for (const socket of sockets) socket.resume().on('end', () => ended++)
      await until(async () => ended === 6 - open && (await openConnections(app)) === open, 'the bound')
      for (const socket of sockets) socket.destroy()
      await allClosed(app)
      const again = connectTo(app)
      again.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      assert.match(await readText(again), /^HTTP\/1.1 200 /)
    }
  })

  test('malformed bytes during an answer end the connection, and are not answered in the middle of it', async () => {
    await using app = await startTestApp()
    const { text } = await app.issue()
    const socket = connectTo(app)
    socket.write(`GET /v1/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${text}\r\n\r\n`)
    await once(socket, 'readable')
    socket.write('NONSENSE\r\n\r\n')
    const received = await readText(socket).catch(() => '')
    assert.doesNotMatch(received, /HTTP\/1.1 400/)
    await allClosed(app)
  })

  test('no header is dropped: an address after two thousand others counts', async () => {
    await using app = await startTestApp({ TRUST_PROXY: 'loopback', RATE_LIMIT_ADDRESS: '1' })
    const lines: string[] = []
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) {
      const socket = connectTo(app)
      const many = 'a:1\r\n'.repeat(2500)
      socket.write(`GET /docs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${many}X-Forwarded-For: ${address}\r\n\r\n`)
      lines.push((await readText(socket)).slice(0, 12))
    }
    assert.deepEqual(lines, ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 429'])
  })

  test('a URL of more than 16 KiB is 431, as a problem', async () => {
    await using app = await startTestApp()
    const response = await app.get(`/v1/incidents?state=${'%41'.repeat(6000)}`)
    assert.equal(response.status, 431)
    assert.match(response.headers.get('content-type')!, /^application\/problem\+json/)
  })
})

describe('connection bounds', () => {
  class FakeSocket extends EventEmitter {
    readonly remoteAddress: string
    destroyed = false

    constructor(remoteAddress: string) {
      super()
      this.remoteAddress = remoteAddress
    }

    destroy(): void {
      this.destroyed = true
      this.emit('close')
    }
  }

  function boundedServer(all: number, perAddress: number, trusted = 'false') {
    let idleClosed = 0
    const server = Object.assign(new EventEmitter(), { maxConnections: 0, closeIdleConnections: () => idleClosed++ })
    const bounds = new ConnectionBounds({ all, perAddress, isTrusted: parseTrustedProxies(trusted)! })
    bounds.apply(server as unknown as Server)
    const open = (address: string): FakeSocket => {
      const socket = new FakeSocket(address)
      server.emit('connection', socket)
      return socket
    }
    return { server, bounds, open, idleClosed: () => idleClosed }
  }

  test('an IPv6 /64 counts as one address, and IPv4-mapped addresses as IPv4', () => {
    const { open, bounds } = boundedServer(100, 2)
    const refused = (...addresses: string[]) => addresses.map((address) => open(address).destroyed)
    assert.deepEqual(refused('2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'), [
      false,
      false,
      true,
      false,
    ])
    assert.deepEqual(refused('192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'), [false, false, true, false])
    assert.deepEqual(bounds.refused, { address: 2, all: 0 })
  })

  test('a closed connection makes room', () => {
    const { open } = boundedServer(100, 1)
    const first = open('192.0.2.1')
    assert.equal(open('192.0.2.1').destroyed, true)
    first.destroy()
    assert.equal(open('192.0.2.1').destroyed, false)
  })

  test('above the total, idle connections are closed; the machine itself and trusted proxies still get in', () => {
    const { server, open, bounds, idleClosed } = boundedServer(2, 2, '10.0.0.0/8')
    for (const address of ['192.0.2.1', '192.0.2.2']) assert.equal(open(address).destroyed, false)
    assert.equal(open('192.0.2.3').destroyed, true)
    assert.equal(idleClosed(), 1)
    assert.deepEqual(bounds.refused, { address: 0, all: 1 })
    for (const address of ['127.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.1'])
      assert.equal(open(address).destroyed, false)
    assert.equal(server.maxConnections, 102)
  })
})
