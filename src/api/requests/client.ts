import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Asker } from '../../archive/sliced-queries.ts'
import { Problem } from '../../domain/errors.ts'
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

/** The client of a request. Works nothing out for a small question, which asks for nothing. */
export class QueryClient implements Asker {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  #signal: AbortSignal | null = null

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
  }

  /** The account; the clients of a publishable key differ by address. */
  get subject(): string {
    const { caller } = this.#request
    if (caller === null || caller.key.kind === 'publishable') return `address ${addressSubject(this.#request)}`
    return `account ${caller.account.id}`
  }

  /** Aborted when the client closes the connection before it has the response. */
  signal(): AbortSignal {
    this.#signal ??= this.#listen()
    return this.#signal
  }

  #listen(): AbortSignal {
    const controller = new AbortController()
    const abort = () =>
      controller.abort(new Problem('malformed_request', 'The connection was closed before the response was ready.'))
    if (this.#reply.raw.destroyed) abort()
    else this.#reply.raw.once('close', abort)
    return controller.signal
  }
}
