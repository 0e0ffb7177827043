import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../../accounts/keys/hash-secret.ts'
import { KeyCache, type KeyHolder } from '../../accounts/keys/key-cache.ts'
import { type Allowance, RateLimiter } from '../../accounts/quotas/rate-limiter.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type Account, hasScope, scopesLeft } from '../../domain/accounts/account.ts'
import { type Key, keyState, parseKey, type Scope } from '../../domain/accounts/key.ts'
import { Problem } from '../../domain/errors.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import type { Keys } from '../../store/store.ts'
import { addressSubject } from '../requests/client-address.ts'
import { type Environment, type Phase, requireServices } from '../services.ts'
import { AccountQuotas, type CountedRequest, limitOf, type MinuteLimit, then } from './account-quotas.ts'
import type { AddressLimit } from './address-limit.ts'
import { readKey } from './bearer-key.ts'
import { allowOrigin } from './cross-origin.ts'
import { isCrossOrigin, isSameOrigin } from './same-origin.ts'
import { SessionCookie } from './session-cookie.ts'
import { SessionUse, sessionsAsKeys } from './session-lookup.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if neither a key nor a session was given and none is needed. */
    caller: KeyHolder | null
  }
}

/** Wrong keys per address before it gets 429: guessing keys must not be worth it. */
const MAX_WRONG_KEYS_PER_MINUTE = 60
const MAX_HASHES = 10_000
const MAX_POLICIES = 1000

const UNREADABLE_KEYS = {
  malformed: { code: 'malformed_key', detail: 'The key must begin with inf_live_ or inf_pub_.' },
  mistyped: {
    code: 'mistyped_key',
    detail: 'The key looks like one of ours, but its checksum does not fit: a character is missing, added or changed.',
  },
} as const

type Declared = Pick<Endpoint, 'method' | 'scope' | 'keyInQuery' | 'quota'>

/** Identifies the caller by its key or session, checks its rights and counts its rate limit. */
export class Authenticator {
  readonly keys: KeyCache
  readonly quotas: AccountQuotas
  readonly cookie: SessionCookie
  readonly #environment: Environment
  readonly #currentPhase: () => Phase
  readonly #addresses: AddressLimit
  /** Counted per node, so that a client with wrong keys causes no database writes. */
  readonly #failures = new RateLimiter()
  readonly #sessionUse = new SessionUse()
  /** The hashes of keys that were valid: working one out takes longer than the whole rest of this. */
  readonly #hashes = new BoundedCache<string, string>(MAX_HASHES)
  /** The header of each limit that is in use. */
  readonly #policies = new BoundedCache<number, string>(MAX_POLICIES)

  constructor(environment: Environment, currentPhase: () => Phase, addresses: AddressLimit) {
    this.#environment = environment
    this.#currentPhase = currentPhase
    this.#addresses = addresses
    this.keys = new KeyCache(environment.clock)
    this.quotas = new AccountQuotas(environment, currentPhase)
    this.cookie = new SessionCookie(environment.config.PUBLIC_URL)
  }

  /**
   * Sets `request.caller` or throws a `Problem`. Returns without a promise in the usual case: the
   * key is cached and this node holds some of its quota.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply, declared: Declared): undefined | Promise<undefined> {
    const text = readKey(request, declared.keyInQuery)
    if (text instanceof Problem) throw this.#addresses.countRequest(request, reply) ?? text
    if (text !== null) {
      const holder = this.findHolder(request, reply, text)
      // No `then` here and below: its closures cost every request, and most wait for nothing.
      if (!(holder instanceof Promise)) return this.#admit(request, reply, declared, holder)
      return holder.then((found) => this.#admit(request, reply, declared, found))
    }
    const secret = this.cookie.read(request)
    if (secret === null) return this.#admitWithoutKey(request, reply, declared)
    return then(this.#findSession(request, reply, declared, secret), (holder) =>
      holder === null ? this.#admitWithoutKey(request, reply, declared) : this.#admit(request, reply, declared, holder),
    )
  }

  /** Finds the holder of a key; throws a `Problem` if the key is not valid. */
  findHolder(request: FastifyRequest, reply: FastifyReply, text: string): KeyHolder | Promise<KeyHolder> {
    const known = this.#hashes.get(text)
    const hashed = known ?? this.#hashOf(request, reply, text)
    const now = this.#environment.clock()
    const found = this.#lookUp(request, reply, hashed, this.#storedKeys, now)
    if (found instanceof Promise)
      return found.then((holder) => this.#requireValid(request, reply, holder, this.#environment.clock()))
    const holder = this.#requireValid(request, reply, found, now)
    if (known === undefined) this.#hashes.set(text, hashed)
    return holder
  }

  #hashOf(request: FastifyRequest, reply: FastifyReply, text: string): string {
    const reading = parseKey(text)
    if ('problem' in reading)
      throw this.#refuse(request, reply, UNREADABLE_KEYS[reading.problem].code, UNREADABLE_KEYS[reading.problem].detail)
    return hashSecret(text)
  }

