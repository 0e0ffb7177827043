import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '../../../src/api/contract/reference.ts'
import { startTestApp } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'

interface Request {
  readonly method: string
  readonly auth?: { readonly type: string }
  readonly url: { readonly raw: string; readonly variable: readonly { key: string; value: string }[] }
  readonly body?: { readonly raw: string }
}
interface Collection {
  readonly variable: readonly { key: string; value: string }[]
  readonly item: readonly { readonly item: readonly { readonly name: string; readonly request: Request }[] }[]
}

test('the collection has every endpoint, and each of its requests is understood by the service', async () => {
  await using app = await startTestApp({ SIGNUPS_PER_HOUR: '1000' })
  await app.publish([anIncident(1)])
  const { text: key } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
  const collection = (await (await fetch(`${app.url}/collections/postman.json`)).json()) as Collection
  const requests = collection.item.flatMap(({ item }) => item)
  assert.equal(requests.length, ENDPOINTS.length)
  const ofCollection = new Map(collection.variable.map((one) => [one.key, one.value]))
  assert.equal(ofCollection.get('baseUrl'), app.url)
  // A request that ends the key or the account would refuse all that follow.
  for (const { name, request } of requests.filter(({ request: { method } }) => method !== 'DELETE')) {
    const ofPath = new Map(request.url.variable.map((one) => [one.key, one.value]))
    const address = request.url.raw
      .replaceAll(/\{\{(\w+)\}\}/g, (_, variable: string) => ofCollection.get(variable) || 'inc_unknown')
      .replaceAll(/\/:(\w+)/g, (_, variable: string) => `/${ofPath.get(variable) || 'unknown'}`)
    const response = await fetch(address, {
      method: request.method,
      headers: {
        ...(request.auth?.type === 'noauth' ? {} : { authorization: `Bearer ${key}` }),
        ...(request.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(request.body ? { body: request.body.raw } : {}),
    })
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true
    const { code, detail } = isProblem
      ? ((await response.json()) as { code: string; detail: string })
      : { code: null, detail: '' }
    await response.body?.cancel().catch(() => undefined)
    assert.ok(response.status < 500, `${name}: ${response.status}`)
    assert.doesNotMatch(detail, /^There is nothing at/, name)
    assert.ok(!['method_not_allowed', 'invalid_parameter', 'malformed_json'].includes(code ?? ''), `${name}: ${code}`)
    if (request.method === 'GET' && request.url.variable.length === 0 && !request.url.raw.includes('inc_unknown'))
      assert.ok(response.ok || response.status === 404, `${name}: ${response.status} ${code}`)
  }
})
