import type { PlaceKind, PlaceSource, StoredPlace } from '../../domain/places.ts'
import type { NewAuditEntry } from './accounts.ts'

/** A place in its latest state; `removed` ones are told to those who follow. */
export interface PlaceChange {
  readonly place: StoredPlace
  readonly revision: number
  readonly removed: boolean
}

/** The last change that a follower has seen. */
export interface GazetteerPosition {
  readonly revision: number
  readonly id: string
}

/** Null is no restriction. */
export interface PlaceQuery {
  /** The beginning of the name's key. */
  readonly keyPrefix: string | null
  readonly kind: PlaceKind | null
  readonly source: PlaceSource | null
}

/** The last place of a page. */
export interface PlacePosition {
  readonly key: string
  readonly id: string
}

export interface ImportedPlaces {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** In the file, but removed by the desk: they stay removed. */
  readonly removed: number
}

/** The operator's places. Each write that changes one has a revision, in commit order. */
export interface StoredGazetteer {
  /** In the order of revisions; the places of one import share a revision and come by id. */
  changedAfter(position: GazetteerPosition, limit: number): Promise<PlaceChange[]>
  /** Ordered by key and id, without removed ones. */
  list(query: PlaceQuery, after: PlacePosition | null, limit: number): Promise<StoredPlace[]>
  /** Null if there is none, or it was removed. */
  find(id: string): Promise<StoredPlace | null>
  count(): Promise<number>
  /** Adds a place of the desk; `too_many` if it has `max` already. */
  add(place: StoredPlace, max: number, audit: NewAuditEntry): Promise<StoredPlace | 'too_many'>
  /** Returns false if there is none, or it was removed. */
  remove(id: string, now: number, audit: NewAuditEntry): Promise<boolean>
  /**
   * Puts places aside for an import; nobody sees them. Of several with one id, the first counts.
   * Returns how many were not there yet.
   */
  stage(importId: string, places: readonly StoredPlace[]): Promise<number>
  /**
   * Adds and changes the places of an import, all in one transaction; a repetition changes nothing.
   */
  applyStaged(importId: string, now: number, audit: NewAuditEntry): Promise<ImportedPlaces>
  /** Forgets what was put aside for imports that never ended; `importId` too, where given. */
  discardStaged(before: number, importId?: string): Promise<void>
  onChange(listener: () => void): () => void
}
