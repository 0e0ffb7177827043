import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DescriptorDestination, LineBatches, type LineDestination, LoggedAddresses } from '../../src/api/request-log.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'

describe('request log', () => {
  type Line = Record<string, unknown>

  /** A service that logs requests, and the lines so far. */
  async function startLogging(settings: Record<string, string>) {
    let text = ''
    let destinations = 0
    const requestLog = (): LineDestination => {
      destinations++
      return {
        write(written) {
          text += written
          return true
        },
        flush: async () => {},
      }
    }
    const service = await startTestApp(settings, { requestLog })
    const lines = (): Line[] =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line)
    const linesAfter = async (count: number) => {
      await until(() => lines().length >= count, `${count} lines`)
      return lines()
    }
    return {
      service: service as TestApp,
      text: () => text,
      destinations: () => destinations,
      linesAfter,
      [Symbol.asyncDispose]: service[Symbol.asyncDispose],
    }
  }

  test('nothing is logged unless the operator asks for it', async () => {
    await using log = await startLogging({})
    await log.service.get('/v1/incidents')
    assert.equal(log.destinations(), 0)
  })

  test('a line has id, method, route, status, time, bytes and the id of the key, and neither key nor question', async () => {
    await using log = await startLogging({ LOG_REQUESTS: 'all' })
    const { key, text: secret } = await log.service.issue()
    await log.service.publish([anIncident()])
    const answer = await log.service.get('/v1/incidents?state=kaduna&near=11.08,7.71&radius_km=50', secret)
    const body = await answer.arrayBuffer()
    const [line] = await log.linesAfter(1)
    const { time, pid, hostname, ms, bytes, address, ...rest } = line!
    assert.deepEqual(rest, {
      level: 30,
      request_id: answer.headers.get('x-request-id'),
      method: 'GET',
      route: '/v1/incidents',
      status: 200,
      key: key.id,
      msg: 'request',
    })
    assert.ok(Math.abs((time as number) - Date.now()) < 60_000)
    assert.equal(pid, process.pid)
    assert.equal(typeof hostname, 'string')
    assert.ok((ms as number) > 0)
    // The connection carries the headers too.
    assert.ok((bytes as number) > body.byteLength && (bytes as number) < body.byteLength + 2000, String(bytes))
    assert.match(address as string, /^[0-9a-f]{12}$/)
    for (const unwanted of [secret, secret.slice(10, 30), 'kaduna', '11.08', '127.0.0.1'])
      assert.ok(!log.text().includes(unwanted), unwanted)
  })

  test('each answer on a connection has its own bytes', async () => {
    await using log = await startLogging({ LOG_REQUESTS: 'all' })
    const { hostname, port } = new URL(log.service.url)
    const request = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`
    const received = await new Promise<number>((resolve, reject) => {
      let bytes = 0
      let answers = 0
      const socket = connect(Number(port), hostname, () => socket.write(request))
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        bytes += chunk.length
        answers++
        if (answers < 3) socket.write(request)
        else resolve(bytes)
      })
    })
    const lines = await log.linesAfter(3)
    assert.equal(
      lines.reduce((sum, { bytes }) => sum + (bytes as number), 0),
      received,
    )
    assert.equal(new Set(lines.map(({ bytes }) => bytes)).size, 1)
  })

  test('errors are those from 400 on; an unknown path has no route, and is not repeated', async () => {
    await using log = await startLogging({ LOG_REQUESTS: 'errors' })
    await log.service.get('/healthz')
    await log.service.get('/v1/incidents', null)
    await log.service.get('/no/such/path-in-the-log')
    await log.service.get('/v1/incidents?state=nowhere')
    const lines = await log.linesAfter(3)
    assert.deepEqual(
      lines.map(({ status, route, key }) => [status, route, typeof key]),
      [
        [401, '/v1/incidents', 'undefined'],
        [404, null, 'undefined'],
        [400, '/v1/incidents', 'string'],
      ],
    )
    assert.ok(!log.text().includes('such'))
  })

  test('the address behind a trusted proxy is the client’s; a forged one never is', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
    for (const [proxies, expected] of [
      ['loopback', '198.51.100.7'],
      ['false', '127.0.0.1'],
    ] as const) {
      await using log = await startLogging({ LOG_REQUESTS: 'all', LOG_ADDRESSES: 'full', TRUST_PROXY: proxies })
      await log.service.get('/healthz', null, forwarded)
      const [line] = await log.linesAfter(1)
      assert.equal(line!.address, expected)
    }
  })

  test('no line says anything about the address if the operator wants none', async () => {
    await using log = await startLogging({ LOG_REQUESTS: 'all', LOG_ADDRESSES: 'none' })
    await log.service.get('/healthz')
    const [line] = await log.linesAfter(1)
    assert.ok(!('address' in line!))
  })

  test('a session is logged by its id, with the key that opened it', async () => {
    await using log = await startLogging({ LOG_REQUESTS: 'all' })
    const { key, text } = await log.service.issue()
    const opened = await log.service.post('/v1/sessions', { key: text }, null, { 'sec-fetch-site': 'same-origin' })
    assert.equal(opened.status, 201, await opened.clone().text())
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    await log.service.get('/v1/me', null, { cookie })
    const lines = await log.linesAfter(2)
    const { key: loggedKey, session, route } = lines[1]!
    assert.equal(route, '/v1/me')
    assert.equal(loggedKey, key.id)
    assert.match(session as string, /^ses_/)
    assert.ok(!log.text().includes(cookie.split('=')[1]!))
  })

  test('a stream is logged when it ends, also if its client left', async () => {
    await using log = await startLogging({ LOG_REQUESTS: 'all' })
    const { text } = await log.service.issue()
    const leave = new AbortController()
    const stream = await fetch(`${log.service.url}/v1/stream`, {
      headers: { authorization: `Bearer ${text}` },
      signal: leave.signal,
    })
    assert.equal(stream.status, 200)
    assert.equal(log.text(), '')
    leave.abort()
    const [line] = await log.linesAfter(1)
    assert.equal(line!.route, '/v1/stream')
    assert.ok((line!.bytes as number) > 0)
  })

  test('a client that leaves before it has an answer is logged with 499', async () => {
    await using log = await startLogging({ LOG_REQUESTS: 'errors' })
    const { text } = await log.service.issue()
    const { hostname, port } = new URL(log.service.url)
    const socket = connect(Number(port), hostname)
    // The server asks for the body, which never comes.
    const head = [
      'POST /v1/watches HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${text}`,
      'Content-Type: application/json',
    ]
    socket.write([...head, 'Content-Length: 50', 'Expect: 100-continue', '', ''].join('\r\n'))
    await once(socket, 'data')
    socket.destroy()
    const [line] = await log.linesAfter(1)
    assert.equal(line!.route, '/v1/watches')
    assert.equal(line!.status, 499)
  })

  test('the last lines are written before the service has stopped', async () => {
    const log = await startLogging({ LOG_REQUESTS: 'all' })
    await log.service.get('/healthz')
    await log[Symbol.asyncDispose]()
    assert.equal((await log.linesAfter(1)).length, 1)
  })
})

