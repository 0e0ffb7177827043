import type { Subscription, WorkerScope } from './worker-scope.ts'

/** Where pages write it, too: `web/shared/parts/push/remembered-endpoint.ts`. */
const CACHE = 'push'
const ENDPOINT = '/endpoint'

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
    const response = await fetch('/v1/push/replace', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint: earlier, subscription }),
    })
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
