import type { WebhookMessage } from './message.ts'
import { signatureOf, toBase64 } from './signature.ts'

/** A message as the service would send it. */
export interface SignedTestMessage {
  /** The headers, with the signature. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact text that is signed. */
  readonly body: string
}

/** Settings of `signTestMessage`. */
export interface SignTestMessageOptions {
  /** The time of the message, in milliseconds. Default: now. */
  readonly now?: number | undefined
}

/**
 * Signs a message as the service does, to test your endpoint without it.
 *
 * @example
 * const message = { event: 'incident.created', incident }
 * const { headers, body } = await signTestMessage(message, 'whsec_…')
 * const request = new Request('http://localhost/hook', { method: 'POST', headers, body })
 * const response = await handler(request)
 */
export async function signTestMessage(
  message: Partial<WebhookMessage>,
  secret: string,
  { now = Date.now() }: SignTestMessageOptions = {},
): Promise<SignedTestMessage> {
  const id = message.id ?? 'msg_00000000000000000000000000'
  const whole = {
    event: 'incident.created',
    watch: 'Test',
    watch_id: 'wat_00000000000000000000000000',
    sequence: 0,
    seq: 0,
    created_at: new Date(now).toISOString(),
    test: true,
    ...message,
    id,
  }
  const body = JSON.stringify(whole)
  const timestamp = String(Math.floor(now / 1000))
  const signature = toBase64(await signatureOf(secret, id, timestamp, new TextEncoder().encode(body)))
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  }
}
