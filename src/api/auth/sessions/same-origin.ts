import type { FastifyRequest } from 'fastify'

type Requested = Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>

/**
 * Whether a request that carries a cookie surely comes from a page of this service, as every change
 * must. `SameSite=Strict` alone is not enough: another port of the host is the same site.
 */
export function isSameOrigin({ headers, protocol, host }: Requested, publicUrl: string | null): boolean {
  const { origin } = headers
  const own = publicUrl === null ? `${protocol}://${host}` : new URL(publicUrl).origin
  const site = headers['sec-fetch-site']
  // Without HTTPS, browsers send Sec-Fetch-Site to this machine's own address only.
  if (site === undefined) return origin === own
  return site === 'same-origin'
}

/**
 * Whether a page of another origin made the request. A browser sends neither header with a plain
 * reading request over HTTP; what such a request gets, the other page cannot read.
 */
export function isCrossOrigin(request: Requested, publicUrl: string | null): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site === 'none') return false
  return (site !== undefined || origin !== undefined) && !isSameOrigin(request, publicUrl)
}
