import type { Delivery } from '../../domain/delivery/delivery.ts'
import { validSecrets, type Watch, type WatchEvent } from '../../domain/watch.ts'
import { headerNameFault, type WatchHeader } from '../../domain/watch-headers.ts'
import type { Dispatch } from '../../store/store.ts'
import { type MessageFields, messageBody } from './message-body.ts'
import { signatureHeaders } from './sign.ts'

/** A signed POST to an endpoint. */
export interface WebhookRequest {
  readonly url: string
  /** When it was signed. */
  readonly sentAt: number
  /** Additional headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface SentContent {
  readonly event: { readonly seq: number; readonly at: number; readonly redacted?: boolean }
  /** JSON text for the body's `incident`. */
  readonly document: string
}

/** The same at every attempt, but for the incident, which is the newest version, and the signature. */
export function deliveryRequest({ delivery, endpoint }: Dispatch, content: SentContent, now: number): WebhookRequest {
  const { event, document } = content
  const { id } = delivery
  // Encoded once, for the signature and for the wire.
  const body = Buffer.from(deliveryBody(delivery, event, document))
  return {
    url: endpoint.url,
    sentAt: now,
    headers: withOwnHeaders(
      signatureHeaders({ id, sentAt: now, body }, validSecrets(endpoint.secrets, now)),
      endpoint.headers,
    ),
    body,
  }
}

/** Adds the headers of the watch after ours. A name that was stored before it became ours is left out. */
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
): string {
  return messageBody({ event: kind, watch: watchName, watchId, id, sequence, seq, createdAt, redacted }, document)
}

export interface TestMessage {
  readonly id: string
  readonly event: WatchEvent
  readonly seq: number
  /** JSON text for the body's `incident`. */
  readonly document: string
}

/** A message marked `"test": true`, signed with every valid secret like any other. */
export function testRequest(watch: Watch, { id, event, seq, document }: TestMessage, now: number): WebhookRequest {
  const body = testBody({ event, watch: watch.name, watchId: watch.id, id, sequence: 0, seq, createdAt: now }, document)
  return {
    url: watch.url,
    sentAt: now,
    headers: withOwnHeaders(
      signatureHeaders({ id, sentAt: now, body }, validSecrets(watch.secrets, now)),
      watch.headers,
    ),
    body,
  }
}

export function testBody(fields: MessageFields, document: string): string {
  return `${messageBody(fields, document).slice(0, -1)},"test":true}`
}
