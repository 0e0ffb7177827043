import { BoundedCache } from '../../lib/bounded-cache.ts'
import { hostNameOf } from '../guard/endpoint-url.ts'

export interface UrlParts {
  readonly protocol: string
  readonly origin: string
  readonly path: string
  /** The host to connect to, without a port. */
  readonly host: string
}

/** Cached, because parsing a URL costs as much as signing a message. */
const partsByUrl = new BoundedCache<string, UrlParts>(20_000)

/** Null if the text is not a URL. */
export function urlPartsOf(url: string): UrlParts | null {
  const known = partsByUrl.get(url)
  if (known) return known
  const parsed = URL.parse(url)
  if (!parsed) return null
  const parts = {
    protocol: parsed.protocol,
    origin: parsed.origin,
    path: parsed.pathname + parsed.search,
    host: hostNameOf(parsed),
  }
  partsByUrl.set(url, parts)
  return parts
}
