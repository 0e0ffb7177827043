import { tellChange } from './endpoint-change.ts'
import type { WorkerScope } from './worker-scope.ts'

const DAY_MS = 86_400_000
const CACHE = 'push'
const SAID_AT = '/said-still-here'

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
  const response = await fetch('/v1/push/seen', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint: subscription.endpoint }),
  })
  if (!response.ok) throw new TypeError(`status ${response.status}`)
  await cache.put(SAID_AT, new Response(String(now)))
}
