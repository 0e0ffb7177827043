import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { followChange, tellChange } from '../../../web/service-worker/endpoint-change.ts'
import type { WorkerScope } from '../../../web/service-worker/worker-scope.ts'
import { rememberEndpoint } from '../../../web/shared/parts/push/remembered-endpoint.ts'

const given = { fetch: globalThis.fetch, caches: Reflect.get(globalThis, 'caches') as unknown }
const subscriptionAt = (endpoint: string) => ({ endpoint, toJSON: () => ({ endpoint, keys: {} }) })

let told: unknown[]
let status: number

beforeEach(() => {
  const kept = new Map<string, string>()
  const cache = {
    match: async (path: string) => (kept.has(path) ? new Response(kept.get(path)) : undefined),
    put: async (path: string, response: Response) => void kept.set(path, await response.text()),
  }
  Reflect.set(globalThis, 'caches', { open: async () => cache })
  told = []
  status = 204
  globalThis.fetch = async (path, init) => {
    if (path === '/v1/push') return Response.json({ public_key: 'ours' })
    told.push(JSON.parse(String(init?.body)))
    return new Response(null, { status })
  }
})
afterEach(() => {
  globalThis.fetch = given.fetch
  Reflect.set(globalThis, 'caches', given.caches)
})

const moved = (from: string, to: string) => ({ endpoint: from, subscription: { endpoint: to, keys: {} } })

describe('another subscription of this browser', () => {
  it('is told once, with the endpoint that a page remembered', async () => {
    await rememberEndpoint('one')
    await tellChange(subscriptionAt('one'), null)
    assert.deepEqual(told, [])
    await tellChange(subscriptionAt('two'), null)
    await tellChange(subscriptionAt('two'), null)
    assert.deepEqual(told, [moved('one', 'two')])
    await tellChange(subscriptionAt('three'), null)
    assert.deepEqual(told[1], moved('two', 'three'))
  })

  it('is only remembered if there was none before', async () => {
    await tellChange(subscriptionAt('one'), null)
    assert.deepEqual(told, [])
    await tellChange(subscriptionAt('two'), null)
    assert.deepEqual(told, [moved('one', 'two')])
  })

  for (const failure of [429, 500, 503])
    it(`is told again after ${failure}`, async () => {
      await rememberEndpoint('one')
      status = failure
      await assert.rejects(tellChange(subscriptionAt('two'), null))
      status = 204
      await tellChange(subscriptionAt('two'), null)
      assert.deepEqual(told, [moved('one', 'two'), moved('one', 'two')])
    })

  it('is not told again if it was refused', async () => {
    await rememberEndpoint('one')
    status = 422
    await tellChange(subscriptionAt('two'), null)
    await tellChange(subscriptionAt('two'), null)
    assert.equal(told.length, 1)
  })

  it('is made if the browser has ended the earlier one, with the key of the service', async () => {
    const asked: unknown[] = []
    const subscribe = async (options: unknown) => {
      asked.push(options)
      return subscriptionAt('two')
    }
    const pushManager = { getSubscription: async () => null, subscribe }
    await followChange({ registration: { pushManager } } as unknown as WorkerScope, 'one')
    assert.deepEqual(asked, [{ userVisibleOnly: true, applicationServerKey: 'ours' }])
    assert.deepEqual(told, [moved('one', 'two')])
  })
})
