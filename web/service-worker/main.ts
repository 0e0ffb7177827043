import { openNotification, showNotification } from './notifications.ts'
import { followChange, sayStillHere } from './subscription.ts'
import type { WorkerScope } from './worker-scope.ts'

const scope = globalThis as unknown as WorkerScope
const FILES = 'files'

const NOT_SAVED = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>You are offline</title><h1>You are offline</h1><p>This page has not been saved on this device. <a href="/">Open the saved map</a>, or try again once the connection is back.</p></html>`

// A new worker waits until all pages of the old one are closed: an open page keeps its files.
scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(removeOld()))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return
  // Without a connection it is said another day.
  if (request.mode === 'navigate') event.waitUntil(sayStillHere(scope, Date.now()).catch(() => {}))
  if (scope.NEEDED_FILES.includes(url.pathname)) event.respondWith(fileFor(request))
  else if (request.mode === 'navigate' && isSavable(url)) {
    const loaded = fetch(request)
    event.respondWith(loaded.catch(async () => (await savedPage(request.url)) ?? notSaved()))
    const saved = loaded.then((response) => savePage(request.url, response.clone()))
    // Without a connection there is nothing to save; `respondWith` has answered.
    event.waitUntil(saved.catch(() => {}))
  }
})

scope.addEventListener('push', (event) => event.waitUntil(showNotification(scope, event.data?.text())))

scope.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  notification.close()
  event.waitUntil(openNotification(scope, notification.data, action))
})

scope.addEventListener('pushsubscriptionchange', (event) => {
  // A failure is repeated with the next page that is opened.
  const change = followChange(scope, event.oldSubscription?.endpoint ?? null)
  event.waitUntil(change.catch((error: unknown) => console.info('The other subscription was not told:', error)))
})

/**
 * Everything is in the browser's cache already: the page that registers this has just loaded it.
 */
async function install(): Promise<void> {
  const files = await caches.open(FILES)
  await files.addAll([...scope.NEEDED_FILES])
  for (const { url } of await scope.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    if (isSavable(new URL(url)))
      await savePage(url, await fetch(url, { cache: 'force-cache', headers: { accept: 'text/html' } }))
}

async function removeOld(): Promise<void> {
  const files = await caches.open(FILES)
  for (const request of await files.keys())
    if (!scope.NEEDED_FILES.includes(new URL(request.url).pathname)) await files.delete(request)
  await removePagesWithout(scope.NEEDED_FILES[0]!)
}

/** Files never change: their names do. */
async function fileFor(request: Request): Promise<Response> {
  const files = await caches.open(FILES)
  return (await files.match(request)) ?? fetch(request)
}

function notSaved(): Response {
  return new Response(NOT_SAVED, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
  })
}

const PAGES = 'pages'
const SAVED_AT = 'x-saved-at'
/** Each has some 100 kB. */
const MAX_PAGES = 12

/** Only the map and the pages of incidents, never what an API answered to a key. */
function isSavable({ pathname, searchParams }: URL): boolean {
  return (pathname === '/' || /^\/incidents\/[^/]+$/.test(pathname)) && searchParams.get('embed') !== '1'
}

async function savePage(address: string, response: Response): Promise<void> {
  const isPage = response.status === 200 && response.headers.get('content-type')?.startsWith('text/html')
  if (!isPage || response.redirected) return
  const headers = new Headers(response.headers)
  headers.set(SAVED_AT, new Date().toISOString())
  // The browser has decompressed the body.
  headers.delete('content-encoding')
  headers.delete('content-length')
  const pages = await caches.open(PAGES)
  await pages.delete(address)
  await pages.put(address, new Response(await response.arrayBuffer(), { headers }))
  const [...saved] = await pages.keys()
  await Promise.all(saved.slice(0, -MAX_PAGES).map((request) => pages.delete(request)))
}

/**
 * Returns the page with the time at which it was saved, which the page shows; null if not saved.
 */
async function savedPage(address: string): Promise<Response | null> {
  const saved = await (await caches.open(PAGES)).match(address)
  if (saved === undefined) return null
  const savedAt = saved.headers.get(SAVED_AT)
  const text = (await saved.text()).replace('<html ', `<html data-saved-at="${savedAt}" `)
  return new Response(text, { headers: saved.headers })
}

/** A page of another version needs files that this version has not saved. */
async function removePagesWithout(script: string): Promise<void> {
  const pages = await caches.open(PAGES)
  for (const request of await pages.keys()) {
    const page = await pages.match(request)
    if (!(await page?.text())?.includes(script)) await pages.delete(request)
  }
}
