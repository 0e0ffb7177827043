/**
 * The path to open after signing in: one of this service, or null. Another site must not choose.
 */
export function nextPath(wanted: string | null, origin: string): string | null {
  // A browser reads `/\host`, `//host` and what it strips from them as another host.
  if (wanted === null || !/^\/(?![/\\])/.test(wanted) || /[\p{Cc}]/u.test(wanted)) return null
  if (!URL.canParse(wanted, origin)) return null
  const url = new URL(wanted, origin)
  // `/..//host` becomes `//host`.
  if (url.origin !== origin || url.pathname.startsWith('//') || url.pathname === '/sign-in') return null
  return url.pathname + url.search + url.hash
}
