import type { Delivery } from '../../domain/delivery.ts'
import type { NamedSites } from '../../domain/sites.ts'
import { validSecrets, type Watch, type WatchEvent } from '../../domain/watch.ts'
import { headerNameFault, type WatchHeader } from '../../domain/watch-headers.ts'
import type { Dispatch } from '../../store/store.ts'
import { type MessageFields, messageBody } from './message-body.ts'
import type { OutgoingRequest } from './outgoing-request.ts'

export interface SentContent {
  readonly event: { readonly seq: number; readonly at: number; readonly redacted?: boolean }
  /** JSON text for the body's `incident`. */
  readonly document: string
  /** For a watch of sites: which the incident concerns. */
  readonly sites?: NamedSites | undefined
}

const NO_HEADERS = {}

/**
 * The same at every attempt, but for the incident, which is the newest version, and the signature.
 */
export function deliveryRequest({ delivery, endpoint }: Dispatch, content: SentContent, now: number): OutgoingRequest {
  const { event, document, sites } = content
  return {
    url: endpoint.url,
    sentAt: now,
    headers: withOwnHeaders(NO_HEADERS, endpoint.headers),
    body: deliveryBody(delivery, event, document, sites),
    signing: { id: delivery.id, secrets: validSecrets(endpoint.secrets, now) },
  }
}

/**
 * Adds the headers of the watch after ours. A name that was stored before it became ours is left
 * out.
 */
export function withOwnHeaders(
  headers: Readonly<Record<string, string>>,
  own: readonly WatchHeader[],
): Readonly<Record<string, string>> {
  if (own.length === 0) return headers
  const allowed = own.filter(({ name }) => headerNameFault(name) === null)
  return { ...headers, ...Object.fromEntries(allowed.map(({ name, value }) => [name, value])) }
}

export function deliveryBody(
  { id, watchId, watchName, sequence, kind }: Delivery,
  { seq, at: createdAt, redacted }: SentContent['event'],
  document: string,
  sites?: NamedSites,
): string {
  const fields = { event: kind, watch: watchName, watchId, id, sequence, seq, createdAt, redacted, sites }
  return messageBody(fields, document)
}

export interface TestMessage {
  readonly id: string
  readonly event: WatchEvent
  readonly seq: number
  /** JSON text for the body's `incident`. */
  readonly document: string
  readonly sites?: NamedSites | undefined
}

/** A message marked `"test": true`, signed with every valid secret like any other. */
export function testRequest(watch: Watch, message: TestMessage, now: number): OutgoingRequest {
  const { id, event, seq, document, sites } = message
  const fields = { event, watch: watch.name, watchId: watch.id, id, sequence: 0, seq, createdAt: now, sites }
  const body = testBody(fields, document)
  return {
    url: watch.url,
    sentAt: now,
    headers: withOwnHeaders(NO_HEADERS, watch.headers),
    body,
    signing: { id, secrets: validSecrets(watch.secrets, now) },
  }
}

export function testBody(fields: MessageFields, document: string): string {
  return `${messageBody(fields, document).slice(0, -1)},"test":true}`
}
