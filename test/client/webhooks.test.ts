import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { signTestMessage, unwrap, type WebhookRefusal } from '../../client/src/index.ts'
import { newSecret } from '../../src/deliveries/send/signature.ts'

const secret = newSecret((size) => new Uint8Array(size).fill(7))
const another = newSecret((size) => new Uint8Array(size).fill(8))
const NOW = Date.parse('2026-05-01T06:31:00Z')
const at = { now: NOW }

test('a message that this package signs verifies with standardwebhooks', async () => {
  const { headers, body } = await signTestMessage({ event: 'incident.updated' }, secret)
  assert.deepEqual(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body))
})

test('a message that standardwebhooks signs verifies with this package', async () => {
  const body = JSON.stringify({ event: 'incident.created', incident: { summary: 'Ọ̀yọ́ — “quoted” 🚧' } })
  const signature = new Webhook(secret).sign('msg_1', new Date(NOW), body)
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW / 1000), 'webhook-signature': signature }
  assert.deepEqual(await unwrap({ headers, body }, secret, at), JSON.parse(body))
})

test('every kind of request is read', async () => {
  const { headers, body } = await signTestMessage({ event: 'incident.created' }, secret, at)
  const bytes = new TextEncoder().encode(body)
  const mixedCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  async function* chunks() {
    yield Buffer.from(bytes.subarray(0, 10))
    yield Buffer.from(bytes.subarray(10))
  }
  const requests = {
    Request: new Request('http://localhost/', { method: 'POST', headers, body }),
    'headers and text': { headers, body },
    'headers and bytes': { headers: new Headers(headers), body: bytes },
    'a buffer of memory': { headers: mixedCase, body: bytes.slice().buffer },
    'a request of Node': Object.assign(chunks(), { headers }),
    'a parsed body with the raw one beside it': { headers, body: JSON.parse(body), rawBody: Buffer.from(body) },
  }
  for (const [name, request] of Object.entries(requests)) {
    assert.equal((await unwrap(request, secret, at)).event, 'incident.created', name)
  }
})

test('one of several secrets is enough, and so is one of several signatures', async () => {
  const { headers, body } = await signTestMessage({}, secret, at)
  const other = await signTestMessage({}, another, at)
  await unwrap({ headers, body }, [another, secret], at)
  const both = `v1a,ignored ${other.headers['webhook-signature']} ${headers['webhook-signature']}`
  await unwrap({ headers: { ...headers, 'webhook-signature': both }, body }, secret, at)
})

test('what is tampered with, old or unsigned is refused', async () => {
  const { headers, body } = await signTestMessage({}, secret, at)
  const signature = headers['webhook-signature']!
  const cases: [WebhookRefusal, Record<string, string | undefined>, unknown?, number?][] = [
    ['wrong_signature', headers, body.replace('Test', 'Tset')],
    ['wrong_signature', { ...headers, 'webhook-id': 'msg_2' }],
    ['wrong_signature', { ...headers, 'webhook-timestamp': String(NOW / 1000 + 1) }],
    ['wrong_signature', { ...headers, 'webhook-signature': signature.slice(0, -5) }],
    ['wrong_signature', { ...headers, 'webhook-signature': signature.replace('v1,', 'v2,') }],
    ['wrong_signature', { ...headers, 'webhook-signature': 'v1,' }],
    ['wrong_signature', { ...headers, 'webhook-signature': 'v1,*' }],
    ['missing_header', { ...headers, 'webhook-signature': undefined }],
    ['missing_header', { ...headers, 'webhook-id': '' }],
    ['missing_header', {}],
    ['malformed_timestamp', { ...headers, 'webhook-timestamp': '1e9' }],
    ['too_old', headers, body, NOW + 301_000],
    ['too_new', headers, body, NOW - 301_000],
    ['body_already_parsed', headers, JSON.parse(body)],
    ['body_too_large', headers, 'x'.repeat(2_000_000)],
  ]
  for (const [reason, given, text = body, now = NOW] of cases) {
    const request = { headers: given, body: text as string }
    await assert.rejects(unwrap(request, secret, { now }), { name: 'WebhookError', reason }, `${reason}: ${given}`)
  }
  await assert.rejects(unwrap({ headers, body }, another, at), { reason: 'wrong_signature' })
})

test('a request that was read before is refused by that name', async () => {
  const { headers, body } = await signTestMessage({}, secret, at)
  const request = new Request('http://localhost/', { method: 'POST', headers, body })
  await request.json()
  await assert.rejects(unwrap(request, secret, at), { reason: 'body_already_parsed' })
})

test('a secret that is none is refused, instead of verifying with an empty key', async () => {
  const { headers, body } = await signTestMessage({}, secret, at)
  for (const wrong of ['', 'whsec_', 'whsec_AAAA', 'secret']) {
    await assert.rejects(unwrap({ headers, body }, wrong, at), TypeError)
  }
  await assert.rejects(unwrap({ headers, body }, [], at), TypeError)
})
