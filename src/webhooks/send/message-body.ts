import type { EventKind } from '../../domain/incident.ts'
import { timeText } from '../../lib/time/time.ts'

export interface MessageFields {
  readonly event: EventKind
  /** The watch's name. */
  readonly watch: string
  readonly watchId: string
  /** The message's id; the same over every retry. */
  readonly id: string
  /** Counts the watch's messages: 1, 2, 3 … */
  readonly sequence: number
  /** The event's place in the log. */
  readonly seq: number
  /** When the event was committed, in milliseconds. */
  readonly createdAt: number
}

/**
 * What is posted to a watch's endpoint. `document` is the incident's JSON text as the log has it, put in as it stands: a popular
 * incident goes to many thousands, and parsing it again for each would be most of the work.
 */
export function messageBody(notice: MessageFields, document: string): string {
  const { event, watch, watchId, id, sequence, seq, createdAt } = notice
  const before = JSON.stringify({ event, watch })
  const after = JSON.stringify({ id, watch_id: watchId, sequence, seq, created_at: commitTime(createdAt) })
  return `${before.slice(0, -1)},"incident":${document},${after.slice(1)}`
}

let last = { at: 0, text: timeText(0) }

/** One event is told to many in a row: its time is written once. */
function commitTime(at: number): string {
  if (last.at !== at) last = { at, text: timeText(at) }
  return last.text
}
