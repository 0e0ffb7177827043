import { createHmac, timingSafeEqual } from 'node:crypto'

export const PROBE_PATH = '/healthz/probe'
export const PROBE_HEADER = 'incident-feed-probe'

/** A request is valid for so long before and after its time. */
const VALID_MS = 5 * 60_000
const TOKEN = /^(\d{13})\.([\w-]{22})\.([\w-]{43})$/

export interface ProbeAnswer {
  /** The address that limits count. */
  readonly client_address: string
  /** The address of the other end of the connection. */
  readonly connection_address: string
  readonly connection_is_trusted: boolean
  /** X-Forwarded-For as it arrived. */
  readonly forwarded_for: string | null
  /** Shows that the answer comes from a service with the same database. */
  readonly proof: string
}

/** `nonce`: 16 random bytes as base64url. */
export function signProbe(secret: string, now: number, nonce: string): string {
  return `${now}.${nonce}.${signatureOf(secret, 'request', `${now}.${nonce}`)}`
}

/** Returns the proof for the answer; null if the token is not signed with this secret, or old. */
export function proofFor(secret: string, token: string, now: number): string | null {
  const [, time, nonce, signature] = TOKEN.exec(token) ?? []
  if (time === undefined || Math.abs(Number(time) - now) > VALID_MS) return null
  const expected = signatureOf(secret, 'request', `${time}.${nonce}`)
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature!))) return null
  return signatureOf(secret, 'answer', token)
}

/** The purpose keeps this use of the secret apart from all others. */
function signatureOf(secret: string, purpose: 'request' | 'answer', text: string): string {
  return createHmac('sha256', secret).update(`incident-feed probe ${purpose}\n${text}`).digest('base64url')
}
