import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import pino from 'pino'
import { start } from '../../src/app.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { machine, SynchronizedClock } from '../../src/lib/runtime.ts'
import { followDatabaseClock } from '../../src/startup/clock.ts'
import { logLine } from '../../src/startup/log.ts'
import { stopSentence } from '../../src/startup/stopping.ts'
import { openStore } from '../../src/store/open.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

const NEVER_MS = 600_000
const PATIENT = { headersMs: NEVER_MS, requestMs: NEVER_MS, silenceMs: NEVER_MS, slowReaderMs: NEVER_MS }
const clients: Socket[] = []
after(() => {
  for (const client of clients) client.destroy()
})

function send(app: TestApp, bytes: string): Socket {
  const { hostname, port } = new URL(app.url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  // Nothing is read, and the connection is never closed from this side.
  socket.pause().on('error', () => {})
  socket.write(bytes)
  clients.push(socket)
  return socket
}

const openConnections = (app: TestApp): Promise<number> =>
  new Promise((resolve) => app.app.server.server.getConnections((_, count) => resolve(count)))

test('stopping ends whatever clients do, and gives the leases of deliveries back', async () => {
  await using folder = await temporaryFolder()
  await using hanging = await startEndpoint()
  hanging.answer = () => {}
  const databaseUrl = `sqlite:${join(folder.path, 'feed.db')}`
  const app = await startTestApp(
    { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'true' },
    { connections: PATIENT, stopping: { requestsMs: 50 } },
  )
  const { text } = await app.issue()
  assert.equal((await app.post('/v1/watches', { name: 'Hanging', url: hanging.url, filter: {} }, text)).status, 201)
  await app.publish(
    Array.from({ length: 50 }, (_, index) => ({
      ...anIncident(index + 1, { published_at: new Date().toISOString() }),
      summary: 'x'.repeat(20_000),
    })),
  )
  await until(() => hanging.messages.length > 0, 'a delivery in flight')
  const authorized = `Host: a\r\nAuthorization: Bearer ${text}\r\n`
  const before = await openConnections(app)
  send(app, '')
  send(app, 'GET / HTTP/1.1\r\nHost: a\r\n')
  send(
    app,
    `POST /v1/watches HTTP/1.1\r\n${authorized}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`,
  )
  send(app, `GET /v1/incidents?limit=1000 HTTP/1.1\r\n${authorized}\r\n`.repeat(50))
  send(app, `GET /v1/stream HTTP/1.1\r\n${authorized}\r\n`)
  send(app, 'NONSENSE\r\n\r\n')
  await until(async () => (await openConnections(app)) >= before + 5, 'the connections')
  await app[Symbol.asyncDispose]()
  await using store = await openStore(databaseUrl)
  const { leased, waiting } = await store.deliveries.queueDepth(1000)
  assert.deepEqual([leased, waiting], [0, 50])
})

test('a request that was there before the stop is answered, and its connection closed', async () => {
  const app = await startTestApp()
  const { text } = await app.issue()
  const body = JSON.stringify({ name: 'Late' })
  const socket = send(
    app,
    `POST /v1/keys HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${text}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await until(async () => (await openConnections(app)) > 0)
  // The headers must have arrived: the connection of a request that has not begun is idle.
  await app.get('/healthz')
  const stopped = app[Symbol.asyncDispose]()
  socket.write(body)
  const [answer] = (await once(socket.resume(), 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1.1 201 Created/)
  await stopped
})

test('a stop while the database cannot be reached ends the start', async () => {
  const { start } = await import('../../src/app.ts')
  const { readConfig } = await import('../../src/config/read-config.ts')
  const { default: pino } = await import('pino')
  const config = readConfig({ DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: '0' }, [])
  const app = await start(config, { logger: pino({ level: 'silent' }) })
  assert.equal((await problemOf(await fetch(`${app.url}/v1/taxonomy`))).code, 'missing_key')
  await app[Symbol.asyncDispose]()
  await assert.rejects(app.ready)
})

test('the sentence of a stop names what is under way', () => {
  assert.equal(stopSentence({ requests: 0, streams: 0, deliveries: 0 }), 'nothing is under way')
  assert.equal(stopSentence({ requests: 1, streams: 0, deliveries: 0 }), 'waiting for 1 request')
  assert.equal(
    stopSentence({ requests: 2, streams: 12, deliveries: 1 }),
    'waiting for 2 requests, 1 delivery and 12 streams',
  )
})

test('stopping logs the open requests, the deliveries under way and the streams', async () => {
  await using hanging = await startEndpoint()
  hanging.answer = () => {}
  const messages: string[] = []
  const log = new Writable({
    write(chunk, _, done) {
      messages.push((JSON.parse(String(chunk)) as { msg: string }).msg)
      done()
    },
  })
  const app = await startTestApp(
    { WEBHOOK_ALLOW_PRIVATE: 'true' },
    { logger: pino({ level: 'info' }, log), stopping: { requestsMs: 50 } },
  )
  const { text } = await app.issue()
  assert.equal((await app.post('/v1/watches', { name: 'Hanging', url: hanging.url, filter: {} }, text)).status, 201)
  await app.publish([{ ...anIncident(1, { published_at: new Date().toISOString() }) }])
  await until(() => hanging.messages.length > 0, 'a delivery in flight')
  const { hostname, port } = new URL(app.url)
  const stream = await app.get('/v1/stream', text)
  const half = connect({ port: Number(port), host: hostname }).on('error', () => {})
  await once(half, 'connect')
  half.write(
    `POST /v1/watches HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${text}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`,
  )
  await until(async () => /connections_open [3-9]/.test(await (await app.get('/metrics')).text()), 'the half request')
  await app[Symbol.asyncDispose]()
  assert.ok(messages.includes('stopping: waiting for 1 request, 1 delivery and 1 stream'), messages.join('\n'))
  assert.ok(messages.includes('stopped'))
  await stream.body?.cancel().catch(() => {})
  half.destroy()
})

const TIME = Date.UTC(2026, 10, 16)
const YEARS = 10 * 365 * 86_400_000
const options = {
  retryStore: <Value>(attempt: () => Promise<Value>) => attempt(),
  runtime: machine,
  logger: pino({ level: 'silent' }),
}

test('a node whose clock is years ahead uses the time of the database from its start', async () => {
  const clock = new SynchronizedClock({ wallClock: () => TIME + YEARS, elapsed: () => 0 })
  await using _following = await followDatabaseClock(clock, { readTime: async () => TIME }, options)
  assert.equal(clock.now(), TIME)
})

test('with a database that has no clock, the clock of the machine counts', async () => {
  const clock = new SynchronizedClock({ wallClock: () => TIME + YEARS, elapsed: () => 0 })
  await using _following = await followDatabaseClock(clock, { readTime: null }, options)
  assert.equal(clock.now(), TIME + YEARS)
})

const LOGGED_AT = new Date(2026, 10, 16, 21, 40, 5).getTime()
const entry = { level: 30, time: LOGGED_AT, pid: 7, hostname: 'vm' }

test('an entry of the log is one line with the time of day, the message and its fields', () => {
  assert.equal(logLine({ ...entry, msg: 'ready', incidents: 3, seq: 12 }), '21:40:05 ready (incidents 3, seq 12)\n')
  assert.equal(logLine({ ...entry, msg: 'stopped' }), '21:40:05 stopped\n')
})

test('a warning and an error say so', () => {
  assert.equal(logLine({ ...entry, level: 40, msg: 'slow' }), '21:40:05 warning: slow\n')
  assert.equal(logLine({ ...entry, level: 50, msg: 'broken' }), '21:40:05 error: broken\n')
})

test('the stack of an error stands beneath, indented', () => {
  const line = logLine({ ...entry, level: 40, msg: 'failed', err: { message: 'x', stack: 'Error: x\n    at y' } })
  assert.equal(line, '21:40:05 warning: failed\n         Error: x\n             at y\n')
})

test('control characters of clients do not reach the terminal', () => {
  const line = logLine({ ...entry, msg: 'a\u001b[2Jb\nc\u009b31m', url: '/\r\u202ex', deep: { word: '\u009b' } })
  assert.equal(line, '21:40:05 a\\u001b[2Jb\\u000ac\\u009b31m (url /\\u000d\\u202ex, deep {"word":"\\u009b"})\n')
})

test('requests during the start are no errors in the log', async () => {
  let log = ''
  const destination = new Writable({
    write(chunk, _, done) {
      log += chunk
      done()
    },
  })
  const config = readConfig(
    { DATABASE_URL: 'postgres://127.0.0.1:1/none', SECRETS_KEY: TEST_SECRETS_KEY, PORT: '0' },
    [],
  )
  await using app = await start(config, { logger: pino(destination) })
  for (const path of ['/', '/v1/incidents', '/v1/status', '/metrics'])
    assert.equal(
      (await fetch(app.url + path, { headers: { authorization: `Bearer ${generateKey('live', randomBytes)}` } }))
        .status,
      503,
      path,
    )
  assert.doesNotMatch(log, /a request failed/)
})
