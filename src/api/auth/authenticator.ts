import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireWholeRole } from '../../accounts/delegation.ts'
import { KeyCache, type KeyHolder } from '../../accounts/key-cache.ts'
import { hashSecret } from '../../accounts/keys.ts'
import { type Allowance, RateLimiter } from '../../accounts/rate-limiter.ts'
import { type Account, hasScope, scopesLeft } from '../../domain/accounts.ts'
import { Problem } from '../../domain/errors.ts'
import { KEY_KINDS, type Key, keyState, parseKey, type Scope } from '../../domain/keys.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import type { Keys } from '../../store/store.ts'
import { DECLARED, type Endpoint, type Requirements } from '../contract/endpoint.ts'
import { addressSubject, queryOf } from '../request.ts'
import { type Environment, type Phase, requireServices, servicesIfReady } from '../services.ts'
import {
  AccountQuotas,
  type AddressLimit,
  type CountedRequest,
  limitOf,
  type MinuteLimit,
  rateLimited,
  then,
} from './quotas.ts'
import { ownOrigin, SessionHolders, sessionsAsKeys } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if neither a key nor a session was given and none is needed. */
    caller: KeyHolder | null
    /** `min_seq`: the newest event that the client knows of; 0 if it says none. */
    leastSeq: number
  }
}

const MAX_POLICIES = 1000

type Declared = Requirements & Pick<Endpoint, 'method' | 'keyInQuery' | 'quota'>

/** Identifies the caller by its key or session, checks its rights and counts its rate limit. */
export class Authenticator {
  readonly keys: KeyCache
  readonly quotas: AccountQuotas
  readonly keyHolders: KeyHolders
  readonly sessions: SessionHolders
  readonly #environment: Environment
  readonly #addresses: AddressLimit
  readonly #policies = new BoundedCache<number, string>(MAX_POLICIES)

  constructor(environment: Environment, currentPhase: () => Phase, addresses: AddressLimit) {
    this.#environment = environment
    this.#addresses = addresses
    const isStoreAway = () => servicesIfReady(currentPhase())?.store.isAway() ?? false
    this.keys = new KeyCache(environment.clock, environment.runtime, isStoreAway)
    this.quotas = new AccountQuotas(environment, currentPhase)
    this.keyHolders = new KeyHolders(environment, currentPhase, addresses, this.keys)
    const parts = { environment, currentPhase, addresses, cache: this.keys, keyHolders: this.keyHolders }
    this.sessions = new SessionHolders(parts)
  }

  /**
   * Sets `request.caller` or throws a `Problem`. Returns without a promise in the usual case: the
   * key is cached and this node holds some of its quota.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply, declared: Declared): undefined | Promise<undefined> {
    const text = readKey(request, declared.keyInQuery)
    if (text instanceof Problem) throw this.#addresses.countRequest(request, reply) ?? text
    if (text !== null) {
      const holder = this.keyHolders.find(request, reply, text)
      // No `then` here and below: its closures cost every request, and most wait for nothing.
      if (!(holder instanceof Promise)) return this.#admit(request, reply, declared, holder)
      return holder.then((found) => this.#admit(request, reply, declared, found))
    }
    const secret = this.sessions.cookie.read(request)
    if (secret === null) return this.#admitWithoutKey(request, reply, declared)
    return then(this.sessions.find(request, reply, declared, secret), (holder) =>
      holder === null ? this.#admitWithoutKey(request, reply, declared) : this.#admit(request, reply, declared, holder),
    )
  }

  /** Counts an answer that needs no key for the client's address; throws 429 above the limit. */
  countWithoutKey(request: FastifyRequest, reply: FastifyReply): void {
    const refused = this.#addresses.countRequest(request, reply)
    if (refused !== undefined) throw refused
  }

