import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyCache, KeyHolder } from '../../accounts/key-cache.ts'
import { hashSecret } from '../../accounts/keys.ts'
import { RateLimiter } from '../../accounts/rate-limiter.ts'
import { sessionAsKey } from '../../domain/accounts.ts'
import { Problem } from '../../domain/errors.ts'
import { type Key, keyState, parseKey } from '../../domain/keys.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import type { Keys, Sessions } from '../../store/store.ts'
import { addressSubject } from '../requests/client.ts'
import { type Environment, type Phase, requireServices } from '../services.ts'
import { type AddressLimit, rateLimited } from './quotas.ts'

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
export class KeyHolders {
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

/** The sessions as the key cache reads keys. */
export function sessionsAsKeys(sessions: Sessions): Pick<Keys, 'findByHash'> {
  return {
    async findByHash(hash: string): Promise<KeyHolder | null> {
      const found = await sessions.findByHash(hash)
      if (found === null) return null
      const { session, account, key } = found
      return { key: sessionAsKey(session, account, key), account, session, openedWith: key }
    },
  }
}
