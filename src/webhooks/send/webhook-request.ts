import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../../domain/identifier.ts'
import { validSecrets, type Watch } from '../../domain/watch.ts'
import type { Dispatch, LogEvent } from '../../store/store.ts'
import { messageBody } from './message-body.ts'
import { signatureHeaders } from './sign.ts'

/** A signed POST to an endpoint. */
export interface WebhookRequest {
  readonly url: string
  /** Additional headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** The body is the same at every attempt; the signature is not. */
export function deliveryRequest({ delivery, endpoint }: Dispatch, event: LogEvent, now: number): WebhookRequest {
  const { id, watchId, watchName, sequence, kind } = delivery
  const fields = { event: kind, watch: watchName, watchId, id, sequence, seq: event.seq, createdAt: event.at }
  // Encoded once, for the signature and for the wire.
  const body = Buffer.from(messageBody(fields, event.document))
  return {
    url: endpoint.url,
    headers: signatureHeaders({ id, sentAt: now, body }, validSecrets(endpoint.secrets, now)),
    body,
  }
}

/** A signed message marked `"test": true`, about an incident that the watch could match. */
export function testRequest(watch: Watch, document: string, seq: number, now: number): WebhookRequest {
  const id = newIdentifier('delivery', now, randomBytes)
  const { name, events, id: watchId } = watch
  const fields = { event: events[0]!, watch: name, watchId, id, sequence: 0, seq, createdAt: now }
  const body = `${messageBody(fields, document).slice(0, -1)},"test":true}`
  const headers = signatureHeaders({ id, sentAt: now, body }, validSecrets(watch.secrets, now))
  return { url: watch.url, headers, body }
}
