import { createHmac } from 'node:crypto'

/** Standard Webhooks requires 24 to 64 bytes; SHA-256 gains nothing beyond 32. */
const SECRET_BYTES = 32
const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function newSecret(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')
}

export interface SignedMessage {
  /** The same at every retry: receivers recognise repetitions by it. */
  readonly id: string
  /** The time of this attempt, in milliseconds. */
  readonly sentAt: number
  readonly body: string | Uint8Array
}

/**
 * Standard Webhooks headers (`https://www.standardwebhooks.com`). While a secret is being replaced,
 * the message carries a signature with each, so that either verifies.
 */
export function signatureHeaders({ id, sentAt, body }: SignedMessage, secrets: readonly string[]) {
  if (secrets.length === 0) throw new TypeError('no secret was given to sign the message with')
  const timestamp = String(Math.floor(sentAt / 1000))
  const start = `${id}.${timestamp}.`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(start).update(body).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** Checks the secret: Buffer.from skips invalid base64 and would sign with the wrong bytes. */
function keyOf(secret: string): Buffer {
  const text = secret.slice(PREFIX.length)
  const key = Buffer.from(text, 'base64')
  if (!secret.startsWith(PREFIX) || !BASE64.test(text) || key.length < 24 || key.length > 64)
    throw new TypeError('the secret must be whsec_ followed by the base64 of 24 to 64 bytes')
  return key
}
