import type { SourceClass } from '../domain/publishers.ts'

/** The operator's changes to the table of publishers, by publisher key. */
export interface Publishers {
  /** Ordered by name. */
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
