import type { Incident, Status } from '../../domain/incident.ts'
import type { Claim, DeskOrder, HistoryEntry, ModerationRecord, Origin } from '../../domain/moderation.ts'
import type { IncidentType, Severity } from '../../domain/taxonomy.ts'
import type { DuplicatePair } from './imports.ts'

/** Null is no restriction; lists name the values allowed. Times are milliseconds, half-open. */
export interface DeskQuery {
  readonly status: Status
  readonly order: DeskOrder
  readonly origin: Origin | null
  /** Terms (`lib/search-terms.ts`) that the entry's search text must have. */
  readonly words: readonly string[]
  /** Entries with a claim of this account that has not lapsed; `none`: without such a claim. */
  readonly claimedBy: string | 'none' | null
  readonly states: readonly string[] | null
  readonly lgas: readonly string[] | null
  readonly types: readonly IncidentType[] | null
  readonly severities: readonly Severity[] | null
  readonly minConfidence: number | null
  readonly maxConfidence: number | null
  readonly reportedFrom: number | null
  readonly reportedTo: number | null
  readonly occurredFrom: number | null
  readonly occurredTo: number | null
  readonly box: { readonly west: number; readonly south: number; readonly east: number; readonly north: number } | null
}

/** Every entry of a status, in an order. */
export const NO_DESK_CONDITIONS: Omit<DeskQuery, 'status' | 'order'> = {
  ...{ origin: null, words: [], claimedBy: null, box: null, minConfidence: null, maxConfidence: null },
  ...{ states: null, lgas: null, types: null, severities: null },
  ...{ reportedFrom: null, reportedTo: null, occurredFrom: null, occurredTo: null },
}

/** A place in an order: rank, time and id of an entry. */
export interface DeskPosition {
  /** The severity from 0 or the confidence; 0 in orders by time. */
  readonly rank: number
  readonly reportedAt: number
  readonly id: string
}

export interface DeskHit extends DeskPosition {
  readonly lat: number
  readonly lng: number
}

export interface DeskHits {
  readonly hits: readonly DeskHit[]
  /** The place to continue; null if all entries were looked at. */
  readonly next: DeskPosition | null
}

/** The current state of an incident that the desk handles. */
export interface DeskChange {
  /** In commit order, over all entries. */
  readonly revision: number
  readonly id: string
  readonly status: Status
  readonly version: number
  readonly claim: Claim | null
}

export interface DeskCount {
  readonly status: Status
  readonly origin: Origin
  readonly severity: Severity
  readonly entries: number
}

export interface DeskClaim {
  readonly incident: Incident
  readonly moderation: ModerationRecord
  readonly claim: Claim
  /** Takes a claim of another that has not lapsed; the entry records it. */
  readonly takeOver: { readonly historyEntry: HistoryEntry } | null
}

/**
 * The queue of the desk: an entry for each incident that is not confirmed, and for each that an
 * editor has touched. `Incidents.save` keeps the entries; a change of status ends the claim.
 */
export interface Desk {
  /** Finds up to `limit` entries after a position, looking at no more than `window` entries. */
  find(query: DeskQuery, after: DeskPosition | null, limit: number, window: number, now: number): Promise<DeskHits>
  /** The number of entries by status, origin and severity. */
  counts(): Promise<DeskCount[]>
  /** The number of open reports with a claim that has not lapsed, by account. */
  claimCounts(now: number): Promise<{ accountId: string; reports: number }[]>
  /** False if another account's claim has not lapsed, and it is not to be taken over. */
  claim(request: DeskClaim, now: number): Promise<boolean>
  /** Ends the account's claim, if it has one. */
  release(id: string, accountId: string): Promise<void>
  /** The entries that changed after a revision, in the order of their last change. */
  changedAfter(revision: number, limit: number): Promise<DeskChange[]>
  /** The revision of the last change. */
  head(): Promise<number>
  /** Adds up to `limit` entries of incidents saved by an older version; returns how many. */
  addMissing(limit: number): Promise<number>
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
  /** Calls `listener` soon after a change by any process, as `EventLog.onAppend` does. */
  onChange(listener: () => void): () => void
}

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
