import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import type { LineDestination } from '../../src/api/request-log.ts'
import { startTestApp, until } from '../support/app.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { freePort } from '../support/receivers.ts'

const run = promisify(execFile)
const CADDYFILE = join(import.meta.dirname, '../../deploy/container/Caddyfile')
/** The client connects from here, to be told from Caddy, which connects from 127.0.0.1. */
const CLIENT_ADDRESS = '127.0.0.7'

it('the Caddyfile of the containers gives the client’s address and passes streams on', {
  timeout: 120_000,
}, async (context) => {
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

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
