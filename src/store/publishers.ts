import type { SourceClass } from '../domain/confidence/weights.ts'

/** The operator's own entries in the table of publishers, by the publisher's key. */
export interface Publishers {
  /** Returns all entries, ordered by name. */
  list(): Promise<PublisherEntry[]>
  set(entry: PublisherEntry): Promise<void>
  /** Returns false if there was no such entry. */
  remove(key: string): Promise<boolean>
}

export interface PublisherEntry {
  readonly key: string
  readonly name: string
  readonly kind: SourceClass
  readonly updatedAt: number
}
