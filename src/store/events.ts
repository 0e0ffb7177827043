import type { EventKind } from '../domain/incident.ts'

export interface LogEvent {
  readonly seq: number
  readonly kind: EventKind
  /** Commit time in milliseconds; never lower than that of the event before it. */
  readonly at: number
  readonly incidentId: string
  /** The incident as JSON text after this event. For `incident.imported`: its current state. */
  readonly document: string
}

export interface LogHead {
  readonly seq: number
  readonly at: number
}

export interface EventLog {
  /** Returns at most `limit` events after `seq`, in order. */
  after(seq: number, limit: number): Promise<LogEvent[]>
  /**
   * Returns the incident as JSON text as the event before `seq` left it; null if there is no such
   * event, or if it was an import.
   */
  documentBefore(incidentId: string, seq: number): Promise<string | null>
  head(): Promise<LogHead>
  /**
   * Advances the log's `seq` and every watch's `sequence` by `count`, leaving a gap. Used after a
   * store was put back to an earlier state: numbers that clients have already seen must not be
   * given out again for other events. Call it only while no service uses the store.
   */
  skipAhead(count: number): Promise<LogHead>
  /**
   * If `seq` lies in such a gap, returns the last event before the gap, 0 if there is none. Returns
   * null for every position that a client can resume from.
   */
  lastBeforeGap(seq: number): Promise<number | null>
  /**
   * Calls `listener` soon after this or another process appends events. A notification may be late,
   * repeated or lost, so a follower must poll too. Returns a function that unsubscribes.
   */
  onAppend(listener: () => void): () => void
}
