import type { Change, Incident } from '../generated/types.ts'

/** The place of a change in the log, as the service wrote it; `'0'` is the beginning. */
export type Position = string

/** The `seq` of a position: tells which of your entries came after it. */
export function seqOf(position: Position | number): number {
  return Number.parseInt(String(position), 10)
}

/** The members of every change. */
interface ChangeFields extends Omit<Change, 'event' | 'incident'> {}

/**
 * An incident was published, corrected or imported; `incident` is null if it has been retracted
 * since.
 */
export interface IncidentChange extends ChangeFields {
  /** `incident.imported` adds history; only `feed.changes` has it. */
  readonly event: 'incident.created' | 'incident.updated' | 'incident.imported'
  /** The version after the change; null: delete your copy of `incident_id`. */
  readonly incident: Incident | null
}

/** An incident was withdrawn: delete your copy of `incident_id`. */
export interface IncidentRetraction extends ChangeFields {
  /** The kind of change. */
  readonly event: 'incident.retracted'
  /** Nothing is left of it. */
  readonly incident: null
}

/** One entry of the log: store `incident` under `incident_id`, or delete that if it is null. */
export type FeedChange = IncidentChange | IncidentRetraction
