import type { Places } from '../../domain/places.ts'
import type { WatchEvent } from '../../domain/watch.ts'
import { Matcher } from '../../matching/matcher.ts'
import type { LiveFilter } from '../../query/filter/filter.ts'
import { parseWatchFilter } from '../../query/filter/watch-filter.ts'
import type { IndexedFields } from '../../query/indexed-fields.ts'
import type { Watches, WatchToMatch } from '../../store/store.ts'

const BATCH = 5000

interface Known {
  readonly id: string
  readonly events: readonly WatchEvent[]
  readonly createdSeq: number
}

/** Every watch that is active, as the database has it: brought up to its state before an event is matched. */
export class WatchIndex {
  readonly #matcher = new Matcher<Known>()
  readonly #known = new Map<string, Known>()
  readonly #watches: Pick<Watches, 'changedAfter'>
  readonly #places: Places
  readonly #onError: (error: unknown) => void
  #revision = 0

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
      const changes = await this.#watches.changedAfter(this.#revision, BATCH)
      for (const { id, watch, revision } of changes) {
        this.#forget(id)
        if (watch?.status === 'active') this.#add(id, watch)
        this.#revision = revision
      }
      if (changes.length < BATCH) return
    }
  }

  /** The ids of the watches that are owed the event, in order. */
  owed(event: WatchEvent, seq: number, facts: IndexedFields, before: IndexedFields | null): string[] {
    const ids: string[] = []
    for (const { subscribers } of this.#matcher.matchesFor(facts, before)) {
      for (const { id, events, createdSeq } of subscribers) {
        if (createdSeq < seq && events.includes(event)) ids.push(id)
      }
    }
    return ids.sort()
  }

  #add(id: string, { canonicalFilter, events, createdSeq }: WatchToMatch): void {
    const known = { id, events, createdSeq }
    try {
      this.#matcher.set(known, canonicalFilter, () => this.#filterOf(canonicalFilter))
      this.#known.set(id, known)
    } catch (error) {
      // One watch that cannot be understood must not keep all others from being told.
      this.#onError(new Error(`${id} is left out`, { cause: error }))
    }
  }

  #forget(id: string): void {
    const known = this.#known.get(id)
    if (known === undefined) return
    this.#matcher.remove(known)
    this.#known.delete(id)
  }

  #filterOf(canonical: string): LiveFilter {
    const parsed = parseWatchFilter(JSON.parse(canonical), '', this.#places)
    // It was understood when the watch was made: a place that is no longer known would be a fault of ours.
    if ('errors' in parsed) throw new Error(`a watch's filter is not understood any more: ${canonical}`)
    return parsed.value
  }
}
