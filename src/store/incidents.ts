import type { EventKind, Incident, Status } from '../domain/incident.ts'
import type { HistoryEntry } from '../domain/lifecycle.ts'
import type { Claim, ModerationRecord } from '../domain/moderation.ts'
import type { ProposalDecision } from '../domain/sources.ts'
import type { PairDecision } from './duplicate-pairs.ts'
import type { LogEvent, LogHead } from './events.ts'
import type { ImportBatch } from './imports.ts'

/** `event` is appended to the log; null if the change is not public. */
export interface IncidentChange {
  readonly incident: Incident
  readonly event: EventKind | null
  /**
   * The stored version, and optionally status, that the change requires; 0 if it must not exist.
   * Default: the version below `incident.version`, in any status.
   */
  readonly replaces?: { readonly version: number; readonly status?: Status }
  /** Replaces the moderation record; if omitted, the stored one is kept. */
  readonly moderation?: ModerationRecord
  readonly historyEntry?: HistoryEntry
  /**
   * True if the incident is public again: messages of its publication that were cancelled because
   * it was not are due again.
   */
  readonly revivesDeliveries?: true
  /**
   * The proposed source that the change decides on; it must be open, or accepted to be opened
   * again.
   */
  readonly decides?: ProposalDecision
  /** The decision on the incident and another one. */
  readonly pair?: PairDecision
}

/** `moderation` is null if the incident was saved without one. */
export interface IncidentRecord {
  readonly incident: Incident
  readonly moderation: ModerationRecord | null
  /** May have lapsed. */
  readonly claim: Claim | null
}

export interface CurrentIncident {
  readonly id: string
  readonly status: Status
  /** The incident's JSON. */
  readonly document: string
  /** Its last event; null if none has a document of its own. */
  readonly seq: number | null
}

export interface Incidents {
  /**
   * Writes all changes, events, history entries and what an import keeps in one transaction, so
   * that a checkpoint matches the stored data exactly. Rejects with `StaleVersion`, and writes
   * nothing, if a stored incident is not what its change `replaces`, or a proposed source or a pair
   * was decided on already. Returns the events, in order.
   */
  save(changes: readonly IncidentChange[], now: number, batch?: ImportBatch): Promise<LogEvent[]>
  /** Returns those that exist, in any status: what the last committed change made of them. */
  current(ids: readonly string[]): Promise<CurrentIncident[]>
  /** Finds it in any status. */
  find(id: string): Promise<Incident | null>
  /** Returns the records that exist, in any status, in no particular order. */
  findRecords(ids: readonly string[]): Promise<IncidentRecord[]>
  /** Returns undecided reports of incidents that occurred between the two times, latest first. */
  openReports(from: number, to: number, limit: number): Promise<Incident[]>
  /** Returns entries oldest first. */
  history(id: string): Promise<HistoryEntry[]>
  /** Reads every public incident as of one `seq`, unaffected by concurrent writes. */
  snapshot(): Promise<Snapshot>
}

export interface Snapshot {
  readonly head: LogHead
  /** Requests for these ids get 410, not 404. */
  readonly retracted: readonly string[]
  /** Incidents that were public until they were merged, with those that they were merged into. */
  readonly merged: readonly MergedIncident[]
  /** In published order (`published_at`, then `id`). Read it to the end or call `return()`. */
  readonly chunks: AsyncIterable<DocumentChunk>
}

export interface MergedIncident {
  readonly id: string
  readonly into: string
}

/** Documents as JSON bytes; document n lies from `ends[n - 1]` (0 for the first) to `ends[n]`. */
export interface DocumentChunk {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}
