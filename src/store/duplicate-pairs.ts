import type { DuplicatePair } from './imports.ts'

/**
 * An editor has said that two incidents are not one event. `oneId` is the lesser of the two ids.
 */
export interface PairDismissal {
  readonly oneId: string
  readonly otherId: string
  /** The versions that the two had. */
  readonly oneVersion: number
  readonly otherVersion: number
  /** The evidence for one event: stronger evidence offers the pair again. */
  readonly evidence: number
  readonly dismissedAt: number
}

/** A decision on a pair, written with the history of both. */
export interface PairDecision {
  readonly oneId: string
  readonly otherId: string
  /** Null: the pair is offered again. */
  readonly dismissal: Pick<PairDismissal, 'oneVersion' | 'otherVersion' | 'evidence'> | null
  /** The time of the dismissal that this replaces; null if there must be none. */
  readonly replaces: number | null
}

/** A pair that an import has found. */
export interface OpenPair extends DuplicatePair {
  readonly importId: string
  readonly offeredAt: number
  /** A dismissal of earlier versions, which may still hold. */
  readonly dismissal: PairDismissal | null
}

export interface PairPosition {
  readonly importId: string
  readonly score: number
  readonly incidentId: string
  readonly otherId: string
}

export interface OpenPairs {
  readonly pairs: readonly OpenPair[]
  /** The place to continue; null if all pairs were looked at. */
  readonly next: PairPosition | null
}

export type DismissalPosition = Pick<PairDismissal, 'dismissedAt' | 'oneId' | 'otherId'>

/** Pairs of incidents that may be one event. `Incidents.save` writes what is decided on them. */
export interface DuplicatePairs {
  /**
   * The pairs of imports, newest import first and its likeliest pairs first, without those that are
   * dismissed or of which one is no longer reported or confirmed. A dismissed pair is listed if one
   * of the two has another version since. Looks at no more than `window` pairs.
   */
  openPairs(after: PairPosition | null, limit: number, window: number): Promise<OpenPairs>
  /** Newest first. */
  dismissals(after: DismissalPosition | null, limit: number): Promise<PairDismissal[]>
  /** The dismissals of all pairs with one of these incidents. */
  dismissalsOf(ids: readonly string[]): Promise<PairDismissal[]>
}
