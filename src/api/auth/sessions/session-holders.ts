import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../../../accounts/keys/hash-secret.ts'
import type { KeyCache, KeyHolder } from '../../../accounts/keys/key-cache.ts'
import { Problem } from '../../../domain/errors.ts'
import { keyState } from '../../../domain/keys.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type Environment, type Phase, requireServices } from '../../services.ts'
import { then } from '../account-quotas.ts'
import type { AddressLimit } from '../address-limit.ts'
import type { KeyHolders } from '../key-holders.ts'
import { isCrossOrigin, isSameOrigin } from './same-origin.ts'
import { SessionCookie } from './session-cookie.ts'
import { SessionUse, sessionsAsKeys } from './session-lookup.ts'

interface Parts {
  readonly environment: Environment
  readonly currentPhase: () => Phase
  readonly addresses: AddressLimit
  readonly cache: KeyCache
  readonly keyHolders: KeyHolders
}

/**
 * Finds who is signed in by the cookie of a session, and whether a page of this service sent it.
 */
export class SessionHolders {
  readonly cookie: SessionCookie
  readonly #parts: Parts
  readonly #use = new SessionUse()

  constructor(parts: Parts) {
    this.#parts = parts
    this.cookie = new SessionCookie(parts.environment.config.PUBLIC_URL)
  }

  /**
   * Null if the cookie counts for nothing: another site's page sent it with a reading request, or
   * the endpoint needs nobody and the session is over.
   */
  find(
    request: FastifyRequest,
    reply: FastifyReply,
    { method, scope }: Pick<Endpoint, 'method' | 'scope'>,
    secret: string,
  ): KeyHolder | null | Promise<KeyHolder | null> {
    const { addresses, keyHolders, environment } = this.#parts
    if (this.isCrossOrigin(request) && (method === 'GET' || scope === null)) return null
    if (method !== 'GET' && !isSameOrigin(request, environment.config.PUBLIC_URL)) {
      if (scope === null) return null
      const refused = new Problem(
        'cross_origin_request',
        'A session can change things only from the pages of this service: Sec-Fetch-Site must be same-origin, or Origin must be its own. Programs use a key.',
      )
      throw addresses.countRequest(request, reply) ?? refused
    }
    return then(keyHolders.lookUp(request, reply, hashSecret(secret), this.#stored), (holder) => {
      const isOpen = holder !== null && keyState(holder.key, environment.clock()) === 'valid'
      const isBlocked = holder?.account.status === 'blocked'
      if (isOpen && holder.account.status === 'active') return this.#useOf(request, reply, holder)
      this.cookie.clear(reply)
      if (scope === null) return null
      const ended = isBlocked
        ? new Problem('account_blocked', 'The account is blocked.')
        : new Problem('session_ended', 'Your session has ended: sign in again.')
      throw addresses.countRequest(request, reply) ?? ended
    })
  }

  /** Whether a page is opened by somebody who is signed in. */
  async isSignedIn(request: FastifyRequest): Promise<boolean> {
    const { cache, environment } = this.#parts
    const secret = this.cookie.read(request)
    if (secret === null) return false
    const hashed = hashSecret(secret)
    const known = cache.peek(hashed)
    const holder = known === undefined ? await cache.find(hashed, this.#stored) : known
    if (holder === null || holder.account.status !== 'active') return false
    return keyState(holder.key, environment.clock()) === 'valid'
  }

  /** Forgets sessions, so that what ended them holds here at once. */
  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.#parts.cache.forget(hash)
  }

  isCrossOrigin(request: FastifyRequest): boolean {
    return isCrossOrigin(request, this.#parts.environment.config.PUBLIC_URL)
  }

  readonly #stored = () => sessionsAsKeys(requireServices(this.#parts.currentPhase()).store.sessions)

  #useOf(request: FastifyRequest, reply: FastifyReply, holder: KeyHolder): KeyHolder {
    const { environment, currentPhase } = this.#parts
    const { store } = requireServices(currentPhase())
    this.#use.record(holder.session!, environment.clock(), store.sessions, request.log)
    // Caches keep answers to an Authorization header apart by themselves, but not those to a
    // cookie.
    reply.header('cache-control', 'private, no-store')
    return holder
  }
}
