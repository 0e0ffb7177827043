import type { LiveFilter } from '../query/filter/filter.ts'
import type { IndexedFields } from '../query/indexed-fields.ts'
import { Bucket } from './bucket.ts'
import { type BucketName, bucketsForFacts, bucketsForFilter } from './buckets.ts'

/** One filter, and everybody who has it. */
export interface Entry<Subscriber> {
  readonly filter: LiveFilter
  readonly subscribers: ReadonlySet<Subscriber>
}

interface Held<Subscriber> extends Entry<Subscriber> {
  readonly text: string
  readonly subscribers: Set<Subscriber>
}

/**
 * Who is to be told of an incident. Subscribers are watches or open streams: nothing is asked of them here. However many have the
 * same filter, it is checked once.
 */
export class Matcher<Subscriber> {
  readonly #entries = new Map<string, Held<Subscriber>>()
  readonly #entryOf = new Map<Subscriber, Held<Subscriber>>()
  readonly #buckets = new Map<BucketName, Bucket<Held<Subscriber>>>()

  /** How many have subscribed, and with how many different filters. */
  get size(): { readonly subscribers: number; readonly filters: number } {
    return { subscribers: this.#entryOf.size, filters: this.#entries.size }
  }

  /**
   * Adds the subscriber, or gives one that is there another filter. `text` is the filter's canonical one; the filter itself is
   * only asked for where nobody has it yet, so that a start with a million watches reads each filter once.
   */
  set(subscriber: Subscriber, text: string, filter: () => LiveFilter): void {
    const before = this.#entryOf.get(subscriber)
    if (before?.text === text) return
    const entry = this.#entries.get(text) ?? this.#open(filter(), text)
    if (before) this.#leave(before, subscriber)
    entry.subscribers.add(subscriber)
    this.#entryOf.set(subscriber, entry)
  }

  has(subscriber: Subscriber): boolean {
    return this.#entryOf.has(subscriber)
  }

  /** Whether the subscriber was there. */
  remove(subscriber: Subscriber): boolean {
    const entry = this.#entryOf.get(subscriber)
    if (!entry) return false
    this.#leave(entry, subscriber)
    return this.#entryOf.delete(subscriber)
  }

  /**
   * The entries that match the incident, each once. With `before`, those too that match the version it replaces: who was told
   * that it lay in their area must hear that it does not.
   */
  matchesFor(facts: IndexedFields, before: IndexedFields | null = null): Entry<Subscriber>[] {
    const found = this.#matching(facts)
    if (before === null) return found
    const known = new Set(found)
    return [...found, ...this.#matching(before).filter((entry) => !known.has(entry))]
  }

  #matching(facts: IndexedFields): Held<Subscriber>[] {
    const found: Held<Subscriber>[] = []
    for (const name of bucketsForFacts(facts)) this.#buckets.get(name)?.match(facts, found)
    return found
  }

  #open(filter: LiveFilter, text: string): Held<Subscriber> {
    const entry = { filter, text, subscribers: new Set<Subscriber>() }
    this.#entries.set(text, entry)
    const { buckets, placed } = bucketsForFilter(filter)
    for (const name of buckets) {
      const bucket = this.#buckets.get(name) ?? new Bucket()
      this.#buckets.set(name, bucket)
      bucket.add(entry, placed)
    }
    return entry
  }

  #leave(entry: Held<Subscriber>, subscriber: Subscriber): void {
    entry.subscribers.delete(subscriber)
    if (entry.subscribers.size > 0) return
    this.#entries.delete(entry.text)
    for (const name of bucketsForFilter(entry.filter).buckets) {
      const bucket = this.#buckets.get(name)!
      bucket.remove(entry)
      if (bucket.size === 0) this.#buckets.delete(name)
    }
  }
}
