import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import pino from 'pino'
import { stopSentence } from '../../../src/startup/stopping/stop-report.ts'
import { startTestApp, until } from '../../support/app.ts'
import { startEndpoint } from '../../support/endpoint.ts'
import { anIncident } from '../../support/incident.ts'

test('the sentence names what is under way', () => {
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
