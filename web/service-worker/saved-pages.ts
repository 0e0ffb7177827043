const PAGES = 'pages'
const SAVED_AT = 'x-saved-at'
/** Each has some 100 kB. */
const MAX_PAGES = 12

/** Only the map and the pages of incidents, never what an API answered to a key. */
export function isSavable({ pathname, searchParams }: URL): boolean {
  return (pathname === '/' || /^\/incidents\/[^/]+$/.test(pathname)) && searchParams.get('embed') !== '1'
}

export async function savePage(address: string, response: Response): Promise<void> {
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
export async function savedPage(address: string): Promise<Response | null> {
  const saved = await (await caches.open(PAGES)).match(address)
  if (saved === undefined) return null
  const savedAt = saved.headers.get(SAVED_AT)
  const text = (await saved.text()).replace('<html ', `<html data-saved-at="${savedAt}" `)
  return new Response(text, { headers: saved.headers })
}

/** A page of another version needs files that this version has not saved. */
export async function removePagesWithout(script: string): Promise<void> {
  const pages = await caches.open(PAGES)
  for (const request of await pages.keys()) {
    const page = await pages.match(request)
    if (!(await page?.text())?.includes(script)) await pages.delete(request)
  }
}
