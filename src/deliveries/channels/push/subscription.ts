import { createHash, ECDH } from 'node:crypto'
import { DEFAULT_LANGUAGE, type Language } from '../../../domain/languages.ts'

/** Where a browser takes notifications, and the keys that only it can read them with. A secret. */
export interface BrowserSubscription {
  readonly endpoint: string
  /** The browser's public key and its authentication secret, in base64url. */
  readonly p256dh: string
  readonly auth: string
}

export interface SubscriptionFault {
  /** The member that is wrong, below the subscription. */
  readonly pointer: string
  readonly message: string
}

const MAX_ENDPOINT_LENGTH = 1000
const POINT_BYTES = 65
const AUTH_BYTES = 16
const BASE64URL = /^[\w-]+={0,2}$/
/** Long enough that no two endpoints share it: watches are found by it. */
const FINGERPRINT_LENGTH = 16

/**
 * Reads what `PushSubscription.toJSON()` gives in a browser. The endpoint's address is checked
 * elsewhere, by the guard.
 */
export function parseSubscription(given: unknown): BrowserSubscription | SubscriptionFault {
  const fault = (pointer: string, message: string) => ({ pointer, message })
  if (!isObject(given)) return fault('', 'must be the subscription of a browser, as PushSubscription.toJSON() gives it')
  const unknown = Object.keys(given).find((name) => !['endpoint', 'keys', 'expirationTime'].includes(name))
  if (unknown !== undefined) return fault('', 'has an unknown member; known are endpoint, keys, expirationTime')
  const { endpoint, keys } = given
  if (typeof endpoint !== 'string' || endpoint === '' || endpoint.length > MAX_ENDPOINT_LENGTH)
    return fault('/endpoint', `must be a URL of up to ${MAX_ENDPOINT_LENGTH} characters`)
  if (!isObject(keys)) return fault('/keys', 'must be an object with p256dh and auth')
  const { p256dh, auth } = keys
  if (!isPoint(p256dh)) return fault('/keys/p256dh', 'must be a point on the curve P-256: 65 bytes in base64url')
  if (typeof auth !== 'string' || !BASE64URL.test(auth) || bytesOf(auth).length !== AUTH_BYTES)
    return fault('/keys/auth', 'must be 16 bytes in base64url')
  return { endpoint, p256dh, auth }
}

/** The text that is stored as the secret of the watch. */
export function subscriptionText(
  { endpoint, p256dh, auth }: BrowserSubscription,
  language: Language = DEFAULT_LANGUAGE,
): string {
  return JSON.stringify({ endpoint, keys: { p256dh, auth }, language })
}

/**
 * Null if the text is none: the secret of the watch was lost. What else is stored beside it is not
 * read.
 */
export function subscriptionOf(text: string): BrowserSubscription | null {
  try {
    const { endpoint, keys } = JSON.parse(text) as Record<string, unknown>
    const parsed = parseSubscription({ endpoint, keys })
    return 'pointer' in parsed ? null : parsed
  } catch {
    return null
  }
}

/** What is shown of the endpoint, which is a secret; the watches of a browser are found by it. */
export function shownEndpoint(endpoint: string): string {
  const { href, origin } = new URL(endpoint)
  const fingerprint = createHash('sha256').update(href).digest('hex').slice(0, FINGERPRINT_LENGTH)
  return `${origin}/***${fingerprint}`
}

export function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url')
}

function isPoint(text: unknown): text is string {
  if (typeof text !== 'string' || !BASE64URL.test(text)) return false
  const bytes = bytesOf(text)
  if (bytes.length !== POINT_BYTES || bytes[0] !== 4) return false
  try {
    // Throws for a point that is not on the curve, which would give away our side of the secret.
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}
