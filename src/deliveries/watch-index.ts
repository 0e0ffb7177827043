import { hash } from 'node:crypto'
import type { Places } from '../domain/places.ts'
import type { WatchSchedule } from '../domain/schedule.ts'
import { siteListIn } from '../domain/sites.ts'
import type { WatchEvent } from '../domain/watch.ts'
import type { IndexedFields, LiveFilter } from '../filter/filter.ts'
import { parseWatchFilter } from '../filter/live-filters.ts'
import { SiteIndex } from '../filter/site-index.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { Matcher } from '../matching/matcher.ts'
import type { SiteLists, Watches, WatchToMatch } from '../store/store.ts'

export interface MatchingWatch {
  readonly id: string
  readonly accountId: string
  readonly schedule: WatchSchedule | null
  /** The same for watches whose messages the same person reads; null for a webhook. */
  readonly receiver: number | null
}

const BATCH = 5000
const MAX_ACCOUNT_IDS = 100_000

interface IndexedWatch extends MatchingWatch {
  readonly events: readonly WatchEvent[]
  readonly createdSeq: number
  /** The list of sites in its filter. */
  readonly siteListId: string | null
}

/** The sites of one list, which all watches with it share. */
interface SharedSites {
  readonly index: SiteIndex
  watches: number
}

interface WatchIndexSource {
  readonly watches: Pick<Watches, 'changedAfter'>
  readonly siteLists: Pick<SiteLists, 'positions' | 'version'>
}

/** The incident after an event, as filters see it. */
interface EventFacts {
  readonly fields: IndexedFields
  readonly earlier: readonly IndexedFields[]
  /** Its own id, and those that it is followed by too. */
  readonly ids: readonly string[]
  /** Watches that told of it by a filter that they no longer have. */
  readonly notified?: readonly string[]
}

/** Indexes every active watch. Call `catchUp` to read changes before matching an event. */
export class WatchIndex {
  readonly #matcher = new Matcher<IndexedWatch>()
  readonly #indexed = new Map<string, IndexedWatch>()
  readonly #accountIds = new BoundedCache<string, string>(MAX_ACCOUNT_IDS)
  readonly #sites = new Map<string, SharedSites>()
  readonly #changed = new ChangedFilters()
  readonly #source: WatchIndexSource
  readonly #places: Places
  readonly #onError: (error: unknown) => void
  #revision = 0
  /** Whether every watch has been read once. */
  #isComplete = false

  constructor(source: WatchIndexSource, places: Places, onError: (error: unknown) => void) {
    this.#source = source
    this.#places = places
    this.#onError = onError
  }

  get size(): { readonly watches: number; readonly filters: number } {
    const { subscribers, filters } = this.#matcher.size
    return { watches: subscribers, filters }
  }

  async catchUp(): Promise<void> {
    for (;;) {
      const { changes, prunedTo } = await this.#source.watches.changedAfter(this.#revision, BATCH)
      if (prunedTo !== null && this.#isComplete) {
        // This process was away for so long that it may have missed removals.
        this.#forgetAll()
        continue
      }
      for (const { id, watch, revision } of changes) {
        this.#removeWatch(id)
        if (watch?.status === 'active') await this.#addWatch(id, watch)
        this.#revision = revision
      }
      if (changes.length < BATCH) {
        this.#revision = Math.max(this.#revision, prunedTo ?? 0)
        this.#isComplete = true
        return
      }
    }
  }

  /** Whether a watch follows certain incidents. */
  get followsIncidents(): boolean {
    return this.#matcher.followsIncidents
  }

