import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../../accounts/keys/hash-secret.ts'
import { KeyCache, type KeyHolder } from '../../accounts/keys/key-cache.ts'
import { type Allowance, RateLimiter } from '../../accounts/quotas/rate-limiter.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type Account, hasScope, scopesLeft } from '../../domain/account.ts'
import { Problem } from '../../domain/errors.ts'
import { KEY_KINDS, type Key, keyState, parseKey, type Scope } from '../../domain/key.ts'
import { addressSubject } from '../requests/client-address.ts'
import { queryOf } from '../requests/parameters.ts'
import { type Environment, type Phase, requireServices } from '../services.ts'
import { AccountQuotas, type CountedRequest, limitOf, type MinuteLimit, then } from './account-quotas.ts'
import type { AddressLimit } from './address-limit.ts'
import { allowOrigin } from './cross-origin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if no key was given and none is needed. */
    caller: KeyHolder | null
  }
}

/** Wrong keys per address before it gets 429: guessing keys must not be worth it. */
const MAX_WRONG_KEYS_PER_MINUTE = 60

const UNREADABLE_KEYS = {
  malformed: { code: 'malformed_key', detail: 'The key must begin with inf_live_ or inf_pub_.' },
  mistyped: {
    code: 'mistyped_key',
    detail: 'The key looks like one of ours, but its checksum does not fit: a character is missing, added or changed.',
  },
} as const

/** Identifies the caller by its key, checks the key's rights and counts its rate limit. */
export class Authenticator {
  readonly keys: KeyCache
  readonly quotas: AccountQuotas
  readonly #environment: Environment
  readonly #currentPhase: () => Phase
  readonly #addresses: AddressLimit
  /** Counted per node, so that a client with wrong keys causes no database writes. */
  readonly #failures = new RateLimiter()

  constructor(environment: Environment, currentPhase: () => Phase, addresses: AddressLimit) {
    this.#environment = environment
    this.#currentPhase = currentPhase
    this.#addresses = addresses
    this.keys = new KeyCache(environment.clock)
    this.quotas = new AccountQuotas(environment, currentPhase)
  }

