import { setTimeout as wait } from 'node:timers/promises'
import type { Account, Key } from '../../domain/key.ts'
import { type Keys, StoreUnavailable } from '../../store/store.ts'

export interface Holder {
  readonly key: Key
  readonly account: Account
}

interface Entry {
  /** Null: there is no such key. */
  readonly holder: Holder | null
  readonly readAt: number
}

/** A key revoked on another node works here for at most this long. */
const FRESH_FOR = 1000
/** Who is known waits no longer than this for a database that hangs, in milliseconds. */
const PATIENCE = 500
/** Enough for every active key of a busy node; a flood of wrong keys pushes out only other wrong ones first. */
const MOST_ENTRIES = 50_000

/**
 * Who holds a key, read from the store at most once a second. While the store is away, what was known goes on counting:
 * reads do not need the database, so neither may knowing who reads.
 */
export class KeyCache {
  readonly #entries = new Map<string, Entry>()
  readonly #underWay = new Map<string, { readonly reading: Promise<Holder | null>; readonly since: number }>()
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** At once where it is fresh, or the store hangs: most requests then never wait. Undefined where the store has to be asked. */
  peek(hashed: string): Holder | null | undefined {
    const entry = this.#entries.get(hashed)
    if (entry === undefined) return undefined
    const now = this.#clock()
    const age = now - entry.readAt
    if (age >= 0 && age < FRESH_FOR) return entry.holder
    const asked = this.#underWay.get(hashed)
    return asked !== undefined && now - asked.since >= PATIENCE ? (entry.holder ?? undefined) : undefined
  }

  /** Requests that arrive together share one look-up. */
  find(hashed: string, keys: () => Keys): Promise<Holder | null> {
    const reading = this.#underWay.get(hashed)?.reading ?? this.#begin(hashed, keys)
    const known = this.#entries.get(hashed)?.holder
    return known ? Promise.race([reading, wait(PATIENCE, known, { ref: false })]) : reading
  }

  forget(hashed: string): void {
    this.#entries.delete(hashed)
  }

  #begin(hashed: string, keys: () => Keys): Promise<Holder | null> {
    const reading = this.#read(hashed, keys).finally(() => this.#underWay.delete(hashed))
    this.#underWay.set(hashed, { reading, since: this.#clock() })
    return reading
  }

  async #read(hashed: string, keys: () => Keys): Promise<Holder | null> {
    const readAt = this.#clock()
    try {
      const holder = await keys().findByHash(hashed)
      if (this.#entries.size >= MOST_ENTRIES) this.#makeRoom()
      this.#entries.set(hashed, { holder, readAt })
      return holder
    } catch (error) {
      const known = this.#entries.get(hashed)
      if (error instanceof StoreUnavailable && known?.holder) return known.holder
      throw error
    }
  }

  /** The unknown ones go first, then the oldest half. */
  #makeRoom(): void {
    for (const [hashed, { holder }] of this.#entries) if (holder === null) this.#entries.delete(hashed)
    let surplus = this.#entries.size - MOST_ENTRIES / 2
    for (const hashed of this.#entries.keys()) {
      if (surplus-- <= 0) return
      this.#entries.delete(hashed)
    }
  }
}
