import { BoundedCache } from '../../lib/bounded-cache.ts'

export interface UrlParts {
  readonly protocol: string
  readonly origin: string
  readonly path: string
}

/** Cached, because parsing a URL costs as much as signing a message. */
const partsByUrl = new BoundedCache<string, UrlParts>(20_000)

/** Null if the text is not a URL. */
export function urlPartsOf(url: string): UrlParts | null {
  const known = partsByUrl.get(url)
  if (known) return known
  const parsed = URL.parse(url)
  if (!parsed) return null
  const parts = { protocol: parsed.protocol, origin: parsed.origin, path: parsed.pathname + parsed.search }
  partsByUrl.set(url, parts)
  return parts
}
