import type { Delivery } from '../domain/delivery.ts'
import type { Incident } from '../domain/incident.ts'
import { messageContent, retractionOf } from '../domain/message-content.ts'
import type { NamedSites } from '../domain/sites.ts'
import { type ChannelKind, isMessenger, type WatchEvent } from '../domain/watch.ts'
import { MASK, maskedHeaders, type WatchHeader } from '../domain/watch-headers.ts'
import type { DeliveryDetails, LogEvent, Store } from '../store/store.ts'
import type { ChannelMessage } from './channels/alert.ts'
import { PUSH_HEADERS } from './channels/web-push.ts'
import { deliveryBody, testBody } from './send/message.ts'
import { FIXED_HEADERS } from './send/webhook-sender.ts'

/** Versions of an incident that are read to rebuild bodies; older ones are not shown. */
const MAX_EVENTS = 100

/** Says which sites the incident concerns, by the list of the watch as it is now. */
type NameSites = (kind: WatchEvent, document: string) => Promise<NamedSites | undefined>

/** A body as it was sent, rebuilt from the event log. */
interface SentBody {
  /** Null for the made-up incident of a test message. */
  readonly contentSeq: number | null
  readonly version: number
  /** True if content was taken out of the incident since: then this is not what was sent. */
  readonly redacted: boolean
  /** Null if the incident has been retracted: what was withdrawn is not repeated. */
  readonly body: string | null
}

export interface LoggedMessages {
  /** One for each version of the incident that an attempt carried, where it is known. */
  readonly bodies: readonly SentBody[]
  /** The body that an attempt would send now; null if there would be none. */
  readonly next: (Omit<SentBody, 'redacted'> & { readonly body: string }) | null
}

/** Writes the body of a message for people, as its channel was sent it. */
export type WriteBody = (message: ChannelMessage) => string

/**
 * Rebuilds what was sent: no body is stored, so that a redaction of the log reaches all of them.
 * `writeBody` is null for webhooks.
 */
export async function loggedMessages(
  { incidentId, delivery, attempts }: DeliveryDetails,
  { events, incidents }: Pick<Store, 'events' | 'incidents'>,
  nameSites: NameSites,
  writeBody: WriteBody | null = null,
): Promise<LoggedMessages> {
  if (incidentId === null) return { bodies: [], next: null }
  const { kind, test } = delivery
  const write = (document: string, event?: LogEvent) => bodyOf(delivery, document, event, nameSites, writeBody)
  const ofTest = async (document: string): Promise<SentBody> => {
    return { contentSeq: null, version: versionIn(document), redacted: false, body: await write(document) }
  }
  if (incidentId === SAMPLE_INCIDENT.id) return { bodies: [await ofTest(sampleDocument(kind))], next: null }
  const log = await events.ofIncident(incidentId, MAX_EVENTS)
  const [current] = await incidents.current([incidentId])
  const event = test ? undefined : log.find(({ seq }) => seq === delivery.eventSeq)
  const next =
    event !== undefined && current !== undefined && messageContent(kind, current.status) !== null
      ? { contentSeq: current.seq, version: versionIn(current.document), body: await write(current.document, event) }
      : null
  const sent = new Set(event === undefined && !test ? [] : attempts.map(({ contentSeq }) => contentSeq))
  // Newest first in the log, oldest first here.
  const versions = log.filter(({ seq }) => sent.has(seq)).reverse()
  const bodies = await Promise.all(
    versions.map(async ({ seq, document }): Promise<SentBody> => {
      const redacted = log.some((other) => other.redacted === true && other.seq > seq)
      return { contentSeq: seq, version: versionIn(document), redacted, body: await write(document, event) }
    }),
  )
  // An import that was never corrected has no event with a document; nothing has changed since.
  if (test && current?.seq === null) bodies.unshift(await ofTest(current.document))
  const isWithdrawn = kind !== 'incident.retracted' && current?.status !== 'confirmed'
  return { bodies: isWithdrawn ? bodies.map((each) => ({ ...each, body: null })) : bodies, next }
}

/** `document` is the incident as the log has it; without an event, the message was a test. */
async function bodyOf(
  delivery: Delivery,
  document: string,
  event: LogEvent | undefined,
  nameSites: NameSites,
  writeBody: WriteBody | null,
): Promise<string> {
  const { id, watchId, kind, watchName, eventSeq: seq, createdAt } = delivery
  const sites = await nameSites(kind, document)
  const test = event === undefined
  const content = test ? document : contentOf(kind, document)
  if (writeBody !== null) return writeBody({ id, watchId, event: kind, watchName, test, document: content, sites })
  if (!test) return deliveryBody(delivery, event, content, sites)
  return testBody({ event: kind, watch: watchName, watchId, id, sequence: 0, seq, createdAt, sites }, content)
}

/** The headers of an attempt, secrets masked. `own` are the watch's own. */
export function loggedHeaders(
  delivery: Pick<Delivery, 'id'>,
  at: number,
  own: readonly WatchHeader[],
  channel: ChannelKind = 'webhook',
): Record<string, string> {
  if (channel === 'email') return {}
  if (channel === 'webpush') return { ...FIXED_HEADERS, ...PUSH_HEADERS, authorization: MASK }
  if (isMessenger(channel)) return { ...FIXED_HEADERS }
  return {
    ...FIXED_HEADERS,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': MASK,
    ...maskedHeaders(own),
  }
}

/** JSON text for the body's `incident`. */
export function contentOf(kind: WatchEvent, document: string): string {
  return kind === 'incident.retracted' ? JSON.stringify(retractionOf(JSON.parse(document) as Incident)) : document
}

function versionIn(document: string): number {
  return (JSON.parse(document) as Incident).version
}

/** JSON text of the made-up incident of a test message. */
export function sampleDocument(event: WatchEvent): string {
  if (event !== 'incident.retracted') return JSON.stringify(SAMPLE_INCIDENT)
  return JSON.stringify(retractionOf({ ...SAMPLE_INCIDENT, status: 'retracted', version: 2 }))
}

export const SAMPLE_INCIDENT: Incident = {
  id: `inc_${'0'.repeat(26)}`,
  type: 'protest',
  category: 'civil_unrest',
  severity: 'low',
  state: 'Federal Capital Territory',
  lga: null,
  lat: 9.0579,
  lng: 7.4951,
  location: {
    place: null,
    precision: 'state',
    radius_km: 50,
    state_code: 'NG-FC',
    lga_code: null,
    lga_basis: null,
  },
  confidence: 0,
  confidence_reasons: [],
  summary: 'A made-up incident, to test an endpoint with.',
  sources: [],
  casualties: { killed: null, injured: null, abducted: null },
  occurred_at: '2026-01-01T00:00:00Z',
  time_precision: 'day',
  reported_at: '2026-01-01T00:00:00Z',
  confirmed_at: '2026-01-01T00:00:00Z',
  published_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  status: 'confirmed',
  version: 1,
}
