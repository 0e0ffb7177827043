import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '../../../../src/accounts/idempotency-bounds.ts'
import { keyCap, makeKey } from '../../../../src/accounts/keys.ts'
import { decodeAnswer, encodeAnswer } from '../../../../src/api/idempotency.ts'
import { override, problemOf, startTestApp } from '../../../support/app.ts'

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

test('an answer can be read only with its secret, short or compressed', () => {
  for (const filling of ['', 'x'.repeat(5_000)]) {
    const answer = { status: 201, headers: { etag: '"1"' }, body: { key: 'inf_live_x', filling } }
    const { answer: encoded } = encodeAnswer(answer, 'secret')
    assert.deepEqual(decodeAnswer(encoded, 'secret'), answer)
    assert.throws(() => decodeAnswer(encoded, 'guess'))
    assert.ok(!Buffer.from(encoded).includes('inf_live_x'))
    assert.ok(encoded.byteLength < 1_000)
  }
})

test('a key with other rights does not get the answer', async () => {
  await using app = await startTestApp()
  const headers = { 'idempotency-key': 'f2b1' }
  const { text: strong, key } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
  const weaker = { ...makeKey(key.accountId, { scopes: ['read', 'watch'] }, Date.now()) }
  const published = { ...makeKey(key.accountId, { kind: 'publishable' }, Date.now()) }
  for (const { key } of [weaker, published]) await app.store.keys.add(key, keyCap(20))
  const made = (await (await app.post('/v1/keys', { name: 'one' }, strong, headers)).json()) as { key: string }
  const refused = await app.post('/v1/keys', { name: 'one' }, weaker.text, headers)
  assert.equal((await problemOf(refused)).code, 'idempotency_key_reused')
  const other = await app.post('/v1/keys', { name: 'one' }, published.text, headers)
  assert.equal((await problemOf(other)).code, 'insufficient_scope')
  const repeated = await app.post('/v1/keys', { name: 'one' }, strong, headers)
  assert.equal(((await repeated.json()) as { key: string }).key, made.key)
})

test('a request whose process died can be repeated after five seconds', async () => {
  let now = Date.now()
  await using app = await startTestApp({}, { clock: () => now })
  const { text, key } = await app.issue()
  const secret = `${key.accountId} f2b1`
  const ask = () => app.post('/v1/keys', { name: 'one' }, text, { 'idempotency-key': 'f2b1' })
  const fingerprint = hash('sha256', `POST /v1/keys ${JSON.stringify({ name: 'one' })}`, 'hex')
  const dead = { id: hash('sha256', secret, 'hex'), token: 'dead', subject: key.accountId, fingerprint }
  const rights = 'live read watch'
  await app.store.idempotency.claim({ ...dead, rights }, { now, expiredBefore: 0, lostBefore: 0, lostAfter: now })
  const early = await ask()
  assert.equal(early.headers.get('retry-after'), '1')
  assert.equal((await problemOf(early)).code, 'idempotency_key_in_use')
  now += 5_001
  assert.equal((await ask()).status, 201)
  assert.equal((await ask()).headers.get('idempotent-replayed'), 'true')
})

test('a request that was only slow writes nothing once a repetition has taken over', async () => {
  let now = Date.now()
  await using app = await startTestApp({}, { clock: () => now })
  const { text } = await app.issue()
  const claimed = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const { claim } = app.store.idempotency
  let isFirst = true
  override(app.store, 'idempotency', {
    async claim(...values) {
      const holds = isFirst
      isFirst = false
      const result = await claim(...values)
      claimed.resolve()
      if (holds) await goOn.promise
      return result
    },
  })
  const ask = () => app.post('/v1/keys', { name: 'one' }, text, { 'idempotency-key': 'f2b1' })
  const slow = ask()
  await claimed.promise
  now += 5_001
  const heir = await ask()
  goOn.resolve()
  const problem = await problemOf(await slow)
  assert.deepEqual([heir.status, problem.code], [201, 'idempotency_key_in_use'])
  assert.match(problem.detail, /taken over/)
  const { data } = (await (await app.get('/v1/keys', text)).json()) as { data: object[] }
  assert.equal(data.length, 2)
  assert.equal(await (await ask()).text(), await heir.text())
})

test('an account keeps its newest answers only', async () => {
  let now = Date.now()
  await using app = await startTestApp({ PREVIEWS_PER_MINUTE: '1000' }, { clock: () => now++ })
  const { text, key } = await app.issue()
  const trims: unknown[] = []
  const { trim } = app.store.idempotency
  override(app.store, 'idempotency', {
    trim(...values) {
      trims.push(values)
      return trim(...values)
    },
  })
  for (let number = 1; number <= 100; number++) {
    const response = await app.post('/v1/watches/preview', { filter: {} }, text, { 'idempotency-key': `p${number}` })
    assert.equal(response.status, 200)
  }
  assert.deepEqual(trims, [[key.accountId, ACCOUNT_BOUNDS]])
})