  /** Forgets the sessions of an account, so that what ended them holds here at once. */
  forgetSessions(hashes: readonly string[]): void {
    for (const hash of hashes) this.keys.forget(hash)
  }

  /** Whether a page is opened by somebody who is signed in. */
  async hasSession(request: FastifyRequest): Promise<boolean> {
    const secret = this.cookie.read(request)
    if (secret === null) return false
    const hashed = hashSecret(secret)
    const known = this.keys.peek(hashed)
    const holder = known === undefined ? await this.keys.find(hashed, this.#storedSessions) : known
    if (holder === null || holder.account.status !== 'active') return false
    return keyState(holder.key, this.#environment.clock()) === 'valid'
  }

  /** Whether a page of this service made the request, as whatever a cookie allows must be. */
  isSameOrigin(request: FastifyRequest): boolean {
    return isSameOrigin(request, this.#environment.config.PUBLIC_URL)
  }

  isCrossOrigin(request: FastifyRequest): boolean {
    return isCrossOrigin(request, this.#environment.config.PUBLIC_URL)
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
    return this.keys.find(key.hash, key.kind === 'session' ? this.#storedSessions : this.#storedKeys).then(isValid)
  }

  readonly #storedKeys = () => requireServices(this.#currentPhase()).store.keys

  readonly #storedSessions = () => sessionsAsKeys(requireServices(this.#currentPhase()).store.sessions)

  #lookUp(
    request: FastifyRequest,
    reply: FastifyReply,
    hashed: string,
    source: () => Pick<Keys, 'findByHash'>,
    now = this.#environment.clock(),
  ): KeyHolder | null | Promise<KeyHolder | null> {
    const known = this.keys.peek(hashed, now)
    if (known !== undefined) return known
    // Every further key of this address would be looked up in the database.
    if (this.#addresses.isExhausted(request)) this.countWithoutKey(request, reply)
    return this.keys.find(hashed, source)
  }

  #admitWithoutKey(request: FastifyRequest, reply: FastifyReply, { scope, keyInQuery }: Declared): undefined {
    this.countWithoutKey(request, reply)
    if (scope === null) return undefined
    const or = keyInQuery ? ', or ?key=<publishable key>' : ''
    throw new Problem('missing_key', `Send the header Authorization: Bearer <key>${or}. POST /v1/keys gives you a key.`)
  }

  /**
   * Null if the cookie counts for nothing: another site's page sent it with a reading request, or
   * the endpoint needs nobody and the session is over.
   */
  #findSession(
    request: FastifyRequest,
    reply: FastifyReply,
    { method, scope }: Declared,
    secret: string,
  ): KeyHolder | null | Promise<KeyHolder | null> {
    if (this.isCrossOrigin(request) && (method === 'GET' || scope === null)) return null
    if (method !== 'GET' && !this.isSameOrigin(request)) {
      if (scope === null) return null
      const refused = new Problem(
        'cross_origin_request',
        'A session can change things only from the pages of this service: Sec-Fetch-Site must be same-origin, or Origin must be its own. Programs use a key.',
      )
      throw this.#addresses.countRequest(request, reply) ?? refused
    }
    return then(this.#lookUp(request, reply, hashSecret(secret), this.#storedSessions), (holder) => {
      const isOpen = holder !== null && keyState(holder.key, this.#environment.clock()) === 'valid'
      const isBlocked = holder?.account.status === 'blocked'
      if (isOpen && holder.account.status === 'active') return this.#useSession(request, reply, holder)
      this.cookie.clear(reply)
      if (scope === null) return null
      const ended = isBlocked
        ? new Problem('account_blocked', 'The account is blocked.')
        : new Problem('session_ended', 'Your session has ended: sign in again.')
      throw this.#addresses.countRequest(request, reply) ?? ended
    })
  }

  #useSession(request: FastifyRequest, reply: FastifyReply, holder: KeyHolder): KeyHolder {
    const { store } = requireServices(this.#currentPhase())
    this.#sessionUse.record(holder.session!, this.#environment.clock(), store.sessions, request.log)
    // Caches keep answers to an Authorization header apart by themselves, but not those to a cookie.
    reply.header('cache-control', 'private, no-store')
    return holder
  }

  #requireValid(request: FastifyRequest, reply: FastifyReply, holder: KeyHolder | null, now: number): KeyHolder {
    if (holder === null)
      throw this.#refuse(request, reply, 'unknown_key', 'The key is well formed, but this service never issued it.')
    const { key, account } = holder
    const state = keyState(key, now)
    if (state === 'revoked')
      throw this.#refuse(request, reply, 'revoked_key', `The key ending in ${key.hint} was revoked.`)
    if (state === 'expired')
      throw this.#refuse(request, reply, 'expired_key', `The key ending in ${key.hint} has expired.`)
    if (account.status === 'blocked') throw this.#refuse(request, reply, 'account_blocked', 'The account is blocked.')
    return holder
  }

  #admit(
    request: FastifyRequest,
    reply: FastifyReply,
    declared: Declared,
    holder: KeyHolder,
  ): undefined | Promise<undefined> {
    const otherOrigin = allowOrigin(request, reply, holder.key)
    if (otherOrigin !== undefined) throw this.#addresses.countRequest(request, reply) ?? otherOrigin
    const counted = this.quotas.countRequest(holder, request)
    if (counted instanceof Promise)
      return counted.then((result) => this.#admitCounted(request, reply, declared, holder, result))
    return this.#admitCounted(request, reply, declared, holder, counted)
  }

  #admitCounted(
    request: FastifyRequest,
    reply: FastifyReply,
    { scope, quota }: Declared,
    holder: KeyHolder,
    counted: CountedRequest,
  ): undefined | Promise<undefined> {
    const { key, account } = holder
    this.#countRequest(reply, holder, counted)
    if (scope !== null) checkScope(key, account, scope)
    request.caller = holder
    if (quota === undefined) return undefined
    return then(this.quotas.countUse(holder, quota), (allowance) => this.#checkUse(account, quota, allowance))
  }

  #countRequest(
    reply: FastifyReply,
    { key, account, session }: KeyHolder,
    { allowed, remaining, resetsIn, limit, subject }: CountedRequest,
  ): void {
    reply.header('ratelimit-policy', this.#policyOf(limit))
    reply.header('ratelimit', `"minute";r=${remaining};t=${resetsIn}`)
    if (!allowed) throw rateLimited(`${RATE_LIMITED[subject]} ${limit} requests a minute.`, resetsIn)
    // A session without a key counts for the account.
    const subjectOfUsage = session?.keyId === null ? account.id : key.id
    this.#environment.usage.countRequest(subjectOfUsage, this.#environment.clock())
  }

  #policyOf(limit: number): string {
    let policy = this.#policies.get(limit)
    if (policy === undefined) {
      policy = `"minute";q=${limit};w=60`
      this.#policies.set(limit, policy)
    }
    return policy
  }

  /** Counts a use that not every request of the endpoint is; throws if the account has none left. */
  async requireUse(holder: KeyHolder, quota: MinuteLimit): Promise<void> {
    this.#checkUse(holder.account, quota, await this.quotas.countUse(holder, quota))
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
  if (key.kind === 'session')
    throw new Problem(
      'insufficient_scope',
      `This needs the scope "${scope}"; you are signed in as ${role}, with ${scopesLeft(key, role).join(', ')}.`,
    )
  throw new Problem(
    'insufficient_scope',
    `This needs a key with the scope "${scope}"; yours has ${scopesLeft(key, role).join(', ')}.`,
  )
}
