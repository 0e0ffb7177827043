import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientAddressOf, clientNetwork, type TrustedProxies } from '../../lib/network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address as the trusted proxies give it. Not `ip`: that repeats any text. */
    readonly clientAddress: string
  }
}

export function decorateClientAddress(server: FastifyInstance, isTrusted: TrustedProxies): void {
  server.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return addressOf(this.raw, isTrusted)
    },
  })
}

/** Subject of every limit by address: the IPv4 address, or the /64 of an IPv6 address. */
export function addressSubject(request: Pick<FastifyRequest, 'clientAddress'>): string {
  return clientNetwork(request.clientAddress)
}

/** For requests that Fastify refuses before it decorates them. */
export function rawAddressSubject(request: IncomingMessage, isTrusted: TrustedProxies): string {
  return clientNetwork(addressOf(request, isTrusted))
}

function addressOf({ socket, headers }: IncomingMessage, isTrusted: TrustedProxies): string {
  return clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString(), isTrusted)
}
