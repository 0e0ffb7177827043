import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asker } from '../../archive/sliced-queries.ts'
import { Problem } from '../../domain/errors.ts'
import { addressSubject } from './client-address.ts'

/** The client of a request. Works nothing out for a small question, which asks for nothing. */
export class RequestAsker implements Asker {
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
