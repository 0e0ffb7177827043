import type { Incident, Status } from '../incident.ts'
import type { WatchEvent } from '../watch.ts'

/** The part of a message that tells of the incident: all of it, or that it has been retracted. */
export type MessageContent = 'incident' | 'retraction'

/**
 * What a message carries, by the event that it was made for and by the incident's status when it is
 * sent. The incident is always its newest version; the event, `seq`, `sequence` and `webhook-id`
 * stay those of the delivery, so a repeat is recognised. Where a status is missing, nothing that
 * the message could say is true any more, and the delivery is cancelled.
 *
 * A retraction is sent even if no earlier message was confirmed by the endpoint: an attempt whose
 * answer was lost may have arrived.
 */
const CONTENTS: Readonly<Record<WatchEvent, Partial<Readonly<Record<Status, MessageContent>>>>> = {
  'incident.created': { confirmed: 'incident' },
  'incident.updated': { confirmed: 'incident' },
  'incident.retracted': { retracted: 'retraction', merged: 'retraction' },
}

/** Null if the delivery must be cancelled; `status` is null if the incident no longer exists. */
export function messageContent(event: WatchEvent, status: Status | null): MessageContent | null {
  return status === null ? null : (CONTENTS[event][status] ?? null)
}

const RETRACTION_FIELDS = ['id', 'type', 'severity', 'state', 'lga', 'status', 'version'] as const
export type Retraction = Pick<Incident, (typeof RETRACTION_FIELDS)[number]>

/** Enough to find the incident and remove it; what was withdrawn is not repeated. */
export function retractionOf(incident: Incident): Retraction {
  return Object.fromEntries(RETRACTION_FIELDS.map((field) => [field, incident[field]])) as Retraction
}
