import type { IndexedFields, LiveFilter } from '../filter/filter.ts'
import { Bucket, type BucketName, bucketsForFields, bucketsForFilter } from './buckets.ts'

/** One filter, with all its subscribers. */
export interface Entry<Subscriber> {
  readonly filter: LiveFilter
  readonly subscribers: ReadonlySet<Subscriber>
}

interface HeldEntry<Subscriber> extends Entry<Subscriber> {
  readonly text: string
  readonly subscribers: Set<Subscriber>
}

/**
 * Finds the subscribers whose filters match an incident. Subscribers are watches or open streams;
 * the matcher only stores them. A filter shared by many is checked once.
 */
export class Matcher<Subscriber> {
  readonly #entries = new Map<string, HeldEntry<Subscriber>>()
  readonly #entryOf = new Map<Subscriber, HeldEntry<Subscriber>>()
  readonly #buckets = new Map<BucketName, Bucket<HeldEntry<Subscriber>>>()
  #followers = 0

  get size(): { readonly subscribers: number; readonly filters: number } {
    return { subscribers: this.#entryOf.size, filters: this.#entries.size }
  }

  /**
   * Whether a filter names incidents: if none does, nobody needs to know what was merged into one.
   */
  get followsIncidents(): boolean {
    return this.#followers > 0
  }

  /**
   * Adds the subscriber or replaces its filter. `text` is canonical; `filter` is called only for an
   * unknown text, so that a start with a million watches parses each filter once.
   */
  set(subscriber: Subscriber, text: string, filter: () => LiveFilter): void {
    const before = this.#entryOf.get(subscriber)
    if (before?.text === text) return
    const entry = this.#entries.get(text) ?? this.#addEntry(filter(), text)
    if (before) this.#removeSubscriber(before, subscriber)
    entry.subscribers.add(subscriber)
    this.#entryOf.set(subscriber, entry)
  }

  has(subscriber: Subscriber): boolean {
    return this.#entryOf.has(subscriber)
  }

  /** Returns whether the subscriber was there. */
  remove(subscriber: Subscriber): boolean {
    const entry = this.#entryOf.get(subscriber)
    if (!entry) return false
    this.#removeSubscriber(entry, subscriber)
    return this.#entryOf.delete(subscriber)
  }

  /**
   * Returns each matching entry once; also those that match one of the `earlier` versions: their
   * subscribers must learn that it changed. `ids` are those of the incident, as in `matchesLive`.
   */
  matchesFor(
    fields: IndexedFields,
    earlier: readonly IndexedFields[] = [],
    ids: readonly string[] = [],
  ): Entry<Subscriber>[] {
    const found = this.#findMatches(fields, ids)
    if (earlier.length === 0 && ids.length < 2) return found
    const all = new Set(found)
    for (const each of earlier) for (const entry of this.#findMatches(each, ids)) all.add(entry)
    return [...all]
  }

  #findMatches(fields: IndexedFields, ids: readonly string[]): HeldEntry<Subscriber>[] {
    const found: HeldEntry<Subscriber>[] = []
    for (const name of bucketsForFields(fields, ids)) this.#buckets.get(name)?.addMatches(fields, found)
    return found
  }

  #addEntry(filter: LiveFilter, text: string): HeldEntry<Subscriber> {
    const entry = { filter, text, subscribers: new Set<Subscriber>() }
    this.#entries.set(text, entry)
    if (filter.incidents !== null) this.#followers++
    const { buckets, decidesPlace } = bucketsForFilter(filter)
    for (const name of buckets) {
      const bucket = this.#buckets.get(name) ?? new Bucket()
      this.#buckets.set(name, bucket)
      bucket.addEntry(entry, decidesPlace(name))
    }
    return entry
  }

  #removeSubscriber(entry: HeldEntry<Subscriber>, subscriber: Subscriber): void {
    entry.subscribers.delete(subscriber)
    if (entry.subscribers.size > 0) return
    this.#entries.delete(entry.text)
    if (entry.filter.incidents !== null) this.#followers--
    for (const name of bucketsForFilter(entry.filter).buckets) {
      const bucket = this.#buckets.get(name)!
      bucket.removeEntry(entry)
      if (bucket.size === 0) this.#buckets.delete(name)
    }
  }
}
