import type { FastifyRequest } from 'fastify'

/** The origin of the service's pages, which passkeys are bound to. */
export function pageOrigin(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | null,
): string {
  return publicUrl === null ? `${protocol}://${host}` : new URL(publicUrl).origin
}
