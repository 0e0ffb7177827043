import type { EventKind } from '../../domain/incident.ts'
import type { NamedSites } from '../../domain/sites.ts'
import { timeText } from '../../lib/time.ts'

export interface MessageFields {
  readonly event: EventKind
  readonly watch: string
  readonly watchId: string
  /** The message's id, the same at every retry. */
  readonly id: string
  /** Counts the watch's messages: 1, 2, 3 … */
  readonly sequence: number
  /** The event's number in the log. */
  readonly seq: number
  /** When the event was committed, in milliseconds. */
  readonly createdAt: number
  /** Written only if it is true. */
  readonly redacted?: boolean | undefined
  /** For a watch of sites: which the incident concerns. */
  readonly sites?: NamedSites | undefined
}

/**
 * The body posted to an endpoint. Inserts `document`, the incident's JSON text from the log,
 * unchanged: parsing it for each of many thousand watches would be most of the work.
 */
export function messageBody(fields: MessageFields, document: string): string {
  const { event, watch, watchId, id, sequence, seq, createdAt, redacted, sites } = fields
  const before = JSON.stringify({ event, watch })
  const after = JSON.stringify({
    id,
    watch_id: watchId,
    sequence,
    seq,
    created_at: commitTimeText(createdAt),
    redacted,
    sites,
  })
  return `${before.slice(0, -1)},"incident":${document},${after.slice(1)}`
}

let last = { at: 0, text: timeText(0) }

/** Caches the last time: one event goes to many watches in a row. */
function commitTimeText(at: number): string {
  if (last.at !== at) last = { at, text: timeText(at) }
  return last.text
}
