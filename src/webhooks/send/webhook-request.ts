import type { Dispatch, LogEvent } from '../../store/store.ts'
import { messageBody } from './message-body.ts'
import { signatureHeaders } from './sign.ts'
import type { WebhookRequest } from './webhook-sender.ts'

/** What is sent for a delivery: the same body at every attempt, signed anew. */
export function deliveryRequest({ delivery, endpoint }: Dispatch, event: LogEvent, now: number): WebhookRequest {
  const { id, watchId, watchName, sequence, kind } = delivery
  const notice = { event: kind, watch: watchName, watchId, id, sequence, seq: event.seq, createdAt: event.at }
  // Encoded once, for the signature and for the wire.
  const body = Buffer.from(messageBody(notice, event.document))
  return { url: endpoint.url, headers: signatureHeaders({ id, sentAt: now, body }, secretsOf(endpoint, now)), body }
}

/** The new one first: a receiver that has it verifies at the first try. */
function secretsOf({ secret, previousSecret, previousSecretExpiresAt }: Dispatch['endpoint'], now: number): string[] {
  const stillSigns = previousSecret !== null && (previousSecretExpiresAt ?? 0) > now
  return stillSigns ? [secret, previousSecret] : [secret]
}
