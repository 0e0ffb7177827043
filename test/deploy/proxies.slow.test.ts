import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { type RequestOptions, request } from 'node:https'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { LineDestination } from '../../src/api/request-log.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { answers, type Nginx, SERVER_NAME, startNginx } from '../support/external-programs.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { freePort } from '../support/receivers.ts'

/** The client connects from here, to be told from the proxy, which connects from 127.0.0.1. */
const CLIENT_ADDRESS = '127.0.0.7'

describe('the sample for nginx', () => {
  let service: TestApp
  let nginx: Nginx | string
  let logged = ''

  before(async () => {
    const requestLog = (): LineDestination => ({
      write(text) {
        logged += text
        return true
      },
      flush: async () => {},
    })
    const settings = {
      TRUST_PROXY: 'loopback',
      PUBLIC_URL: `https://${SERVER_NAME}`,
      LOG_REQUESTS: 'all',
      LOG_ADDRESSES: 'full',
    }
    service = await startTestApp(settings, { requestLog })
    nginx = await startNginx(Number(new URL(service.url).port))
  })
  after(async () => {
    if (typeof nginx === 'object') await nginx[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  /** Skips aloud where there is no nginx. */
  function nginxOf(context: TestContext): Nginx | null {
    if (typeof nginx === 'object') return nginx
    context.skip(nginx)
    return null
  }

  async function get({ port, certificate }: Nginx, path: string, headers: Record<string, string> = {}) {
    const options: RequestOptions = {
      host: '127.0.0.1',
      port,
      path,
      headers: { host: SERVER_NAME, ...headers },
      servername: SERVER_NAME,
      ca: certificate,
      localAddress: CLIENT_ADDRESS,
      agent: false,
    }
    const sent = request(options).end()
    const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
    return answer
  }

  async function bodyOf(answer: AsyncIterable<Buffer>): Promise<string> {
    let text = ''
    for await (const chunk of answer) text += chunk
    return text
  }

  it('passes requests on, over TLS', async (context) => {
    const proxy = nginxOf(context)
    if (proxy === null) return
    const answer = await get(proxy, '/readyz')
    assert.equal(answer.statusCode, 200)
    assert.equal(JSON.parse(await bodyOf(answer)).status, 'ready')
    assert.match(String(answer.headers['strict-transport-security']), /max-age/)
  })

  it('speaks HTTP/2', async (context) => {
    const proxy = nginxOf(context)
    if (proxy === null) return
    const options = { ca: proxy.certificate, servername: SERVER_NAME }
    const session = connectHttp2(`https://127.0.0.1:${proxy.port}`, options)
    const stream = session.request({ ':path': '/healthz', ':authority': SERVER_NAME })
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    stream.resume()
    session.close()
    assert.equal(headers[':status'], 200)
  })

  it('gives the service the address of the client, whatever the client writes', async (context) => {
    const proxy = nginxOf(context)
    if (proxy === null) return
    const forged = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1', forwarded: 'for=203.0.113.9' }
    const answer = await get(proxy, '/healthz', forged)
    answer.resume()
    const id = answer.headers['x-request-id']
    const lineOf = () => logged.split('\n').find((line) => line.includes(String(id)))
    await until(() => lineOf() !== undefined)
    assert.equal(JSON.parse(lineOf()!).address, CLIENT_ADDRESS)
  })

  it('passes events of a stream on as they come', async (context) => {
    const proxy = nginxOf(context)
    if (proxy === null) return
    const { text: key } = await service.issue()
    const answer = await get(proxy, '/v1/stream', { authorization: `Bearer ${key}` })
    assert.equal(answer.headers['content-type'], 'text/event-stream')
    let received = ''
    answer.on('data', (chunk) => {
      received += chunk
    })
    answer.on('error', () => {})
    for (let number = 1; number <= 3; number++) {
      const incident = anIncident(number)
      await service.publish([incident])
      // The stream stays open, so nothing but a proxy that does not wait lets the event through.
      await until(() => received.includes(incident.id), `event ${number}`)
    }
    answer.destroy()
    await until(() => logged.includes('"route":"/v1/stream"'), 'the end of a stream whose client has left')
  })

  it('keeps metrics from the public, and sends http to https', async (context) => {
    const proxy = nginxOf(context)
    if (proxy === null) return
    const metrics = await get(proxy, '/metrics')
    metrics.resume()
    assert.equal(metrics.statusCode, 404)
    const plain = plainRequest({ port: proxy.plainPort, path: '/v1/incidents', headers: { host: SERVER_NAME } }).end()
    const [answer] = (await once(plain, 'response')) as [import('node:http').IncomingMessage]
    answer.resume()
    assert.equal(answer.statusCode, 301)
    assert.equal(answer.headers.location, `https://${SERVER_NAME}/v1/incidents`)
  })

  it('leaves the limit of a body to the service, which says what it is', async (context) => {
    const proxy = nginxOf(context)
    if (proxy === null) return
    const { text: key } = await service.issue()
    const sent = request({
      host: '127.0.0.1',
      port: proxy.port,
      path: '/v1/watches',
      method: 'POST',
      headers: { host: SERVER_NAME, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      servername: SERVER_NAME,
      ca: proxy.certificate,
      agent: false,
    }).end(JSON.stringify({ name: 'x'.repeat(300 * 1024) }))
    const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
    assert.equal(answer.statusCode, 413)
    assert.equal(JSON.parse(await bodyOf(answer)).code, 'body_too_large')
  })
})

const run = promisify(execFile)
const CADDYFILE = join(import.meta.dirname, '../../deploy/container/Caddyfile')

it('the Caddyfile of the containers gives the client’s address and passes streams on', async (context) => {
  const found = await run('caddy', ['version']).catch(() => null)
  if (found === null) return context.skip('caddy is not installed (Debian: apt-get install caddy)')
  let logged = ''
  const requestLog = (): LineDestination => ({
    write(text) {
      logged += text
      return true
    },
    flush: async () => {},
  })
  const settings = { TRUST_PROXY: 'loopback', LOG_REQUESTS: 'all', LOG_ADDRESSES: 'full' }
  await using service = await startTestApp(settings, { requestLog })
  await using folder = await temporaryFolder()
  const port = await freePort()
  // For localhost Caddy makes a certificate of its own, which is what the sample does for a public
  // name.
  const environment = {
    PATH: process.env.PATH,
    HOME: folder.path,
    XDG_DATA_HOME: folder.path,
    XDG_CONFIG_HOME: folder.path,
    DOMAIN: `https://localhost:${port}`,
    UPSTREAM: `127.0.0.1:${new URL(service.url).port}`,
  }
  // The certificate must not become one that this machine trusts, and no other Caddy be in the way.
  const configuration = join(folder.path, 'Caddyfile')
  const sample = await readFile(CADDYFILE, 'utf8')
  await writeFile(configuration, `{\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n}\n${sample}`)
  const words = ['--config', configuration, '--adapter', 'caddyfile']
  await run('caddy', ['validate', ...words], { env: environment })
  const caddy = spawn('caddy', ['run', ...words], { env: environment, stdio: 'ignore' })
  const exited = once(caddy, 'exit')
  try {
    await until(() => answers(port), 'Caddy')
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const options = { host: '127.0.0.1', port, path, headers: { host: `localhost:${port}`, ...headers } }
      const tls = { servername: 'localhost', rejectUnauthorized: false, localAddress: CLIENT_ADDRESS, agent: false }
      const [answer] = (await once(request({ ...options, ...tls }).end(), 'response')) as [IncomingMessage]
      return answer
    }
    const healthy = (await get('/healthz', { 'x-forwarded-for': '203.0.113.9' })).resume()
    assert.equal(healthy.statusCode, 200)
    const id = String(healthy.headers['x-request-id'])
    await until(() => logged.includes(id))
    const line = logged.split('\n').find((each) => each.includes(id))!
    assert.equal(JSON.parse(line).address, CLIENT_ADDRESS)
    assert.equal((await get('/metrics')).resume().statusCode, 404)

    const { text: key } = await service.issue()
    const stream = await get('/v1/stream', { authorization: `Bearer ${key}` })
    let received = ''
    stream.on('data', (chunk) => {
      received += chunk
    })
    stream.on('error', () => {})
    for (let number = 1; number <= 3; number++) {
      const incident = anIncident(number)
      await service.publish([incident])
      await until(() => received.includes(incident.id), `event ${number}`)
    }
    stream.destroy()
    await until(() => logged.includes('"route":"/v1/stream"'), 'the end of a stream whose client has left')
  } finally {
    caddy.kill('SIGTERM')
    await exited
  }
})
