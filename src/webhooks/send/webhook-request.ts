import { validSecrets, type Watch, type WatchEvent } from '../../domain/watch.ts'
import type { Dispatch } from '../../store/store.ts'
import { messageBody } from './message-body.ts'
import { signatureHeaders } from './sign.ts'

/** A signed POST to an endpoint. */
export interface WebhookRequest {
  readonly url: string
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
  const { id, watchId, watchName, sequence, kind } = delivery
  const { seq, at: createdAt, redacted } = event
  const fields = { event: kind, watch: watchName, watchId, id, sequence, seq, createdAt, redacted }
  // Encoded once, for the signature and for the wire.
  const body = Buffer.from(messageBody(fields, document))
  return {
    url: endpoint.url,
    headers: signatureHeaders({ id, sentAt: now, body }, validSecrets(endpoint.secrets, now)),
    body,
  }
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
  const fields = { event, watch: watch.name, watchId: watch.id, id, sequence: 0, seq, createdAt: now }
  const body = `${messageBody(fields, document).slice(0, -1)},"test":true}`
  return {
    url: watch.url,
    headers: signatureHeaders({ id, sentAt: now, body }, validSecrets(watch.secrets, now)),
    body,
  }
}