describe('line batches', () => {
  /** A destination that can refuse, as one whose reader hangs. */
  function aDestination() {
    const written: string[] = []
    const state = { isFull: false }
    const destination: LineDestination = {
      write(text) {
        if (!state.isFull) written.push(text)
        return !state.isFull
      },
      flush: async () => {},
    }
    return { destination, written, state }
  }

  test('many lines share one write, of which none is larger than a pipe takes in one piece', async () => {
    const { destination, written } = aDestination()
    const batches = new LineBatches(destination, () => '')
    const lines = Array.from({ length: 100 }, (_, number) => `${String(number).padEnd(200, '.')}\n`)
    for (const line of lines) batches.add(line)
    await batches.flush()
    assert.equal(written.join(''), lines.join(''))
    assert.equal(written.length, 5)
    assert.ok(written.every((text) => text.length <= 4096 && text.endsWith('\n')))
  })

  test('a line is written soon, even if no other follows', async () => {
    const { destination, written } = aDestination()
    new LineBatches(destination, () => '').add('one\n')
    assert.deepEqual(written, [])
    await until(() => written.length > 0)
    assert.deepEqual(written, ['one\n'])
  })

  test('lines that nobody reads are dropped and counted, and the log says how many', async () => {
    const { destination, written, state } = aDestination()
    const batches = new LineBatches(destination, (count) => `dropped ${count}\n`)
    state.isFull = true
    batches.add('one\n')
    batches.add('two\n')
    await batches.flush()
    state.isFull = false
    batches.add('three\n')
    await batches.flush()
    assert.deepEqual(written, ['dropped 2\n', 'three\n'])
  })

  test('a file has every line, in order', async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'log')
    const descriptor = openSync(path, 'a')
    const batches = new LineBatches(new DescriptorDestination(descriptor), () => '')
    const lines = Array.from({ length: 1000 }, (_, number) => `line ${number} ${'.'.repeat(100)}\n`)
    for (const line of lines) batches.add(line)
    await batches.flush()
    assert.equal(readFileSync(path, 'utf8'), lines.join(''))
    closeSync(descriptor)
  })
})

describe('logged addresses', () => {
  const DAY_MS = 86_400_000
  const MORNING = Date.UTC(2026, 10, 16, 6)

  test('a hash stays the same for a day, differs between addresses, and does not contain the address', () => {
    const addresses = new LoggedAddresses('hashed', randomBytes)
    const one = addresses.textOf(() => '192.0.2.1', MORNING)
    assert.match(one!, /^[0-9a-f]{12}$/)
    assert.equal(
      addresses.textOf(() => '192.0.2.1', MORNING + DAY_MS / 2),
      one,
    )
    assert.notEqual(
      addresses.textOf(() => '192.0.2.2', MORNING),
      one,
    )
  })

  test('the next day (UTC) and another start have other hashes', () => {
    const addresses = new LoggedAddresses('hashed', randomBytes)
    const before = addresses.textOf(() => '192.0.2.1', MORNING)
    const after = addresses.textOf(() => '192.0.2.1', MORNING + DAY_MS)
    const elsewhere = new LoggedAddresses('hashed', randomBytes).textOf(() => '192.0.2.1', MORNING)
    assert.equal(new Set([before, after, elsewhere]).size, 3)
  })

  test('the /64 of an IPv6 address is one client', () => {
    const addresses = new LoggedAddresses('hashed', randomBytes)
    assert.equal(
      addresses.textOf(() => '2001:db8:0:1::1', MORNING),
      addresses.textOf(() => '2001:db8:0:1:ffff::2', MORNING),
    )
  })

  test('the address is logged, or not even looked at', () => {
    const full = new LoggedAddresses('full', randomBytes)
    assert.equal(
      full.textOf(() => '192.0.2.1', MORNING),
      '192.0.2.1',
    )
    const none = new LoggedAddresses('none', randomBytes)
    const unread = () => assert.fail('the address was read')
    assert.equal(none.textOf(unread, MORNING), null)
  })
})
