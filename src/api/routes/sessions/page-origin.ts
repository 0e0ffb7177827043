import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../domain/errors.ts'

/** The origin of the service's pages, which passkeys are bound to. */
export function pageOrigin(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | null,
): string {
  if (publicUrl === null && protocol !== 'http' && protocol !== 'https')
    throw new Problem('malformed_request', 'X-Forwarded-Proto must be http or https.')
  const origin = URL.parse(publicUrl ?? `${protocol}://${host}`)?.origin
  if (origin === undefined)
    throw new Problem('malformed_request', `Host must be the name of this service, not ${host}.`)
  return origin
}
