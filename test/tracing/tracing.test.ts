import assert from 'node:assert/strict'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { startTestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[]
  readonly status: { readonly code?: number }
}

interface TracesBody {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] }
    readonly scopeSpans: { readonly scope: { readonly name: string }; readonly spans: ReceivedSpan[] }[]
  }[]
}

/** Receives OTLP over HTTP, checks what the protocol requires, and keeps the spans. */
async function startCollector() {
  const spans: ReceivedSpan[] = []
  const requests: { path: string; headers: Record<string, unknown>; body: TracesBody }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text) as TracesBody
    requests.push({ path: request.url!, headers: request.headers, body })
    if (status === 200)
      for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    answer(next: number) {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function checkSpan(span: ReceivedSpan): void {
  assert.match(span.traceId, /^[0-9a-f]{32}$/)
  assert.match(span.spanId, /^[0-9a-f]{16}$/)
  if (span.parentSpanId !== undefined) assert.match(span.parentSpanId, /^[0-9a-f]{16}$/)
  assert.match(span.startTimeUnixNano, /^\d{19}$/)
  assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))
  assert.ok([2, 3].includes(span.kind))
  const now = BigInt(Date.now()) * 1_000_000n
  assert.ok(
    now - BigInt(span.startTimeUnixNano) < 600_000_000_000n && BigInt(span.endTimeUnixNano) <= now + 1_000_000_000n,
  )
  for (const { key, value } of span.attributes) {
    assert.ok(key !== '')
    assert.ok(['stringValue', 'intValue', 'boolValue', 'doubleValue'].includes(Object.keys(value)[0]!), key)
  }
}

/** The body arrives after the headers, in an event of its own. */
function postInTwoParts(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { method: 'POST', headers: { ...headers, 'content-length': body.length } })
    request.on('response', (response) => resolve(response.resume().statusCode!)).on('error', reject)
    request.write(body.slice(0, 10), () => setImmediate(() => setTimeout(() => request.end(body.slice(10)), 50)))
  })
}

const attribute = (span: ReceivedSpan, name: string) => span.attributes.find(({ key }) => key === name)?.value

describe('traces', () => {
  it('have a span of each request with those of its calls of the store, and of each delivery', async () => {
    await using collector = await startCollector()
    await using endpoint = await startEndpoint()
    await using app = await startTestApp({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=feeds%20and%20more',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    })
    const { text } = await app.issue()
    const traceId = 'a'.repeat(32)
    const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`
    const watch = { name: 'All', url: endpoint.url, filter: {} }
    const headers = { traceparent, authorization: `Bearer ${text}`, 'content-type': 'application/json' }
    assert.equal(await postInTwoParts(`${app.url}/v1/watches`, headers, JSON.stringify(watch)), 201)
    await app.publish([anIncident(1)])
    const named = (name: string) => collector.spans.filter((span) => span.name === name)
    await until(() => named('POST /v1/watches').length > 0 && named('deliver webhook').length > 0, 'the spans')
    for (const span of collector.spans) checkSpan(span)

    const [request] = named('POST /v1/watches')
    assert.deepEqual([request!.traceId, request!.parentSpanId, request!.kind], [traceId, 'b'.repeat(16), 2])
    assert.deepEqual(attribute(request!, 'http.response.status_code'), { intValue: '201' })
    const [write] = named('watches.add')
    assert.deepEqual([write!.traceId, write!.parentSpanId, write!.kind], [traceId, request!.spanId, 3])
    assert.deepEqual(attribute(write!, 'db.system.name'), { stringValue: 'sqlite' })
    const [delivery] = named('deliver webhook')
    assert.deepEqual(attribute(delivery!, 'incident_feed.outcome'), { stringValue: 'delivered' })

    const { path, headers: sent, body } = collector.requests[0]!
    assert.deepEqual([path, sent['content-type'], sent['x-team']], ['/v1/traces', 'application/json', 'feeds and more'])
    const resource = body.resourceSpans[0]!.resource.attributes
    assert.deepEqual(resource[0], { key: 'service.name', value: { stringValue: 'incident-feed' } })
    // Neither keys nor addresses of tenants.
    const all = JSON.stringify(collector.requests.map((one) => one.body))
    for (const secret of [text, endpoint.url]) assert.ok(!all.includes(secret), secret)
  })

  it('of a service whose collector fails or is away cost nothing but the spans', async () => {
    await using collector = await startCollector()
    collector.answer(500)
    await using app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, RATE_LIMIT_ADDRESS: '1000000' })
    // More than a batch, so that it is sent at once.
    for (let round = 0; round < 6; round++)
      await Promise.all(Array.from({ length: 100 }, async () => (await app.get('/healthz', null)).text()))
    await until(() => collector.requests.length > 0, 'an attempt')
    collector.answer(200)
    assert.equal((await app.get('/readyz', null)).status, 200)
    await until(() => collector.spans.some(({ name }) => name === 'GET /readyz'), 'a later batch')
  })

  it('are sent when the service stops', async () => {
    await using collector = await startCollector()
    {
      await using app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
      await app.get('/v1/taxonomy')
    }
    assert.ok(collector.spans.some(({ name }) => name === 'GET /v1/taxonomy'))
  })

  it('are taken of the given share only', async () => {
    await using collector = await startCollector()
    {
      await using app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' })
      await app.get('/v1/taxonomy')
    }
    assert.equal(collector.requests.length, 0)
  })
})
