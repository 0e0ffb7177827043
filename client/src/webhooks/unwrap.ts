import { WebhookError } from './errors.ts'
import type { WebhookMessage } from './message.ts'
import { type HeadersLike, headerOf, rawBodyOf, type WebhookRequest } from './raw-body.ts'
import { areEqual, fromBase64, signatureOf } from './signature.ts'

/** Settings of `unwrap`. */
export interface UnwrapOptions {
  /** The greatest age of a message, and lead over this clock. Default: 300 seconds. */
  readonly toleranceSeconds?: number | undefined
  /** The time, for tests, in milliseconds. Default: now. */
  readonly now?: number | undefined
}

/**
 * Reads the raw body of a webhook, verifies its signature (Standard Webhooks) and returns the
 * message. Several secrets may be given while one is being replaced. Throws a `WebhookError` that
 * says why a request is refused.
 *
 * @example
 * const message = await unwrap(request, process.env.WATCH_SECRET)
 * if (message.event === 'incident.created') alert(message.incident.summary)
 */
export async function unwrap(
  request: WebhookRequest,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: UnwrapOptions = {},
): Promise<WebhookMessage> {
  const headers = request.headers as HeadersLike
  const id = required(headers, 'webhook-id')
  const timestamp = required(headers, 'webhook-timestamp')
  const given = required(headers, 'webhook-signature')
  checkAge(timestamp, toleranceSeconds, now)
  const body = await rawBodyOf(request)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw new TypeError('no secret was given to verify the message with')
  const expected = await Promise.all(secrets.map((each) => signatureOf(each, id, timestamp, body)))
  if (!signaturesIn(given).some((one) => expected.some((other) => areEqual(one, other))))
    throw new WebhookError('wrong_signature', 'no signature of the message was made with this secret over this body')
  return messageIn(body)
}

function required(headers: HeadersLike, name: string): string {
  const value = headerOf(headers, name)
  if (!value) throw new WebhookError('missing_header', `the request has no header ${name}: it is not signed`)
  return value
}

function checkAge(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('malformed_timestamp', 'the header webhook-timestamp is not a count of seconds')
  const age = Math.floor(now / 1000) - Number(timestamp)
  if (age > toleranceSeconds)
    throw new WebhookError('too_old', `the message is ${age} s old, more than ${toleranceSeconds} s`)
  if (-age > toleranceSeconds)
    throw new WebhookError(
      'too_new',
      `the message is dated ${-age} s ahead of this clock, more than ${toleranceSeconds} s`,
    )
}

/** Versions of signatures that this package does not know are left out, as the standard asks. */
function signaturesIn(header: string): Uint8Array[] {
  return header.split(' ').flatMap((each) => (each.startsWith('v1,') ? (fromBase64(each.slice(3)) ?? []) : []))
}

function messageIn(body: Uint8Array): WebhookMessage {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookMessage
  } catch (error) {
    throw new WebhookError('malformed_body', 'the body is signed, but it is not JSON', { cause: error })
  }
}
