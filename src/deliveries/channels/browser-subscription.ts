import { createHash, ECDH } from 'node:crypto'
import { DEFAULT_LANGUAGE, type Language } from '../../domain/languages.ts'

/** The address of a browser, and the keys that only it can read notifications with. A secret. */
export interface BrowserSubscription {
  readonly endpoint: string
  /** The browser's public key and its authentication secret, in base64url. */
  readonly p256dh: string
  readonly auth: string
}

interface SubscriptionFault {
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

/** Reads `PushSubscription.toJSON()`. The guard checks the endpoint's address. */
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

/** Null if the secret of the watch was lost. Ignores what else is stored beside it. */
export function subscriptionOf(text: string): BrowserSubscription | null {
  try {
    const { endpoint, keys } = JSON.parse(text) as Record<string, unknown>
    const parsed = parseSubscription({ endpoint, keys })
    return 'pointer' in parsed ? null : parsed
  } catch {
    return null
  }
}

/** Shown instead of the endpoint, which is a secret; a browser's watches are found by it. */
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

/** Stored beside the browser's subscription for an alert without an account. */
interface BrowserAlert {
  /** The random part of its link: whoever has it can end the alert. */
  readonly key: string
  /** The area in the reader's words: a watch without an account has no name. */
  readonly label: string
}

interface StoredTarget {
  readonly language?: Language
  readonly alert?: BrowserAlert
}

/** The text that is stored as the secret of the watch of an alert. */
export function browserAlertText(subscription: BrowserSubscription, language: Language, alert: BrowserAlert): string {
  return withSubscription(JSON.stringify({ language, alert } satisfies StoredTarget), subscription)
}

/** Null for a watch of an account. */
export function browserAlertOf(target: string): BrowserAlert | null {
  return storedTarget(target).alert ?? null
}

/** The same target for another subscription: what else is stored stays. */
export function withSubscription(target: string, subscription: BrowserSubscription): string {
  const { endpoint, keys } = JSON.parse(subscriptionText(subscription)) as Record<string, unknown>
  return JSON.stringify({ ...storedTarget(target), endpoint, keys })
}

/** Empty if the secret of the watch was lost, and another put in its place. */
function storedTarget(text: string): StoredTarget {
  return text.startsWith('{') ? (JSON.parse(text) as StoredTarget) : {}
}

/** The hosts of the push services of Chrome and most others, Firefox, Safari and Edge. */
const PUSH_SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^([\w-]+\.)*push\.services\.mozilla\.com$/,
  /^([\w-]+\.)*push\.apple\.com$/,
  /^([\w-]+\.)*notify\.windows\.com$/,
]

type EndpointHost = 'push service' | 'allowed' | 'other'

/**
 * Says whose host an endpoint has. People without an account may name only push services, and the
 * hosts that the operator allows: to others, a stranger could have messages sent as to a webhook.
 */
export function hostOfEndpoint(text: string, furtherHosts: readonly string[]): EndpointHost {
  const url = URL.parse(text)
  if (url === null) return 'other'
  const { protocol, hostname, host, port, username, password } = url
  if (furtherHosts.includes(hostname) || furtherHosts.includes(host)) return 'allowed'
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === ''
  return isPlain && PUSH_SERVICES.some((known) => known.test(hostname)) ? 'push service' : 'other'
}
