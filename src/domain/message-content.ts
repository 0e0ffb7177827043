import type { Delivery } from './delivery.ts'
import type { Incident, Status } from './incident.ts'
import type { WatchEvent } from './watch.ts'

/** The part of a message that tells of the incident: all of it, or that it has been retracted. */
export type MessageContent = 'incident' | 'retraction'

/**
 * The content of a message, by the event that it was made for and by the incident's status when it
 * is sent. The incident is always its newest version; the event, `seq`, `sequence` and `webhook-id`
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
type RetractionReason = 'lost'
export interface Retraction extends Pick<Incident, (typeof RETRACTION_FIELDS)[number]> {
  /** Absent if it is a decision of the desk. */
  readonly reason?: RetractionReason
}

/** Was public, until the database lost its latest writes. */
export interface LostIncident extends Incident {
  readonly reason: RetractionReason
}

/** Enough to find the incident and remove it; what was withdrawn is not repeated. */
export function retractionOf(incident: Incident | LostIncident): Retraction {
  const fields = Object.fromEntries(RETRACTION_FIELDS.map((field) => [field, incident[field]]))
  return { ...fields, ...('reason' in incident && { reason: incident.reason }) } as Retraction
}

interface CombinedPart {
  readonly delivery: Pick<Delivery, 'kind' | 'eventSeq' | 'watchId'>
  readonly incidentId: string
  /** Null if what the delivery would say is no longer true. */
  readonly document: string | null
  /** Whether its watch told nothing of the incident before, though it was not new. */
  readonly isFirst: boolean
  /** Whether its message may have arrived before, though no answer says so. */
  readonly mayHaveArrived: boolean
}

interface Combined<Part> {
  /** One for each incident. */
  readonly told: readonly Part[]
  /** Of the same incidents: what is told says it too. */
  readonly covered: readonly Part[]
  readonly cancelled: readonly Part[]
}

/**
 * Decides what one message says for several deliveries of watches that one person reads. Each
 * incident is told once, as it stands. One that was retracted before any of the watches told of it
 * is not told at all.
 */
export function combineMessages<Part extends CombinedPart>(parts: readonly Part[]): Combined<Part> {
  const told: Part[] = []
  const covered: Part[] = []
  const cancelled: Part[] = []
  const inOrder = parts.toSorted((one, other) => byEvent(one, other) || byWatch(one, other))
  for (const group of Map.groupBy(inOrder, ({ incidentId }) => incidentId).values()) {
    const chosen = partToTell(group)
    for (const part of group)
      if (part === chosen) told.push(part)
      else if (chosen !== null && part.document !== null) covered.push(part)
      else cancelled.push(part)
  }
  return { told, covered, cancelled }
}

function partToTell<Part extends CombinedPart>(group: readonly Part[]): Part | null {
  const sendable = group.filter(({ document }) => document !== null)
  const retractions = sendable.filter(({ delivery }) => delivery.kind === 'incident.retracted')
  const untold = new Set(group.filter(isFirstNews).map(({ delivery }) => delivery.watchId))
  for (const { delivery, mayHaveArrived } of group) if (mayHaveArrived) untold.delete(delivery.watchId)
  if (retractions.length > 0) return lastOf(retractions.filter(({ delivery }) => !untold.has(delivery.watchId)))
  // A reader who was not told of it yet reads of a new incident, not of a correction.
  return sendable.find(({ delivery }) => delivery.kind === 'incident.created') ?? lastOf(sendable)
}

/** Whether its watch told nothing of the incident before. */
function isFirstNews({ delivery, isFirst }: CombinedPart): boolean {
  return delivery.kind === 'incident.created' || isFirst
}

/** The part of the last event; of several watches the first one's, so that a retry has the same. */
function lastOf<Part extends CombinedPart>(parts: readonly Part[]): Part | null {
  const last = parts.at(-1)
  return (last && parts.find((part) => byEvent(part, last) === 0)) ?? null
}

function byEvent(one: CombinedPart, other: CombinedPart): number {
  return one.delivery.eventSeq - other.delivery.eventSeq
}

function byWatch(one: CombinedPart, other: CombinedPart): number {
  return one.delivery.watchId < other.delivery.watchId ? -1 : 1
}
