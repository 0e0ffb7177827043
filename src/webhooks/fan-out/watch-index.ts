import type { Places } from '../../domain/places.ts'
import type { WatchEvent } from '../../domain/watch.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { Matcher } from '../../matching/matcher.ts'
import type { LiveFilter } from '../../query/filter/filter.ts'
import { parseWatchFilter } from '../../query/filter/watch-filter.ts'
import type { IndexedFields } from '../../query/indexed-fields.ts'
import type { Watches, WatchToMatch } from '../../store/store.ts'

const BATCH = 5000
const MAX_ACCOUNT_IDS = 100_000

interface IndexedWatch {
  readonly id: string
  readonly events: readonly WatchEvent[]
  readonly createdSeq: number
  readonly accountId: string
}

/** Indexes every active watch. Call `catchUp` to read changes before matching an event. */
export class WatchIndex {
  readonly #matcher = new Matcher<IndexedWatch>()
  readonly #indexed = new Map<string, IndexedWatch>()
  readonly #accountIds = new BoundedCache<string, string>(MAX_ACCOUNT_IDS)
  readonly #watches: Pick<Watches, 'changedAfter'>
  readonly #places: Places
  readonly #onError: (error: unknown) => void
  #revision = 0
  /** Whether every watch has been read once. */
  #isComplete = false

  constructor(watches: Pick<Watches, 'changedAfter'>, places: Places, onError: (error: unknown) => void) {
    this.#watches = watches
    this.#places = places
    this.#onError = onError
  }

  get size(): { readonly watches: number; readonly filters: number } {
    const { subscribers, filters } = this.#matcher.size
    return { watches: subscribers, filters }
  }

  async catchUp(): Promise<void> {
    for (;;) {
      const { changes, prunedTo } = await this.#watches.changedAfter(this.#revision, BATCH)
      if (prunedTo !== null && this.#isComplete) {
        // This process was away for so long that it may have missed removals.
        this.#forgetAll()
        continue
      }
      for (const { id, watch, revision } of changes) {
        this.#removeWatch(id)
        if (watch?.status === 'active') this.#addWatch(id, watch)
        this.#revision = revision
      }
      if (changes.length < BATCH) {
        this.#revision = Math.max(this.#revision, prunedTo ?? 0)
        this.#isComplete = true
        return
      }
    }
  }

  /** Returns the ids of matching watches, sorted. */
  watchesFor(event: WatchEvent, seq: number, facts: IndexedFields, before: IndexedFields | null): string[] {
    const ids: string[] = []
    for (const { subscribers } of this.#matcher.matchesFor(facts, before)) {
      for (const { id, events, createdSeq } of subscribers) {
        if (createdSeq < seq && events.includes(event)) ids.push(id)
      }
    }
    return ids.sort()
  }

  /** Adds the account of each watch. */
  withAccounts(ids: readonly string[]): Pick<IndexedWatch, 'id' | 'accountId'>[] {
    return ids.map((id) => this.#indexed.get(id)!)
  }

  #addWatch(id: string, { canonicalFilter, events, createdSeq, accountId }: WatchToMatch): void {
    const watch = { id, events, createdSeq, accountId: this.#interned(accountId) }
    try {
      this.#matcher.set(watch, canonicalFilter, () => this.#filterOf(canonicalFilter))
      this.#indexed.set(id, watch)
    } catch (error) {
      // One invalid filter must not stop the deliveries of all other watches.
      this.#onError(new Error(`watch ${id} is ignored: its filter cannot be parsed`, { cause: error }))
    }
  }

  #forgetAll(): void {
    for (const id of [...this.#indexed.keys()]) this.#removeWatch(id)
    this.#revision = 0
    this.#isComplete = false
  }

  #removeWatch(id: string): void {
    const watch = this.#indexed.get(id)
    if (watch === undefined) return
    this.#matcher.remove(watch)
    this.#indexed.delete(id)
  }

  /** One text for all watches of an account: a million rows carry a million copies. */
  #interned(accountId: string): string {
    const known = this.#accountIds.get(accountId) ?? accountId
    this.#accountIds.set(accountId, known)
    return known
  }

  #filterOf(canonical: string): LiveFilter {
    const parsed = parseWatchFilter(JSON.parse(canonical), '', this.#places)
    // The filter was valid when the watch was created: a failure is a bug, e.g. a removed place.
    if ('errors' in parsed) throw new Error(`a stored watch filter is invalid: ${canonical}`)
    return parsed.value
  }
}
