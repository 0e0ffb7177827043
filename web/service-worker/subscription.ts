import type { Subscription, WorkerScope } from './worker-scope.ts'

/** Pages write there, too: `web/shared/parts/push.ts`. */
const CACHE = 'push'
const ENDPOINT = '/endpoint'
const SAID_AT = '/said-still-here'
const DAY_MS = 86_400_000

/** The browser has replaced or ended its subscription: subscribes again if need be, and says so. */
export async function followChange(scope: WorkerScope, earlier: string | null): Promise<void> {
  const { pushManager } = scope.registration
  if (pushManager === undefined) return
  const subscription = (await pushManager.getSubscription()) ?? (await subscribeAgain(pushManager))
  await tellChange(subscription, earlier)
}

/**
 * Has the service notify this subscription in place of the one that was remembered, which only this
 * browser knows. Remembers it once the service has answered: until then, the next page says it
 * again.
 */
export async function tellChange(subscription: Subscription, named: string | null): Promise<void> {
  const cache = await caches.open(CACHE)
  const remembered = await cache.match(ENDPOINT)
  const earlier = named ?? (await remembered?.text()) ?? null
  const { endpoint } = subscription
  if (earlier !== null && earlier !== endpoint) {
    const response = await post('/v1/push/replace', { endpoint: earlier, subscription })
    // Refused for good is answered, too: asking again would be refused again.
    if (response.status === 429 || response.status >= 500) throw new TypeError(`status ${response.status}`)
  }
  if (earlier !== endpoint) await cache.put(ENDPOINT, new Response(endpoint))
}

async function subscribeAgain(manager: NonNullable<WorkerScope['registration']['pushManager']>): Promise<Subscription> {
  const response = await fetch('/v1/push')
  const { public_key } = (await response.json()) as { public_key: string }
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key })
}

let checkedAt = 0

/**
 * Tells the service that this browser, which shows its notifications, is still used: otherwise it
 * switches them off after 60 days. At most once a day, whatever pages are opened.
 */
export async function sayStillHere(scope: WorkerScope, now: number): Promise<void> {
  if (now - checkedAt < DAY_MS) return
  checkedAt = now
  try {
    await checkSubscription(scope, now)
  } catch (error) {
    // Without an answer, the next page says it.
    checkedAt = 0
    throw error
  }
}

async function checkSubscription(scope: WorkerScope, now: number): Promise<void> {
  const subscription = await scope.registration.pushManager?.getSubscription()
  if (!subscription) return
  await tellChange(subscription, null)
  const cache = await caches.open(CACHE)
  const said = await cache.match(SAID_AT)
  if (said !== undefined && now - Number(await said.text()) < DAY_MS) return
  const response = await post('/v1/push/seen', { endpoint: subscription.endpoint })
  if (!response.ok) throw new TypeError(`status ${response.status}`)
  await cache.put(SAID_AT, new Response(String(now)))
}

function post(path: string, body: object): Promise<Response> {
  return fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}
