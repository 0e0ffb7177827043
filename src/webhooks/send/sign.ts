import { createHmac } from 'node:crypto'

/** Standard Webhooks asks for 24 to 64 bytes; 32 is as much as the hash can use. */
const SECRET_BYTES = 32
const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function newSecret(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')
}

export interface Message {
  /** The same over every retry: the receiver knows a repeat by it. */
  readonly id: string
  /** When this attempt is made, in milliseconds. */
  readonly sentAt: number
  readonly body: string | Uint8Array
}

/** `https://www.standardwebhooks.com`; several secrets while one is replaced by another, so that either verifies. */
export function signatureHeaders({ id, sentAt, body }: Message, secrets: readonly string[]) {
  if (secrets.length === 0) throw new TypeError('a message needs a secret to be signed with')
  const timestamp = String(Math.floor(sentAt / 1000))
  const signatures = secrets.map((secret) => {
    const hash = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')
    return `v1,${hash}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** Buffer.from leaves out what is not base64: a damaged secret would sign with half of itself, and no receiver could tell why. */
function keyOf(secret: string): Buffer {
  const text = secret.slice(PREFIX.length)
  const key = Buffer.from(text, 'base64')
  if (!secret.startsWith(PREFIX) || !BASE64.test(text) || key.length < 24 || key.length > 64)
    throw new TypeError('a secret is whsec_ and the base64 of 24 to 64 bytes')
  return key
}