  #admitWithoutKey(request: FastifyRequest, reply: FastifyReply, { scope, keyInQuery }: Declared): undefined {
    this.countWithoutKey(request, reply)
    if (scope === null) return undefined
    const or = keyInQuery ? ', or ?key=<publishable key>' : ''
    throw new Problem('missing_key', `Send the header Authorization: Bearer <key>${or}. POST /v1/keys gives you a key.`)
  }

  #admit(
    request: FastifyRequest,
    reply: FastifyReply,
    declared: Declared,
    holder: KeyHolder,
  ): undefined | Promise<undefined> {
    const otherOrigin = allowOrigin(request, reply, holder.key, this.#environment.config.PUBLIC_URL)
    if (otherOrigin !== undefined) throw this.#addresses.countRequest(request, reply) ?? otherOrigin
    const counted = this.quotas.countRequest(holder, request)
    if (counted instanceof Promise)
      return counted.then((result) => this.#admitCounted(request, reply, declared, holder, result))
    return this.#admitCounted(request, reply, declared, holder, counted)
  }

  #admitCounted(
    request: FastifyRequest,
    reply: FastifyReply,
    { scope, scopeIfGiven, needsWholeRole, quota }: Declared,
    holder: KeyHolder,
    counted: CountedRequest,
  ): undefined | Promise<undefined> {
    const { key, account } = holder
    this.#countRequest(reply, holder, counted)
    if (scope !== null) checkScope(key, account, scope)
    else if (scopeIfGiven !== undefined) checkScope(key, account, scopeIfGiven)
    if (needsWholeRole) requireWholeRole(holder)
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

  /**
   * Counts a use that not every request of the endpoint is; throws if the account has none left.
   */
  async requireUse(holder: KeyHolder, quota: MinuteLimit): Promise<void> {
    this.#checkUse(holder.account, quota, await this.quotas.countUse(holder, quota))
  }

  #checkUse(account: Account, quota: MinuteLimit, { allowed, resetsIn }: Allowance): undefined {
    if (allowed) return undefined
    const limit = limitOf(this.#environment.config, account, quota)
    throw rateLimited(`An account may do this ${limit} times a minute.`, resetsIn)
  }
}

const RATE_LIMITED: Readonly<Record<CountedRequest['subject'], string>> = {
  account: 'The account may make',
  address: 'One client address may make with this key',
  'publishable keys': 'All publishable keys of the account together may make',
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

/** Null if there is no key; a problem if one is misplaced or malformed. */
export function readKey(request: FastifyRequest, keyInQuery: boolean | undefined): string | null | Problem {
  const inQuery = keyInQuery ? readQueryKey(request) : null
  return inQuery instanceof Problem ? inQuery : (readBearerKey(request.headers.authorization) ?? inQuery)
}

function readQueryKey(request: FastifyRequest): string | null | Problem {
  const query = queryOf(request)
  // Most queries name none, and are not parsed for it. A name may be percent-encoded.
  if (!query.includes('key') && !query.includes('%')) return null
  const text = new URLSearchParams(query).get('key')
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

const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Stale-Seconds, X-Request-Id'

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Authorization, Accept, If-None-Match, If-Range, Last-Event-ID, Range',
  'access-control-max-age': '86400',
}

/** Only these take a body from other sites: elsewhere a page could write in its reader's name. */
const QUERY_PREFLIGHT = {
  ...PREFLIGHT,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Authorization, Accept, Content-Type',
}

/** A preflight has no key: every browser may try to read; the key of the read then decides. */
export function answerPreflights(server: FastifyInstance): void {
  for (const url of ['/v1/*', '/incidents', '/incidents/*']) {
    server.options(url, (_request, reply) => reply.status(204).headers(PREFLIGHT).send())
  }
  for (const { path } of Object.values(DECLARED).filter(({ readsOnly }) => readsOnly)) {
    server.options(path, (_request, reply) => reply.status(204).headers(QUERY_PREFLIGHT).send())
  }
}

/**
 * Allows the origins of a publishable key, and returns a problem for others; a web page cannot read
 * responses to a secret key.
 */
function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  key: Key,
  publicUrl: string | null,
): Problem | undefined {
  if (key.kind !== 'publishable') return undefined
  reply.header('access-control-expose-headers', EXPOSED)
  if (key.origins.length === 0) {
    reply.header('access-control-allow-origin', '*')
    return undefined
  }
  reply.header('vary', 'Origin')
  const origin = originOf(request, publicUrl)
  if (origin === null || !key.origins.includes(origin)) {
    return new Problem('origin_not_allowed', `This key is bound to ${key.origins.join(', ')}.`)
  }
  reply.header('access-control-allow-origin', origin)
  return undefined
}

/** Requests to the page's own host have no Origin; browsers send `Sec-Fetch-Site` instead. */
function originOf(request: FastifyRequest, publicUrl: string | null): string | null {
  const { origin, 'sec-fetch-site': site } = request.headers
  return origin ?? (site === 'same-origin' ? ownOrigin(request, publicUrl) : null)
}

/** Wrong keys per address before it gets 429: guessing keys must not be worth it. */
const MAX_WRONG_KEYS_PER_MINUTE = 60
const MAX_HASHES = 10_000

const UNREADABLE_KEYS = {
  malformed: { code: 'malformed_key', detail: 'The key must begin with inf_live_ or inf_pub_.' },
  mistyped: {
    code: 'mistyped_key',
    detail: 'The key looks like one of ours, but its checksum does not fit: a character is missing, added or changed.',
  },
} as const

type RefusalCode = (typeof UNREADABLE_KEYS)[keyof typeof UNREADABLE_KEYS]['code']

/** Finds the holder of a key, and refuses keys that are not valid; counts those for the address. */
class KeyHolders {
  readonly #environment: Environment
  readonly #currentPhase: () => Phase
  readonly #addresses: AddressLimit
  readonly #cache: KeyCache
  /** Counted per node, so that a client with wrong keys causes no database writes. */
  readonly #failures = new RateLimiter()
  /**
   * The hashes of keys that were valid: working one out takes longer than the whole rest of this.
   */
  readonly #hashes = new BoundedCache<string, string>(MAX_HASHES)

  constructor(environment: Environment, currentPhase: () => Phase, addresses: AddressLimit, cache: KeyCache) {
    this.#environment = environment
    this.#currentPhase = currentPhase
    this.#addresses = addresses
    this.#cache = cache
  }

  /** Throws a `Problem` if the key is not valid. Returns without a promise if the key is cached. */
  find(request: FastifyRequest, reply: FastifyReply, text: string): KeyHolder | Promise<KeyHolder> {
    const known = this.#hashes.get(text)
    const hashed = known ?? this.#hashOf(request, reply, text)
    const now = this.#environment.clock()
    const found = this.lookUp(request, reply, hashed, this.#storedKeys, now)
    if (found instanceof Promise)
      return found.then((holder) => this.#requireValid(request, reply, holder, this.#environment.clock()))
    const holder = this.#requireValid(request, reply, found, now)
    if (known === undefined) this.#hashes.set(text, hashed)
    return holder
  }

  /** Throws 429 before the database is asked for an address that has no requests left. */
  lookUp(
    request: FastifyRequest,
    reply: FastifyReply,
    hashed: string,
    source: () => Pick<Keys, 'findByHash'>,
    now = this.#environment.clock(),
  ): KeyHolder | null | Promise<KeyHolder | null> {
    const known = this.#cache.peek(hashed, now)
    if (known !== undefined) return known
    // Every further key of this address would be looked up in the database.
    const refused = this.#addresses.isExhausted(request) ? this.#addresses.countRequest(request, reply) : undefined
    if (refused !== undefined) throw refused
    return this.#cache.find(hashed, source)
  }

  /** For long-open streams. While the store cannot be reached, the last known state counts. */
  isStillValid(key: Key): boolean | Promise<boolean> {
    const isValid = (holder: KeyHolder | null) =>
      holder !== null &&
      holder.account.status === 'active' &&
      keyState(holder.key, this.#environment.clock()) === 'valid'
    const known = this.#cache.peek(key.hash)
    if (known !== undefined) return isValid(known)
    return this.#cache.find(key.hash, key.kind === 'session' ? this.#storedSessions : this.#storedKeys).then(isValid)
  }

  readonly #storedKeys = () => requireServices(this.#currentPhase()).store.keys

  readonly #storedSessions = () => sessionsAsKeys(requireServices(this.#currentPhase()).store.sessions)

  #hashOf(request: FastifyRequest, reply: FastifyReply, text: string): string {
    const reading = parseKey(text)
    if ('problem' in reading)
      throw this.#refuse(request, reply, UNREADABLE_KEYS[reading.problem].code, UNREADABLE_KEYS[reading.problem].detail)
    return hashSecret(text)
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

  #refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    code: RefusalCode | 'unknown_key' | 'revoked_key' | 'expired_key' | 'account_blocked',
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
