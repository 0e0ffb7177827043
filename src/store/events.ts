import type { EventKind } from '../domain/incident.ts'

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
}

/** An incident as an event left it. */
export type LoggedVersion = Pick<LogEvent, 'seq' | 'document'>

export interface LogHead {
  readonly seq: number
  readonly at: number
}

export interface EventLog {
  /** Returns at most `limit` events after `seq`, in order. */
  after(seq: number, limit: number): Promise<LogEvent[]>
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
  /**
   * Advances the log's `seq` and every watch's `sequence` by `count`, leaving a gap, so that a
   * store put back to an earlier state does not reuse numbers that clients have seen. Call it only
   * while no service uses the store.
   */
  skipAhead(count: number): Promise<LogHead>
  /** If `seq` lies in such a gap, returns the last event before it, or 0; otherwise null. */
  lastBeforeGap(seq: number): Promise<number | null>
  /**
   * Calls `listener` soon after any process appends events. Notifications may be late, repeated or
   * lost, so a follower must poll too. Returns a function that unsubscribes.
   */
  onAppend(listener: () => void): () => void
}
