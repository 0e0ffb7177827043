import type { Account, Key } from '../domain/key.ts'
import { type Keys, StoreUnavailable } from '../store/store.ts'

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
/** Enough for every active key of a busy node; a flood of wrong keys pushes out only other wrong ones first. */
const MOST_ENTRIES = 50_000

/**
 * Who holds a key, read from the store at most once a second. While the store is away, what was known goes on counting:
 * reads do not need the database, so neither may knowing who reads.
 */
export class KeyCache {
  readonly #entries = new Map<string, Entry>()
  readonly #underWay = new Map<string, Promise<Holder | null>>()
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** At once where it is fresh: most requests then never wait. Undefined where the store has to be asked. */
  peek(hashed: string): Holder | null | undefined {
    const entry = this.#entries.get(hashed)
    const age = entry ? this.#clock() - entry.readAt : Number.POSITIVE_INFINITY
    return entry && age >= 0 && age < FRESH_FOR ? entry.holder : undefined
  }

  /** Requests that arrive together share one look-up. */
  find(hashed: string, keys: () => Keys): Promise<Holder | null> {
    const running = this.#underWay.get(hashed)
    if (running) return running
    const reading = this.#read(hashed, keys).finally(() => this.#underWay.delete(hashed))
    this.#underWay.set(hashed, reading)
    return reading
  }

  forget(hashed: string): void {
    this.#entries.delete(hashed)
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
