import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decrypt, encrypt } from '../../../src/http/requests/encryption.ts'
import { problemOf, startTestApp } from '../../support/app.ts'

test('repeated requests with the same key run once and get the same response', async () => {
  await using app = await startTestApp()
  const { text } = await app.issue()
  const ask = () => app.post('/v1/keys', { name: 'one' }, text, { 'idempotency-key': 'f2b1' })
  const [first, second] = [await ask(), await ask()]
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(await first.text(), await second.text())
  assert.deepEqual(
    [first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')],
    [null, 'true'],
  )
  const { data } = (await (await app.get('/v1/keys', text)).json()) as { data: object[] }
  assert.equal(data.length, 2)
})

test('one of many concurrent requests runs; the others get its response or a request to wait', async () => {
  await using app = await startTestApp()
  const { text } = await app.issue()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => app.post('/v1/keys', { name: 'one' }, text, { 'idempotency-key': 'race' })),
  )
  const bodies = await Promise.all(
    answers.map(async (answer) => ({ status: answer.status, text: await answer.text() })),
  )
  assert.equal(new Set(bodies.filter(({ status }) => status === 201).map((body) => body.text)).size, 1)
  assert.ok(bodies.every(({ status }) => status === 201 || status === 409))
  const { data } = (await (await app.get('/v1/keys', text)).json()) as { data: object[] }
  assert.equal(data.length, 2)
})

test('another body or path under the same key is refused', async () => {
  await using app = await startTestApp()
  const { text, key } = await app.issue()
  const headers = { 'idempotency-key': 'f2b1' }
  assert.equal((await app.post('/v1/keys', { name: 'one' }, text, headers)).status, 201)
  assert.equal(
    (await problemOf(await app.post('/v1/keys', { name: 'two' }, text, headers))).code,
    'idempotency_key_reused',
  )
  assert.equal(
    (await problemOf(await app.post(`/v1/keys/${key.id}/rotate`, '', text, headers))).code,
    'idempotency_key_reused',
  )
})

test('a refused request releases its key, and accounts do not share keys', async () => {
  await using app = await startTestApp()
  const [one, other] = [await app.issue(), await app.issue()]
  const headers = { 'idempotency-key': 'f2b1' }
  assert.equal((await app.post('/v1/keys', { expires_at: '2020-01-01T00:00:00Z' }, one.text, headers)).status, 422)
  assert.equal((await app.post('/v1/keys', { name: 'corrected' }, one.text, headers)).status, 201)
  const another = await app.post('/v1/keys', { name: 'another' }, other.text, headers)
  assert.deepEqual([another.status, another.headers.get('idempotent-replayed')], [201, null])
})

test('a key can be reused after 24 hours', async () => {
  let now = Date.now()
  await using app = await startTestApp({}, { clock: () => now })
  const ask = () => app.post('/v1/keys', { name: 'one' }, undefined, { 'idempotency-key': 'f2b1' })
  const first = await (await ask()).text()
  now += 24 * 3_600_000 + 1
  assert.notEqual(await (await ask()).text(), first)
})

for (const bad of ['', ' ', 'a b', 'x'.repeat(256), 'ü']) {
  test(`${JSON.stringify(bad.slice(0, 10))} is no idempotency key`, async () => {
    await using app = await startTestApp()
    const { text } = await app.issue()
    const response = await app.app.server.inject({
      method: 'POST',
      url: '/v1/keys',
      headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json', 'idempotency-key': bad },
      payload: '{}',
    })
    assert.deepEqual([response.statusCode, response.json<{ code: string }>().code], [400, 'malformed_request'])
  })
}

test('an encrypted response can be decrypted only with its secret', () => {
  const encrypted = encrypt('{"key":"inf_live_x"}', 'secret')
  assert.equal(decrypt(encrypted, 'secret'), '{"key":"inf_live_x"}')
  assert.throws(() => decrypt(encrypted, 'guess'))
  assert.ok(!Buffer.from(encrypted).includes('inf_live_x'))
})