  /**
   * Sets `request.caller` or throws a `Problem`. Returns without a promise in the usual case: the
   * key is cached and this node holds some of its quota.
   */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    declared: Pick<Endpoint, 'scope' | 'keyInQuery' | 'quota'>,
  ): undefined | Promise<void> {
    const { scope, keyInQuery } = declared
    const text = readKey(request, keyInQuery)
    if (text instanceof Problem) throw this.#addresses.countRequest(request, reply) ?? text
    if (text === null) {
      this.countWithoutKey(request, reply)
      if (scope === null) return undefined
      const or = keyInQuery ? ', or ?key=<publishable key>' : ''
      throw new Problem(
        'missing_key',
        `Send the header Authorization: Bearer <key>${or}. POST /v1/keys gives you a key.`,
      )
    }
    const reading = parseKey(text)
    if ('problem' in reading)
      throw this.#refuse(request, reply, UNREADABLE_KEYS[reading.problem].code, UNREADABLE_KEYS[reading.problem].detail)
    const hashed = hashSecret(text)
    const known = this.keys.peek(hashed)
    if (known !== undefined) return this.#check(request, reply, declared, known)
    // Every further key of this address would be looked up in the database.
    if (this.#addresses.isExhausted(request)) this.countWithoutKey(request, reply)
    return this.keys
      .find(hashed, () => requireServices(this.#currentPhase()).store.keys)
      .then((holder) => this.#check(request, reply, declared, holder))
  }

  /** Counts an answer that needs no key for the client's address; throws 429 above the limit. */
  countWithoutKey(request: FastifyRequest, reply: FastifyReply): void {
    const refused = this.#addresses.countRequest(request, reply)
    if (refused !== undefined) throw refused
  }

  /** For long-open streams. While the store cannot be reached, the last known state counts. */
  isStillValid(key: Key): boolean | Promise<boolean> {
    const isValid = (holder: KeyHolder | null) =>
      holder !== null &&
      holder.account.status === 'active' &&
      keyState(holder.key, this.#environment.clock()) === 'valid'
    const known = this.keys.peek(key.hash)
    if (known !== undefined) return isValid(known)
    return this.keys.find(key.hash, () => requireServices(this.#currentPhase()).store.keys).then(isValid)
  }

  #check(
    request: FastifyRequest,
    reply: FastifyReply,
    { scope, quota }: Pick<Endpoint, 'scope' | 'quota'>,
    holder: KeyHolder | null,
  ): undefined | Promise<void> {
    const now = this.#environment.clock()
    if (holder === null)
      throw this.#refuse(request, reply, 'unknown_key', 'The key is well formed, but this service never issued it.')
    const { key, account } = holder
    const state = keyState(key, now)
    if (state === 'revoked')
      throw this.#refuse(request, reply, 'revoked_key', `The key ending in ${key.hint} was revoked.`)
    if (state === 'expired')
      throw this.#refuse(request, reply, 'expired_key', `The key ending in ${key.hint} has expired.`)
    if (account.status === 'blocked') throw this.#refuse(request, reply, 'account_blocked', 'The account is blocked.')
    const otherOrigin = allowOrigin(request, reply, key)
    if (otherOrigin !== undefined) throw this.#addresses.countRequest(request, reply) ?? otherOrigin
    return then(this.quotas.countRequest(holder, request), (counted) => {
      this.#countRequest(reply, key, counted)
      if (scope !== null) checkScope(key, account, scope)
      request.caller = holder
      if (quota === undefined) return undefined
      return then(this.quotas.countUse(holder, quota), (allowance) => this.#checkUse(account, quota, allowance))
    })
  }

  #countRequest(reply: FastifyReply, key: Key, { allowed, remaining, resetsIn, limit, subject }: CountedRequest): void {
    reply.header('ratelimit-policy', `"minute";q=${limit};w=60`)
    reply.header('ratelimit', `"minute";r=${remaining};t=${resetsIn}`)
    if (!allowed) throw rateLimited(`${RATE_LIMITED[subject]} ${limit} requests a minute.`, resetsIn)
    this.#environment.usage.countRequest(key.id, this.#environment.clock())
  }

  #checkUse(account: Account, quota: MinuteLimit, { allowed, resetsIn }: Allowance): undefined {
    if (allowed) return undefined
    const limit = limitOf(this.#environment.config, account, quota)
    throw rateLimited(`An account may do this ${limit} times a minute.`, resetsIn)
  }

  #refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    code: 'malformed_key' | 'mistyped_key' | 'unknown_key' | 'revoked_key' | 'expired_key' | 'account_blocked',
    detail: string,
  ): Problem {
    const refused = this.#addresses.countRequest(request, reply)
    if (refused !== undefined) return refused
    const { allowed, resetsIn } = this.#failures.consume(
      addressSubject(request),
      MAX_WRONG_KEYS_PER_MINUTE,
      this.#environment.clock(),
    )
    if (allowed) return new Problem(code, detail)
    return rateLimited('Too many wrong keys from this address.', resetsIn)
  }
}

const RATE_LIMITED: Readonly<Record<CountedRequest['subject'], string>> = {
  account: 'The account may make',
  address: 'One client address may make with this key',
  'publishable keys': 'All publishable keys of the account together may make',
}

export function rateLimited(sentence: string, resetsIn: number): Problem {
  return new Problem('rate_limited', `${sentence} Try again in ${resetsIn} s.`, {
    headers: { 'retry-after': String(resetsIn) },
  })
}

function checkScope(key: Key, { role }: Account, scope: Scope): void {
  if (hasScope(key, role, scope)) return
  throw new Problem(
    'insufficient_scope',
    `This needs a key with the scope "${scope}"; yours has ${scopesLeft(key, role).join(', ')}.`,
  )
}

/** Null if there is no key; a problem if one stands where or as it must not. */
function readKey(request: FastifyRequest, keyInQuery: boolean | undefined): string | null | Problem {
  const inQuery = keyInQuery ? readQueryKey(request) : null
  return inQuery instanceof Problem ? inQuery : (readBearerKey(request.headers.authorization) ?? inQuery)
}

function readQueryKey(request: FastifyRequest): string | null | Problem {
  const text = new URLSearchParams(queryOf(request)).get('key')
  if (!text?.startsWith(KEY_KINDS.live)) return text
  return new Problem(
    'secret_key_in_url',
    'A secret key must not be in a URL, because logs and browser histories store URLs. Rotate it, and use a publishable key (inf_pub_…) here, or the Authorization header.',
  )
}

function readBearerKey(header: string | undefined): string | null | Problem {
  if (header === undefined) return null
  if (header.slice(0, 7).toLowerCase() === 'bearer ') return header.slice(7).trim()
  return new Problem('malformed_key', 'The Authorization header must read: Bearer <key>.')
}
