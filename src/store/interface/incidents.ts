import type { EventKind, Incident, Status } from '../../domain/incident.ts'
import type { Claim, FieldChange, HistoryEntry, ModerationRecord } from '../../domain/moderation.ts'
import type { RedactionRecord } from '../../domain/redaction.ts'
import type { ProposalDecision } from '../../domain/sources.ts'
import type { PairDecision } from './desk.ts'
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

export interface LogEvent {
  readonly seq: number
  readonly kind: EventKind
  /** Commit time in milliseconds; never decreases, except to leave a time far in the future. */
  readonly at: number
  readonly incidentId: string
  /** The incident's JSON after this event; for `incident.imported`, its current state. */
  readonly document: string
  /** True if it took content out of the incident: copies must forget the earlier versions. */
  readonly redacted?: boolean
  /** Of the chain; empty if it has none yet. */
  readonly link?: string
}

/** An incident as an event left it. */
export type LoggedVersion = Pick<LogEvent, 'seq' | 'document'>

/** The end of the log, or of what a reader has of it. */
export interface LogPosition {
  readonly seq: number
  /** Of the event `seq`, and with the forks behind it; empty if it is not known. */
  readonly link: string
}

export interface LogHead extends LogPosition {
  readonly at: number
}

/** Of the hash in a link, which the id of the last fork may follow. */
export const LINK_LENGTH = 22

/** Whether two readers have the same event, and so the same log before it, as far as is known. */
export function isSameLink(one: string, other: string): boolean {
  return one === '' || other === '' || one.slice(0, LINK_LENGTH) === other.slice(0, LINK_LENGTH)
}

/**
 * The log went on after the event `afterSeq` with other events than somebody may have seen. Without
 * an id it is a gap that a restore by a build before chains has left.
 */
export interface LogFork {
  readonly id: string
  readonly afterSeq: number
  /** Links have the id behind this event: a later one if the log had gone on before. */
  readonly headSeq: number
  /** The last number that is known to have been given to a lost event. */
  readonly seenSeq: number | null
  readonly at: number
}

/** `redacted`: a redaction has rewritten the document, and taken what it was checked with. */
export type SealState = 'intact' | 'redacted' | 'changed'

export interface VerifiedEvent extends LogPosition {
  /** Whether it is linked to the event before. */
  readonly isLinked: boolean
  readonly seal: SealState
}

/** Makes loss and tampering visible: see `queries/chain.ts`. */
export interface Chain {
  /**
   * Gives up to `limit` events their links that have none yet, oldest first, and returns how many
   * if there may be more, or 0.
   */
  linkMore(limit: number, now: number): Promise<number>
  /** Checks the events after one that was checked, at most `limit`. */
  verify(after: LogPosition, limit: number): Promise<VerifiedEvent[]>
  /** In the order in which they were made. */
  forks(): Promise<LogFork[]>
  /**
   * Makes the log go on on a branch of its own, and watches with numbers that were not given
   * before. Events up to `seenSeq` are known to have existed elsewhere. Returns the head.
   */
  fork(seenSeq: number | null, now: number): Promise<LogHead>
  /**
   * Notes that events after `commonSeq` and up to `head`, which a node had, were lost: with the
   * fork that was made since, or with a new one. Null if the node does not remember the last event
   * that is left.
   */
  recordLoss(commonSeq: number | null, head: LogPosition, now: number): Promise<void>
}

export interface EventLog {
  /** Returns at most `limit` events after `seq`, in order. */
  after(seq: number, limit: number): Promise<LogEvent[]>
  /** As `after`, for what a node does by itself: requests never keep it waiting. */
  follow(seq: number, limit: number): Promise<LogEvent[]>
  /** As `follow`, after what a reader has; null if that is not in the log any more. */
  followHead(head: LogPosition, limit: number): Promise<LogEvent[] | null>
  /** Returns the incident's JSON after its last event before `seq`; null if none or an import. */
  documentBefore(incidentId: string, seq: number): Promise<string | null>
  /**
   * Returns the incident after each of its last `limit` events before `seq`, newest first, without
   * imports.
   */
  versionsBefore(incidentId: string, seq: number, limit: number): Promise<LoggedVersion[]>
  /** Returns the incident's last `limit` events, newest first, without imports. */
  ofIncident(incidentId: string, limit: number): Promise<LogEvent[]>
  head(): Promise<LogHead>
  /** Returns the link of an event, empty if it has none yet; null if it is not in the log. */
  linkOf(seq: number): Promise<string | null>
  /**
   * Calls `listener` soon after any process appends events. Notifications may be late, repeated or
   * lost, so a follower must poll too. Returns a function that unsubscribes.
   */
  onAppend(listener: () => void): () => void
}

