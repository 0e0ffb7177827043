import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'

let app: TestApp
let key: string
before(async () => {
  app = await startTestApp({ RATE_LIMIT: '1000' })
  await app.publish([anIncident(1)])
  key = (await app.issue()).text
})
after(() => app[Symbol.asyncDispose]())

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const LIST = message('tools/list')

const errorOf = async (response: Response) => {
  const { error, id } = (await response.json()) as { error: { code: number; message: string }; id: unknown }
  return { status: response.status, id, ...error }
}

test('a client with curl gets JSON, without a handshake and with any Accept that takes JSON', async () => {
  for (const accept of ['application/json', '*/*', 'application/json, text/event-stream', 'application/*;q=0.5']) {
    const response = await app.post('/mcp', LIST, key, { accept })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(((await response.json()) as { result: { tools: unknown[] } }).result.tools.length, 6)
  }
})

test('no key, a wrong key and a key of another scope are refused as on every route', async () => {
  const missing = await app.post('/mcp', LIST, null)
  assert.match(missing.headers.get('www-authenticate')!, /^Bearer/)
  assert.deepEqual((await problemOf(missing)).code, 'missing_key')
  assert.equal((await problemOf(await app.post('/mcp', LIST, 'inf_live_wrong'))).code, 'mistyped_key')
  const { text } = await app.issue({ scopes: ['watch'] })
  assert.equal((await problemOf(await app.post('/mcp', LIST, text))).code, 'insufficient_scope')
})

test('a publishable key may ask, and each request counts', async () => {
  const { text } = await app.issue({ kind: 'publishable', scopes: ['read'] })
  const response = await app.post('/mcp', LIST, text)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('ratelimit')!, /r=\d+/)
})

test('above the limit of the account an assistant gets 429 and when to come back', async () => {
  await using slow = await startTestApp({ RATE_LIMIT: '2' })
  const { text } = await slow.issue()
  const answers = [
    await slow.post('/mcp', LIST, text),
    await slow.post('/mcp', LIST, text),
    await slow.post('/mcp', LIST, text),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429],
  )
  assert(Number(answers[2]!.headers.get('retry-after')) > 0)
})

test('other methods are refused with what is allowed, and other formats too', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${app.url}/mcp`, { method, headers: { authorization: `Bearer ${key}` } })
    assert.equal(response.headers.get('allow'), 'POST')
    assert.equal((await problemOf(response)).code, 'method_not_allowed')
  }
  assert.equal((await problemOf(await app.post('/mcp', LIST, key, { accept: 'text/html' }))).code, 'not_acceptable')
  assert.equal((await problemOf(await app.post('/mcp', 'x', key, { 'content-type': 'text/plain' }))).status, 415)
})

test('a notification is accepted without an answer', async () => {
  const response = await app.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }, key)
  assert.deepEqual([response.status, await response.text()], [202, ''])
})

test('a batch is refused whole, however long', async () => {
  for (const length of [0, 1, 3000]) {
    const refused = await errorOf(await app.post('/mcp', Array(length).fill(LIST), key))
    assert.deepEqual([refused.status, refused.code, refused.id], [400, -32600, null])
    assert.match(refused.message, /not a batch/)
  }
  // 10,000 messages are more than any body may have.
  assert.equal((await problemOf(await app.post('/mcp', Array(10_000).fill(LIST), key))).code, 'body_too_large')
})

test('an id that no answer may carry is refused, and not repeated', async () => {
  for (const id of [0.5, null, true, {}, []])
    for (const method of ['tools/list', 'subscriptions/listen', 'Text 1']) {
      const refused = await errorOf(await app.post('/mcp', { jsonrpc: '2.0', id, method }, key))
      assert.deepEqual([refused.status, refused.code, refused.id], [400, -32600, null])
      assert.match(refused.message, /string or a whole number/)
    }
})

test('bodies that are too large, too deep or no message are refused', async () => {
  const huge = message('tools/call', { name: 'locate', arguments: { place: 'x'.repeat(300_000) } })
  assert.equal((await problemOf(await app.post('/mcp', huge, key))).code, 'body_too_large')
  assert.equal(
    (await problemOf(await app.post('/mcp', `${'['.repeat(100)}${']'.repeat(100)}`, key))).code,
    'invalid_body',
  )
  assert.equal((await problemOf(await app.post('/mcp', '{', key))).code, 'malformed_json')
  for (const body of ['null', '1', '"tools/list"', ''])
    assert.deepEqual((await errorOf(await app.post('/mcp', body, key))).code, -32600)
  for (const body of [{}, { jsonrpc: '1.0', id: 1, method: 'tools/list' }, { jsonrpc: '2.0', id: {}, method: 'x' }])
    assert.equal((await app.post('/mcp', body, key)).status, 400)
})

test('unknown methods, wrong parameters and open subscriptions are refused', async () => {
  assert.equal((await errorOf(await app.post('/mcp', message('tools/burn'), key))).code, -32601)
  assert.equal((await errorOf(await app.post('/mcp', message('tools/call', { name: 5 }), key))).code, -32602)
  assert.equal(
    (await errorOf(await app.post('/mcp', message('tools/call', { name: 'locate', arguments: [] }), key))).code,
    -32602,
  )
  const subscribed = await errorOf(await app.post('/mcp', message('subscriptions/listen'), key))
  assert.deepEqual([subscribed.status, subscribed.code, subscribed.id], [404, -32601, 1])
})

test('a name from the prototype is no argument', async () => {
  const given =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"locate","arguments":{"__proto__":{"place":"Jos"},"toString":1}}}'
  const { result } = (await (await app.post('/mcp', given, key)).json()) as { result: { isError: boolean } }
  assert.equal(result.isError, true)
})
