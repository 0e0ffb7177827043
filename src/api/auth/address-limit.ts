import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Allowance, RateLimiter } from '../../accounts/quotas/rate-limiter.ts'
import { Problem } from '../../domain/errors.ts'
import { clientNetwork, parseAddress } from '../../lib/network.ts'
import { rawAddressSubject } from '../requests/client-address.ts'
import type { Environment } from '../services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * False for routes that are so cheap that probes must never be refused, or count themselves.
     */
    countedByAddress?: false
    /** The media types that the route takes besides JSON. */
    otherBodies?: readonly string[]
  }
}

/** RATE_LIMIT_ADDRESS: every answer without a key counts for the client's address on this node. */
export class AddressLimit {
  readonly #environment: Environment
  readonly #limiter = new RateLimiter()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Adds the RateLimit headers to the answer. Returns a problem if the limit is used up. */
  countRequest(request: FastifyRequest, reply: FastifyReply): Problem | undefined {
    const limit = this.#limit
    const { allowed, remaining, resetsIn } = this.#consume(this.#subjectOf(request))
    reply.header('ratelimit-policy', `"address";q=${limit};w=60`)
    reply.header('ratelimit', `"address";r=${remaining};t=${resetsIn}`)
    if (allowed) return undefined
    return new Problem(
      'rate_limited',
      `One address may make ${limit} requests a minute without a key. Try again in ${resetsIn} s, or use a key.`,
      // Answers without a key are public, so a web page may read why it gets none.
      { headers: { 'retry-after': String(resetsIn), 'access-control-allow-origin': '*' } },
    )
  }

  /**
   * For connections whose bytes never became a request. Returns whether they may be answered.
   * Behind a proxy, nobody knows whose bytes they were.
   */
  countSocket({ remoteAddress = '' }: Socket): boolean {
    const address = parseAddress(remoteAddress) ?? remoteAddress
    return this.#environment.config.TRUST_PROXY(address, 0) || this.#consume(clientNetwork(address)).allowed
  }

  isExhausted(request: FastifyRequest): boolean {
    return this.#limiter.isExhausted(this.#subjectOf(request), this.#limit, this.#environment.clock())
  }

  get #limit(): number {
    return this.#environment.config.RATE_LIMIT_ADDRESS
  }

  #subjectOf({ raw }: FastifyRequest): string {
    return rawAddressSubject(raw, this.#environment.config.TRUST_PROXY)
  }

  #consume(subject: string): Allowance {
    return this.#limiter.consume(subject, this.#limit, this.#environment.clock())
  }
}

/**
 * Counts every route that does not opt out. Call before registering routes. Unknown paths have no
 * route: the hook for all requests counts them.
 */
export function countRequestsByAddress(server: FastifyInstance, limit: AddressLimit): void {
  const count = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) =>
    done(limit.countRequest(request, reply))
  server.addHook('onRoute', (route) => {
    if (route.config?.countedByAddress === false) return
    const own = [route.onRequest ?? []].flat()
    // Fastify derives a HEAD route from the options of the GET route, which count already.
    if (!own.includes(count)) route.onRequest = [count, ...own]
  })
}
