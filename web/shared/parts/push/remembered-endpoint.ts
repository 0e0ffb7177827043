/** Where the service worker looks, too: `web/service-worker/endpoint-change.ts`. */
const CACHE = 'push'
const ENDPOINT = '/endpoint'

/**
 * Remembers where this browser is notified, so that the worker can say which endpoint another one
 * replaces.
 */
export async function rememberEndpoint(endpoint: string): Promise<void> {
  await (await caches.open(CACHE)).put(ENDPOINT, new Response(endpoint))
}