/**
 * The log as a node reads it to build its archive and to follow. It may read standbys: the answers
 * may then lag, but what the node has had from here is only called lost if the primary lacks it.
 */
export interface LogReader extends Pick<EventLog, 'after' | 'followHead' | 'onAppend'>, Pick<Incidents, 'snapshot'> {
  /**
   * By how many milliseconds the log had gone on, at most, when `followHead` returned less than its
   * limit last; null if that is not known.
   */
  readonly lagMs: number | null
  /** True while a standby is read. */
  readonly isStandby: boolean
}

/** Everything that is stored about some incidents and may hold content. */
export interface StoredContent {
  readonly records: readonly IncidentRecord[]
  /** The events of the log that have a document of their own, oldest first. */
  readonly events: readonly StoredDocument[]
  readonly historyEntries: readonly StoredHistoryEntry[]
}

export interface StoredDocument {
  readonly seq: number
  readonly incidentId: string
  readonly document: string
}

export interface StoredHistoryEntry {
  /** The number of the row. */
  readonly row: number
  readonly note: string | null
  readonly changes: readonly FieldChange[]
}

/** One redaction: all of it is written, or nothing. */
export interface RedactionWrite {
  readonly record: RedactionRecord
  /** The content that was read, to be found unchanged. */
  readonly read: StoredContent
  /** The events of `read` and their documents after the redaction. */
  readonly events: readonly StoredDocument[]
  readonly historyEntries: readonly StoredHistoryEntry[]
  /** The incidents whose tips lose the contact. */
  readonly contacts: readonly string[]
  /** The next version of each incident; its event says that it is a redaction. */
  readonly changes: readonly IncidentChange[]
}

/** A redaction whose last traces may still be in the database. */
export interface UnsettledRedaction {
  readonly id: string
  readonly at: number
  readonly erasedAt: number | null
}

/**
 * Takes content out of the database. `apply` rewrites what a query can reach, in one transaction;
 * `clearAnswers` and `erase` remove what is left, and are repeated until they have succeeded.
 */
export interface Redactions {
  /** Returns the reports that were merged into the incident and still are. */
  mergedInto(incidentId: string): Promise<string[]>
  read(incidentIds: readonly string[]): Promise<StoredContent>
  /**
   * Replaces the documents of the log and the contents of the history, saves the next versions,
   * forgets the stored answers to requests that mention the incidents, and records the redaction.
   * Rejects with `StaleVersion`, and writes nothing, if anything was added since `read`. Returns
   * the events.
   */
  apply(write: RedactionWrite, now: number): Promise<LogEvent[]>
  /** Returns the redactions that touched an incident, oldest first. */
  list(incidentId: string): Promise<RedactionRecord[]>
  /** Returns up to `limit` redactions that are not settled, oldest first. */
  unsettled(limit: number): Promise<UnsettledRedaction[]>
  /**
   * Forgets what endpoints answered to messages about the incidents, and to test messages, which
   * may have repeated the content; and stored answers that were computed before the redaction. At
   * most `limit` of each kind; returns how many.
   */
  clearAnswers(redactionId: string, limit: number): Promise<number>
  /**
   * Removes overwritten content from the database's own files as far as the database can: SQLite
   * rebuilds the file and empties its log; PostgreSQL vacuums the tables. May take long.
   */
  erase(): Promise<void>
  /**
   * `at`: null if there is something to erase again. `settled`: nothing that began before the
   * redaction can still add content.
   */
  recordErased(redactionId: string, at: number | null, settled: boolean): Promise<void>
}
