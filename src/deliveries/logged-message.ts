import { type ChannelKind, isMessenger } from '../domain/channel.ts'
import type { Attempt, Delivery } from '../domain/delivery.ts'
import type { Incident } from '../domain/incident.ts'
import { messageContent, retractionOf } from '../domain/message-content.ts'
import type { NamedSites } from '../domain/sites.ts'
import type { WatchEvent } from '../domain/watch.ts'
import { MASK, maskedHeaders, type WatchHeader } from '../domain/watch-headers.ts'
import type { CurrentIncident, DeliveryDetails, LogEvent, Store } from '../store/store.ts'
import type { ChannelMessage } from './channels/alert.ts'
import { PUSH_HEADERS } from './channels/web-push.ts'
import { deliveryBody, testBody } from './send/message.ts'
import { FIXED_HEADERS } from './send/webhook-sender.ts'

/** Versions of an incident that are read to rebuild bodies; older ones are not shown. */
const MAX_EVENTS = 100

/** Says which sites the incident concerns, by the list of the watch as it is now. */
export type NameSites = (kind: WatchEvent, document: string) => Promise<NamedSites | undefined>

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
  nameSites: NameSites,
  writeBody: WriteBody | null = null,
): Promise<LoggedMessages> {
  const { incidentId, delivery } = details
  if (incidentId === null) return { bodies: [], next: null }
  const written = bodiesOf(delivery, nameSites, writeBody)
  if (incidentId === SAMPLE_INCIDENT.id) return { bodies: [await madeUpBody(delivery, written)], next: null }
  return messagesOfIncident(details, incidentId, store, written)
}

/** Writes the bodies of one delivery. */
interface Bodies {
  /** `document` is the incident as the log has it. */
  readonly ofEvent: (event: LogEvent, document: string) => Promise<string>
  readonly ofTest: (document: string) => Promise<string>
}

function bodiesOf(delivery: Delivery, nameSites: NameSites, writeBody: WriteBody | null): Bodies {
  const { id, watchId, kind, watchName } = delivery
  const message = { id, watchId, event: kind, watchName }
  return {
    async ofEvent(event, document) {
      const sites = await nameSites(kind, document)
      const content = contentOf(kind, document)
      if (writeBody === null) return deliveryBody(delivery, event, content, sites)
      return writeBody({ ...message, test: false, document: content, sites })
    },
    async ofTest(document) {
      const sites = await nameSites(kind, document)
      if (writeBody === null) return testBodyOf(delivery, document, sites)
      return writeBody({ ...message, test: true, document, sites })
    },
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
  const next = await nextBody(delivery, log, current, written)
  // An import that was never corrected has no event with a document; nothing has changed since.
  const unchanged = delivery.test && current?.seq === null ? [await bodyOfImport(current, written)] : []
  const bodies = [...unchanged, ...(await sentBodies(delivery, attempts, log, written))]
  if (delivery.kind !== 'incident.retracted' && current?.status !== 'confirmed')
    return { bodies: bodies.map((each) => ({ ...each, body: null })), next }
  return { bodies, next }
}

/**
 * The headers of an attempt, without what only the receiver may know. `own` are the watch's own.
 */
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

async function madeUpBody(delivery: Delivery, { ofTest }: Bodies): Promise<SentBody> {
  const document = sampleDocument(delivery.kind)
  const { version } = JSON.parse(document) as Pick<Incident, 'version'>
  return { contentSeq: null, version, redacted: false, body: await ofTest(document) }
}

function testBodyOf(delivery: Delivery, document: string, sites: NamedSites | undefined): string {
  const { id, watchId, watchName, kind, eventSeq, createdAt } = delivery
  const fields = { event: kind, watch: watchName, watchId, id, sequence: 0, seq: eventSeq, createdAt, sites }
  return testBody(fields, document)
}

async function bodyOfImport({ document }: CurrentIncident, { ofTest }: Bodies): Promise<SentBody> {
  return { contentSeq: null, version: versionIn(document), redacted: false, body: await ofTest(document) }
}

/** `log` is newest first. */
async function sentBodies(
  delivery: Delivery,
  attempts: readonly Attempt[],
  log: readonly LogEvent[],
  { ofEvent, ofTest }: Bodies,
): Promise<SentBody[]> {
  const event = log.find(({ seq }) => seq === delivery.eventSeq)
  if (event === undefined && !delivery.test) return []
  const sent = new Set(attempts.map(({ contentSeq }) => contentSeq))
  const bodies = log
    .filter(({ seq }) => sent.has(seq))
    .map(async ({ seq, document }) => ({
      contentSeq: seq,
      version: versionIn(document),
      redacted: log.some((other) => other.redacted === true && other.seq > seq),
      body: event === undefined || delivery.test ? await ofTest(document) : await ofEvent(event, document),
    }))
    .reverse()
  return Promise.all(bodies)
}

async function nextBody(
  delivery: Delivery,
  log: readonly LogEvent[],
  current: CurrentIncident | undefined,
  { ofEvent }: Bodies,
): Promise<LoggedMessages['next']> {
  const event = delivery.test ? undefined : log.find(({ seq }) => seq === delivery.eventSeq)
  if (event === undefined || current === undefined || messageContent(delivery.kind, current.status) === null)
    return null
  const { document, seq } = current
  return {
    contentSeq: seq,
    version: versionIn(document),
    body: await ofEvent(event, document),
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
