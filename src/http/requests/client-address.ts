import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientNetwork } from '../../lib/network/ip-address.ts'
import { clientAddressOf, type TrustedProxies } from '../../lib/network/trusted-proxies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address as the trusted proxies give it. Not `ip`: that repeats any text. */
    readonly clientAddress: string
  }
}

export function decorateClientAddress(server: FastifyInstance, isTrusted: TrustedProxies): void {
  server.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      const { socket, headers } = this.raw
      return clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString(), isTrusted)
    },
  })
}

/** Subject of every limit by address: the IPv4 address, or the /64 of an IPv6 address. */
export function addressSubject(request: Pick<FastifyRequest, 'clientAddress'>): string {
  return clientNetwork(request.clientAddress)
}