  /** Ids, sorted, of watches that match this or an earlier version, and of `notified`. */
  watchesFor(
    event: WatchEvent,
    seq: number,
    { fields, earlier, ids: incidentIds, notified = [] }: EventFacts,
  ): string[] {
    const ids: string[] = []
    const add = ({ id, events, createdSeq }: IndexedWatch) => {
      if (createdSeq < seq && events.includes(event)) ids.push(id)
    }
    for (const { subscribers } of this.#matcher.matchesFor(fields, earlier, incidentIds)) subscribers.forEach(add)
    if (notified.length === 0) return ids.sort()
    for (const watch of notified.map((id) => this.#indexed.get(id))) if (watch !== undefined) add(watch)
    return [...new Set(ids)].sort()
  }

  get hasChangedFilters(): boolean {
    return !this.#changed.isEmpty
  }

  /** Returns active watches whose filter was changed at the end `seq` of the log, or later. */
  changedSince(seq: number): string[] {
    return this.#changed.since(seq)
  }

  /** Adds what the making of deliveries needs of each watch. */
  matchingWatches(ids: readonly string[]): MatchingWatch[] {
    return ids.map((id) => this.#indexed.get(id)!)
  }

  async #addWatch(id: string, added: WatchToMatch): Promise<void> {
    const { canonicalFilter, events, createdSeq, accountId, schedule, receiver, filterSeq } = added
    const siteListId = siteListIn(canonicalFilter)
    const watch = {
      id,
      events,
      createdSeq,
      accountId: this.#interned(accountId),
      siteListId,
      schedule: schedule === null ? null : (JSON.parse(schedule) as WatchSchedule),
      receiver: receiver === null ? null : receiverNumber(accountId, receiver),
    }
    const shared = siteListId === null ? null : await this.#sharedSites(accountId, siteListId)
    try {
      this.#matcher.set(watch, canonicalFilter, () => this.#filterOf(canonicalFilter, shared?.index ?? null))
      this.#indexed.set(id, watch)
      this.#changed.set(id, filterSeq)
      if (shared !== null) shared.watches++
    } catch (error) {
      this.#dropUnusedSites(siteListId)
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
    this.#changed.delete(id)
    const shared = watch.siteListId === null ? undefined : this.#sites.get(watch.siteListId)
    if (shared !== undefined) shared.watches--
    this.#dropUnusedSites(watch.siteListId)
  }

  /** Null if the list is gone: then its watches are too, and their removal follows. */
  async #sharedSites(accountId: string, listId: string): Promise<SharedSites | null> {
    const known = this.#sites.get(listId)
    if (known !== undefined && (await this.#source.siteLists.version(accountId, listId)) === known.index.version)
      return known
    const list = await this.#source.siteLists.positions(accountId, listId)
    if (list === null) return null
    // Watches that still have the version before get this one too: their change is read next.
    const shared = { index: new SiteIndex(list.id, list.version, list.positions), watches: known?.watches ?? 0 }
    this.#sites.set(listId, shared)
    return shared
  }

  #dropUnusedSites(listId: string | null): void {
    if (listId !== null && this.#sites.get(listId)?.watches === 0) this.#sites.delete(listId)
  }

  /** One text for all watches of an account: a million rows carry a million copies. */
  #interned(accountId: string): string {
    const known = this.#accountIds.get(accountId) ?? accountId
    this.#accountIds.set(accountId, known)
    return known
  }

  #filterOf(canonical: string, sites: SiteIndex | null): LiveFilter {
    const saved = sites && { circle: null, region: null, route: null, sites }
    const parsed = parseWatchFilter(JSON.parse(canonical), '', this.#places, saved)
    // The filter was valid when the watch was created: a failure is a bug, e.g. a removed place.
    if ('errors' in parsed) throw new Error(`a stored watch filter is invalid: ${canonical}`)
    return parsed.value
  }
}

/** Eight bytes instead of a text. Two receivers with one number share a transaction. */
function receiverNumber(accountId: string, receiver: string): number {
  return hash('sha256', `${accountId} ${receiver}`, 'buffer').readUIntBE(0, 6)
}

interface Change {
  readonly watchId: string
  readonly seq: number
}

/** Entries that may be outdated before they are sorted out. */
const MIN_SORTED_OUT = 1000

/**
 * Watches whose filter was changed, by the end of the log at that time. Changes come nearly in
 * order, so those since an event are found without looking at all others.
 */
export class ChangedFilters {
  readonly #seqs = new Map<string, number>()
  /** By `seq` unless `isSorted` is false; a watch that was changed again is in it twice. */
  #changes: Change[] = []
  #isSorted = true

  /** `seq` 0: the filter was never changed. */
  set(watchId: string, seq: number): void {
    this.#seqs.delete(watchId)
    if (seq === 0) return
    this.#seqs.set(watchId, seq)
    this.#isSorted &&= seq >= (this.#changes.at(-1)?.seq ?? 0)
    this.#changes.push({ watchId, seq })
    if (this.#changes.length > 2 * this.#seqs.size + MIN_SORTED_OUT) this.#changes = this.#changes.filter(this.#counts)
  }

  delete(watchId: string): void {
    this.#seqs.delete(watchId)
  }

  get isEmpty(): boolean {
    return this.#seqs.size === 0
  }

  /** Returns the watches whose filter was changed at the end `seq` of the log, or later. */
  since(seq: number): string[] {
    if (!this.#isSorted) this.#changes.sort((one, other) => one.seq - other.seq)
    this.#isSorted = true
    const ids = new Set<string>()
    for (let index = this.#changes.length - 1; index >= 0 && this.#changes[index]!.seq >= seq; index--) {
      const change = this.#changes[index]!
      if (this.#counts(change)) ids.add(change.watchId)
    }
    return [...ids]
  }

  readonly #counts = ({ watchId, seq }: Change): boolean => this.#seqs.get(watchId) === seq
}
