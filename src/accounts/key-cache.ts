import type { Account, Session } from '../domain/accounts.ts'
import type { Key } from '../domain/keys.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { type Runtime, within } from '../lib/runtime.ts'
import { type Keys, StoreUnavailable } from '../store/store.ts'

/** The account that makes a request, with the key or the session that it uses. */
export interface KeyHolder {
  /** For a session, the session as a key. */
  readonly key: Key
  readonly account: Account
  readonly session?: Session
  /** The key that the session was opened with. */
  readonly openedWith?: Key | null
}

type KeySource = Pick<Keys, 'findByHash'>

interface Entry {
  /** Null if no such key exists. */
  readonly holder: KeyHolder | null
  readonly readAt: number
}

/** A key revoked on another node works here for at most this long. */
const FRESH_FOR_MS = 1000
/** A caller with a cached key waits at most this long for a database that hangs. */
const LOOKUP_TIMEOUT_MS = 500
/** Enough for every active key of a busy node; with the wrong keys, 50,000 entries in all. */
const MAX_KNOWN = 40_000
const MAX_UNKNOWN = 10_000

/**
 * Caches each key's holder and reads it from the store at most once a second. While the store is
 * unavailable, cached keys stay valid: reads do not need the database, so authenticating a reader
 * must not either.
 */
export class KeyCache {
  readonly #known = new BoundedCache<string, Entry>(MAX_KNOWN)
  /** Separate, so that a flood of wrong keys evicts only other wrong keys. */
  readonly #unknown = new BoundedCache<string, Entry>(MAX_UNKNOWN)
  readonly #lookups = new Map<string, { readonly reading: Promise<KeyHolder | null>; readonly since: number }>()
  readonly #clock: () => number
  readonly #runtime: Runtime
  readonly #isStoreAway: () => boolean

  constructor(clock: () => number, runtime: Runtime, isStoreAway: () => boolean) {
    this.#clock = clock
    this.#runtime = runtime
    this.#isStoreAway = isStoreAway
  }

  /** The number of cached keys, for the tests that hold the bounds. */
  get size(): { readonly known: number; readonly unknown: number } {
    return { known: this.#known.size, unknown: this.#unknown.size }
  }

  /** Answers if the entry is fresh, or the store is away or hangs. Undefined: ask the store. */
  peek(keyHash: string, now = this.#clock()): KeyHolder | null | undefined {
    const entry = this.#known.get(keyHash) ?? this.#unknown.get(keyHash)
    if (entry === undefined) return undefined
    const age = now - entry.readAt
    if (age >= 0 && age < FRESH_FOR_MS) return entry.holder
    const lookup = this.#lookups.get(keyHash)
    const hangs = lookup !== undefined && now - lookup.since >= LOOKUP_TIMEOUT_MS
    return hangs || this.#isStoreAway() ? (entry.holder ?? undefined) : undefined
  }

  /** Requests that arrive together share one look-up. */
  find(keyHash: string, keys: () => KeySource): Promise<KeyHolder | null> {
    const reading = this.#lookups.get(keyHash)?.reading ?? this.#lookUp(keyHash, keys)
    const known = this.#known.get(keyHash)?.holder
    return known ? within(this.#runtime, LOOKUP_TIMEOUT_MS, reading, () => known) : reading
  }

  forget(keyHash: string): void {
    this.#known.delete(keyHash)
    this.#unknown.delete(keyHash)
  }

  #lookUp(keyHash: string, keys: () => KeySource): Promise<KeyHolder | null> {
    const reading = this.#read(keyHash, keys).finally(() => this.#lookups.delete(keyHash))
    this.#lookups.set(keyHash, { reading, since: this.#clock() })
    return reading
  }

  async #read(keyHash: string, keys: () => KeySource): Promise<KeyHolder | null> {
    const readAt = this.#clock()
    try {
      const holder = await keys().findByHash(keyHash)
      this.forget(keyHash)
      const entries = holder === null ? this.#unknown : this.#known
      entries.set(keyHash, { holder, readAt })
      return holder
    } catch (error) {
      const known = this.#known.get(keyHash)
      if (error instanceof StoreUnavailable && known) return known.holder
      throw error
    }
  }
}

/** Far more than are deleted while a message waits in memory, which is a minute at most. */
const MAX_REMEMBERED = 10_000

/**
 * Accounts that were deleted lately. A node that has leased messages of such an account must not
 * send them any more, although it has their endpoints in memory.
 */
export class DeletedAccounts {
  readonly #ids = new BoundedCache<string, true>(MAX_REMEMBERED)

  add(ids: readonly string[]): void {
    for (const id of ids) this.#ids.set(id, true)
  }

  has(id: string): boolean {
    return this.#ids.get(id) !== undefined
  }
}
