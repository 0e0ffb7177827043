import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { alertOf } from '../../src/deliveries/channels/alert.ts'
import { shownEndpoint as shownByTheService } from '../../src/deliveries/channels/browser-subscription.ts'
import { webPushBody } from '../../src/deliveries/channels/web-push.ts'
import { openNotification, readNotification } from '../../web/service-worker/notifications.ts'
import { followChange, tellChange } from '../../web/service-worker/subscription.ts'
import type { WorkerScope } from '../../web/service-worker/worker-scope.ts'
import {
  type BrowserTraits,
  bytesOf,
  pushSupport,
  rememberEndpoint,
  shownEndpoint,
} from '../../web/shared/parts/push.ts'
import { NO_CHANNELS, VAPID_KEYS } from '../deliveries/fixtures.ts'
import { anIncident } from '../support/incident.ts'

const DESKTOP: BrowserTraits = {
  isSecure: true,
  hasWorkers: true,
  hasPush: true,
  permission: 'default',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/143.0.0.0',
  touchPoints: 0,
  isInstalled: false,
}
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15'

describe('whether this browser can show notifications', () => {
  for (const [what, changes, expected] of [
    ['a browser that asks', {}, 'ready'],
    ['one that was allowed to', { permission: 'granted' }, 'ready'],
    ['one that was told not to', { permission: 'denied' }, 'denied'],
    ['a page without https', { isSecure: false }, 'insecure'],
    ['a browser without push', { hasPush: false }, 'unsupported'],
    ['a browser without notifications', { permission: null }, 'unsupported'],
    ['an iPhone', { userAgent: IPHONE, hasPush: false, permission: null }, 'home_screen'],
    ['an iPhone, from the home screen', { userAgent: IPHONE, isInstalled: true }, 'ready'],
    ['an iPad, which says that it is a Mac', { userAgent: MAC, touchPoints: 5, hasPush: false }, 'home_screen'],
    ['a Mac', { userAgent: MAC }, 'ready'],
  ] as const)
    it(`${what}: ${expected}`, () => {
      assert.equal(pushSupport({ ...DESKTOP, ...changes }), expected)
    })
})

it('the console recognises this browser by what the service shows of its address', async () => {
  const endpoint = 'https://push.example.org:8443/a/b?c=d'
  assert.equal(await shownEndpoint(endpoint), shownByTheService(endpoint))
})

it('the key is given to the browser as bytes', () => {
  assert.deepEqual(Buffer.from(bytesOf(VAPID_KEYS.publicKey)), Buffer.from(VAPID_KEYS.publicKey, 'base64url'))
})

const OWN = 'https://feed.example.org'

/**
 * A click on a notification, with these pages open. Returns what was opened or brought to the
 * front.
 */
async function click(data: unknown, open: string[] = [], action = ''): Promise<string[]> {
  const done: string[] = []
  const scope = {
    location: { origin: OWN },
    clients: {
      matchAll: async () => open.map((url) => ({ url, focus: async () => done.push(`focus ${url}`) })),
      openWindow: async (url: string) => done.push(`open ${url}`),
    },
  } as unknown as WorkerScope
  await openNotification(scope, data, action)
  return done
}

describe('a notification', () => {
  it('is read as the service writes it', () => {
    const document = JSON.stringify(anIncident(1))
    const alert = alertOf({ event: 'incident.created', watchName: 'Roads', test: false, document }, NO_CHANNELS, 'en')
    const body = webPushBody(alert)
    assert.deepEqual(readNotification(JSON.stringify(body)), body.notification)
  })

  for (const text of [undefined, '', 'x', '{}', 'null', '{"notification":{"title":1}}'])
    it(`is shown all the same if it is ${JSON.stringify(text)}`, () => {
      assert.equal(readNotification(text).navigate, '/')
    })

  it('opens its incident, in the page that shows it already', async () => {
    const incident = `${OWN}/incidents/inc_1`
    assert.deepEqual(await click({ navigate: incident }), [`open ${incident}`])
    assert.deepEqual(await click({ navigate: incident }, [`${OWN}/`, incident]), [`focus ${incident}`])
  })

  it('opens what its button leads to', async () => {
    const data = { navigate: `${OWN}/incidents/inc_1`, actions: [{ action: 'alerts', navigate: `${OWN}/alerts` }] }
    assert.deepEqual(await click(data, [], 'alerts'), [`open ${OWN}/alerts`])
    assert.deepEqual(await click(data, [], 'other'), [`open ${OWN}/incidents/inc_1`])
  })

  it('opens only pages of this service, under the address that this browser uses', async () => {
    assert.deepEqual(await click({ navigate: 'https://evil.example/incidents/inc_1?x#y' }), [
      `open ${OWN}/incidents/inc_1?x`,
    ])
    assert.deepEqual(await click({ navigate: 'javascript:alert(1)' }), [`open ${OWN}/`])
    assert.deepEqual(await click(null), [`open ${OWN}/`])
  })
})

describe('another subscription of this browser', () => {
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
