import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../../accounts/keys/hash-secret.ts'
import { KeyCache, type KeyHolder } from '../../accounts/keys/key-cache.ts'
import { type Allowance, RateLimiter } from '../../accounts/quotas/rate-limiter.ts'
import { SharedRateLimiter } from '../../accounts/quotas/shared-rate-limiter.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { Problem } from '../../domain/errors.ts'
import { KEY_KINDS, type Key, keyState, parseKey, type Scope } from '../../domain/key.ts'
import { queryOf } from '../requests/parameters.ts'
import { type Environment, type Phase, requireServices, servicesIfReady } from '../services.ts'
import { allowOrigin } from './cross-origin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; null where no key was given and none is needed. */
    caller: KeyHolder | null
  }
}

/** A stranger may be wrong this often in a minute before the door stays shut: guessing keys must not be worth it. */
const WRONG_KEYS_A_MINUTE = 60

const WRONG = {
  malformed: { code: 'malformed_key', detail: 'The key must begin with inf_live_ or inf_pub_.' },
  mistyped: {
    code: 'mistyped_key',
    detail: 'The key looks like one of ours, but its checksum does not fit: a character is missing, added or changed.',
  },
} as const

/** Finds out who is asking, whether they may, and how much more. */
export class Authenticator {
  readonly keys: KeyCache
  readonly #environment: Environment
  readonly #currentPhase: () => Phase
  readonly #requests: SharedRateLimiter
  /** Each node counts for itself: a stranger with a wrong key must not make anybody write. */
  readonly #failures = new RateLimiter()

  constructor(environment: Environment, currentPhase: () => Phase) {
    this.#environment = environment
    this.#currentPhase = currentPhase
    this.keys = new KeyCache(environment.clock)
    this.#requests = new SharedRateLimiter({
      clock: environment.clock,
      quotas: () => servicesIfReady(currentPhase())?.store.quotas ?? null,
    })
  }

  /**
   * Lets the request in or throws a `Problem`. Answers at once where the key is known, and something of its limit at hand: the usual
   * case waits for nothing.
   */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { scope, keyInQuery }: Pick<Endpoint, 'scope' | 'keyInQuery'>,
  ): undefined | Promise<void> {
    const inQuery = keyInQuery ? keyInQueryOf(request) : null
    const text = bearerOf(request.headers.authorization) ?? inQuery
    if (text === null) {
      if (scope === null) return undefined
      const or = keyInQuery ? ', or ?key=<publishable key>' : ''
      throw new Problem(
        'missing_key',
        `Send the header Authorization: Bearer <key>${or}. POST /v1/keys gives you a key.`,
      )
    }
    const reading = parseKey(text)
    if ('problem' in reading) throw this.#refuse(request, WRONG[reading.problem].code, WRONG[reading.problem].detail)
    const hashed = hashSecret(text)
    const known = this.keys.peek(hashed)
    if (known !== undefined) return this.#check(request, reply, scope, known)
    return this.keys
      .find(hashed, () => requireServices(this.#currentPhase()).store.keys)
      .then((holder) => this.#check(request, reply, scope, holder))
  }

  /** Whether the key still opens anything, for those who came in long ago. While the store is away, what was known counts. */
  holds(key: Key): boolean | Promise<boolean> {
    const judge = (holder: KeyHolder | null) =>
      holder !== null && keyState(holder.key, this.#environment.clock()) === 'valid'
    const known = this.keys.peek(key.hash)
    if (known !== undefined) return judge(known)
    return this.keys.find(key.hash, () => requireServices(this.#currentPhase()).store.keys).then(judge)
  }

  limitOf({ key }: KeyHolder): number {
    const { RATE_LIMIT, RATE_LIMIT_PUBLISHABLE } = this.#environment.config
    return key.ratePerMinute ?? (key.kind === 'publishable' ? RATE_LIMIT_PUBLISHABLE : RATE_LIMIT)
  }

  #check(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: Scope | null,
    holder: KeyHolder | null,
  ): undefined | Promise<void> {
    const now = this.#environment.clock()
    if (holder === null)
      throw this.#refuse(request, 'unknown_key', 'The key is well formed, but was never issued here.')
    const { key } = holder
    const state = keyState(key, now)
    if (state === 'revoked') throw this.#refuse(request, 'revoked_key', `The key ending in ${key.hint} was revoked.`)
    if (state === 'expired') throw this.#refuse(request, 'expired_key', `The key ending in ${key.hint} has expired.`)
    allowOrigin(request, reply, key)
    const limit = this.limitOf(holder)
    const allowance = this.#requests.consume(quotaSubjectOf(key, request), limit)
    const letIn = (counted: Allowance) => {
      this.#count(reply, key, limit, counted)
      checkScope(key, scope)
      request.caller = holder
    }
    if (allowance instanceof Promise) return allowance.then(letIn)
    letIn(allowance)
    return undefined
  }

  #count(reply: FastifyReply, key: Key, limit: number, { allowed, remaining, resetsIn }: Allowance): void {
    reply.header('ratelimit-policy', `"minute";q=${limit};w=60`)
    reply.header('ratelimit', `"minute";r=${remaining};t=${resetsIn}`)
    if (!allowed) {
      throw new Problem('rate_limited', `The key may make ${limit} requests a minute. Try again in ${resetsIn} s.`, {
        headers: { 'retry-after': String(resetsIn) },
      })
    }
    this.#environment.usage.count(key.id, this.#environment.clock())
  }

  #refuse(
    request: FastifyRequest,
    code: 'malformed_key' | 'mistyped_key' | 'unknown_key' | 'revoked_key' | 'expired_key',
    detail: string,
  ): Problem {
    const { allowed, resetsIn } = this.#failures.consume(request.ip, WRONG_KEYS_A_MINUTE, this.#environment.clock())
    if (allowed) return new Problem(code, detail)
    return new Problem('rate_limited', `Too many wrong keys from this address. Try again in ${resetsIn} s.`, {
      headers: { 'retry-after': String(resetsIn) },
    })
  }
}

function checkScope(key: Key, scope: Scope | null): void {
  if (scope === null || key.scopes.includes(scope)) return
  throw new Problem(
    'insufficient_scope',
    `This needs a key with the scope "${scope}"; yours has ${key.scopes.join(', ')}.`,
  )
}

/** Who shares a limit: a publishable key is in everybody's hands, so it is counted for each client address. */
export function quotaSubjectOf(key: Key, request: FastifyRequest): string {
  return key.kind === 'publishable' ? `${key.id} ${request.ip}` : key.id
}

function keyInQueryOf(request: FastifyRequest): string | null {
  const text = new URLSearchParams(queryOf(request)).get('key')
  if (!text?.startsWith(KEY_KINDS.live)) return text
  throw new Problem(
    'secret_key_in_url',
    'A secret key must not stand in a URL, where logs and histories keep it. Rotate it, and use a publishable key (inf_pub_…) here, or the Authorization header.',
  )
}

function bearerOf(header: string | undefined): string | null {
  if (header === undefined) return null
  if (header.slice(0, 7).toLowerCase() === 'bearer ') return header.slice(7).trim()
  throw new Problem('malformed_key', 'The Authorization header must read: Bearer <key>.')
}
