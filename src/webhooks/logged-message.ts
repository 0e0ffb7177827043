import type { ChannelMessage } from '../channels/alert.ts'
import { type ChannelKind, isMessenger } from '../domain/channel.ts'
import type { Attempt, Delivery } from '../domain/delivery/delivery.ts'
import { messageContent, retractionOf } from '../domain/delivery/message-content.ts'
import type { Incident } from '../domain/incident.ts'
import type { WatchEvent } from '../domain/watch.ts'
import { MASK, maskedHeaders, type WatchHeader } from '../domain/watch-headers.ts'
import type { CurrentIncident, DeliveryDetails, LogEvent, Store } from '../store/store.ts'
import { SAMPLE_INCIDENT, sampleDocument } from './sample-incident.ts'
import { deliveryBody, testBody } from './send/webhook-request.ts'
import { FIXED_HEADERS } from './send/webhook-sender.ts'

/** Versions of an incident that are read to rebuild bodies; older ones are not shown. */
const MAX_EVENTS = 100

/** A body as it was sent, rebuilt from the event log. */
export interface SentBody {
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
  details: DeliveryDetails,
  store: Pick<Store, 'events' | 'incidents'>,
  writeBody: WriteBody | null = null,
): Promise<LoggedMessages> {
  const { incidentId, delivery } = details
  if (incidentId === null) return { bodies: [], next: null }
  if (incidentId === SAMPLE_INCIDENT.id)
    return { bodies: [madeUpBody(delivery, bodiesOf(delivery, writeBody))], next: null }
  return messagesOfIncident(details, incidentId, store, bodiesOf(delivery, writeBody))
}

/** Writes the bodies of one delivery. */
interface Bodies {
  readonly ofEvent: (event: LogEvent, document: string) => string
  readonly ofTest: (document: string) => string
}

function bodiesOf(delivery: Delivery, writeBody: WriteBody | null): Bodies {
  if (writeBody === null)
    return {
      ofEvent: (event, document) => deliveryBody(delivery, event, document),
      ofTest: (document) => testBodyOf(delivery, document),
    }
  const { kind: event, watchName } = delivery
  return {
    ofEvent: (_, document) => writeBody({ event, watchName, test: false, document }),
    ofTest: (document) => writeBody({ event, watchName, test: true, document }),
  }
}

async function messagesOfIncident(
  { delivery, attempts }: DeliveryDetails,
  incidentId: string,
  { events, incidents }: Pick<Store, 'events' | 'incidents'>,
  written: Bodies,
): Promise<LoggedMessages> {
  const log = await events.ofIncident(incidentId, MAX_EVENTS)
  const [current] = await incidents.current([incidentId])
  const next = nextBody(delivery, log, current, written)
  // An import that was never corrected has no event with a document; nothing has changed since.
  const unchanged = delivery.test && current?.seq === null ? [bodyOfImport(current, written)] : []
  const bodies = [...unchanged, ...sentBodies(delivery, attempts, log, written)]
  if (delivery.kind !== 'incident.retracted' && current?.status !== 'confirmed')
    return { bodies: bodies.map((each) => ({ ...each, body: null })), next }
  return { bodies, next }
}

/** The headers of an attempt, without what only the receiver may know. `own` are the watch's own. */
export function loggedHeaders(
  delivery: Pick<Delivery, 'id'>,
  at: number,
  own: readonly WatchHeader[],
  channel: ChannelKind = 'webhook',
): Record<string, string> {
  if (isMessenger(channel)) return { ...FIXED_HEADERS }
  return {
    ...FIXED_HEADERS,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': MASK,
    ...maskedHeaders(own),
  }
}

function madeUpBody(delivery: Delivery, { ofTest }: Bodies): SentBody {
  const document = sampleDocument(delivery.kind)
  const { version } = JSON.parse(document) as Pick<Incident, 'version'>
  return { contentSeq: null, version, redacted: false, body: ofTest(document) }
}

function testBodyOf({ id, watchId, watchName, kind, eventSeq, createdAt }: Delivery, document: string): string {
  const fields = { event: kind, watch: watchName, watchId, id, sequence: 0, seq: eventSeq, createdAt }
  return testBody(fields, document)
}

function bodyOfImport({ document }: CurrentIncident, { ofTest }: Bodies): SentBody {
  return { contentSeq: null, version: versionIn(document), redacted: false, body: ofTest(document) }
}

/** `log` is newest first. */
function sentBodies(
  delivery: Delivery,
  attempts: readonly Attempt[],
  log: readonly LogEvent[],
  { ofEvent, ofTest }: Bodies,
): SentBody[] {
  const event = log.find(({ seq }) => seq === delivery.eventSeq)
  if (event === undefined && !delivery.test) return []
  const sent = new Set(attempts.map(({ contentSeq }) => contentSeq))
  return log
    .filter(({ seq }) => sent.has(seq))
    .map(({ seq, document }) => ({
      contentSeq: seq,
      version: versionIn(document),
      redacted: log.some((other) => other.redacted === true && other.seq > seq),
      body:
        event === undefined || delivery.test ? ofTest(document) : ofEvent(event, contentOf(delivery.kind, document)),
    }))
    .reverse()
}

function nextBody(
  delivery: Delivery,
  log: readonly LogEvent[],
  current: CurrentIncident | undefined,
  { ofEvent }: Bodies,
): LoggedMessages['next'] {
  const event = delivery.test ? undefined : log.find(({ seq }) => seq === delivery.eventSeq)
  if (event === undefined || current === undefined || messageContent(delivery.kind, current.status) === null)
    return null
  const { document, seq } = current
  return {
    contentSeq: seq,
    version: versionIn(document),
    body: ofEvent(event, contentOf(delivery.kind, document)),
  }
}

/** JSON text for the body's `incident`. */
export function contentOf(kind: WatchEvent, document: string): string {
  return kind === 'incident.retracted' ? JSON.stringify(retractionOf(JSON.parse(document) as Incident)) : document
}

function versionIn(document: string): number {
  return (JSON.parse(document) as Incident).version
}
