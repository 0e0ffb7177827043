import { createCipheriv, createECDH, createHmac, createPrivateKey, hkdfSync, sign } from 'node:crypto'
import type { VapidKeys } from '../../domain/watch.ts'
import { CAP_EXPIRY_HOURS } from '../../formats/cap.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { randomBytes } from '../../lib/runtime.ts'
import { type Alert, cut } from './alert.ts'
import { type BrowserSubscription, bytesOf, subscriptionOf } from './browser-subscription.ts'

/** Push services take 4,096 bytes, encrypted; some carriers less. */
export const MAX_PAYLOAD_BYTES = 3000
/** Characters of each text, tried from the longest: the first that fits is sent. */
const TEXT_LENGTHS = [1200, 600, 300, 150, 60, 20] as const

const DAY_S = 24 * 3600
/** A push service keeps the message this long for a browser that is off; at most 28 days. */
const LIFETIMES = { new: CAP_EXPIRY_HOURS * 3600, corrected: 28 * DAY_S, retracted: 28 * DAY_S } as const

/** Whether a sleeping device is woken for it. */
const URGENCIES = { low: 'low', medium: 'normal', high: 'high', critical: 'high' } as const

/** Buttons below the notification, in browsers that show such; they open pages of this service. */
type NotificationActions = readonly { readonly action: string; readonly title: string; readonly navigate: string }[]

/**
 * The notification, in the form of declarative web push: Safari shows it by itself, other browsers
 * hand it to the service worker. One incident has one notification: a later one replaces it.
 */
export function webPushBody(alert: Alert, actions: NotificationActions = []) {
  for (const length of TEXT_LENGTHS) {
    const body = bodyOf(alert, length, actions)
    if (Buffer.byteLength(JSON.stringify(body)) <= MAX_PAYLOAD_BYTES) return body
  }
  throw new RangeError(`the notification of ${alert.link} does not fit into ${MAX_PAYLOAD_BYTES} bytes`)
}

function bodyOf(alert: Alert, length: number, actions: NotificationActions) {
  const { incidentId, language, title, summary, facts, advice, adviceLabel, note, link, footer, kind } = alert
  const texts = [
    summary,
    facts.map(({ label, value }) => `${label}: ${cut(value, length)}`).join('\n'),
    advice === null ? null : `${adviceLabel}: ${advice}`,
    note,
    footer,
  ]
  return {
    web_push: 8030,
    notification: {
      title: cut(title, length),
      body: texts.flatMap((text, index) => (text === null ? [] : [index === 1 ? text : cut(text, length)])).join('\n'),
      lang: language,
      dir: 'ltr',
      tag: incidentId,
      navigate: link,
      data: { kind },
      ...(actions.length === 0 ? {} : { actions }),
    },
  }
}

/** The headers by which a push service treats the message. */
export function webPushHeaders(
  { kind, severity, incidentId, entries }: Alert,
  { auth }: BrowserSubscription,
): Record<string, string> {
  return {
    // A digest may withdraw something.
    ttl: String(entries.length > 0 ? LIFETIMES.retracted : LIFETIMES[kind]),
    urgency: kind === 'retracted' ? 'normal' : URGENCIES[severity],
    // A message that waits is replaced by a later one of the same incident. Hashed with the
    // browser's secret: the push service is not told what its user is warned of.
    topic: createHmac('sha256', bytesOf(auth)).update(incidentId).digest('base64url').slice(0, 32),
  }
}

export type PushSigner = Pick<VapidSigner, 'publicKey' | 'authorization'>

/** The headers that every message to a browser has, whatever it says. */
export const PUSH_HEADERS = { 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' } as const

/** Only the browser can read it (RFC 8291), and only we can have sent it (RFC 8292). */
export function pushRequest(target: string, alert: Alert, body: string, push: PushSigner, now: number) {
  const subscription = subscriptionOf(target)
  if (subscription === null)
    return { fault: 'The subscription of the browser is lost. Turn notifications on in it again.' }
  return encryptedRequest(subscription, body, webPushHeaders(alert, subscription), push, now)
}

/** `headers` say how the push service treats the message. */
export function encryptedRequest(
  subscription: BrowserSubscription,
  body: string,
  headers: Readonly<Record<string, string>>,
  push: PushSigner,
  now: number,
) {
  const { endpoint } = subscription
  return {
    url: endpoint,
    body: encryptMessage(Buffer.from(body), subscription),
    headers: { ...PUSH_HEADERS, ...headers, authorization: push.authorization(endpoint, now) },
  }
}

const SALT_BYTES = 16
const KEY_BYTES = 16
const NONCE_BYTES = 12
/** Marks the last record (RFC 8188); there is only one. */
const LAST_RECORD = Buffer.from([2])
/** Push services must take no more than this many bytes. */
const RECORD_SIZE = 4096
/** The header, the mark of the last record and the authentication tag. */
const OVERHEAD = SALT_BYTES + 4 + 1 + 65 + 1 + 16

export const MAX_PLAINTEXT_BYTES = RECORD_SIZE - OVERHEAD

/**
 * Encrypts a message for a browser: RFC 8291, content coding `aes128gcm`. Only the browser can read
 * it, not the push service that carries it. Keys are given only in tests of known answers.
 */
export function encryptMessage(
  plaintext: Uint8Array,
  { p256dh, auth }: BrowserSubscription,
  given: { readonly salt: Uint8Array; readonly privateKey: Uint8Array } | null = null,
): Buffer {
  if (plaintext.length > MAX_PLAINTEXT_BYTES)
    throw new RangeError(`a message of ${plaintext.length} bytes is longer than ${MAX_PLAINTEXT_BYTES}`)
  const ours = createECDH('prime256v1')
  if (given === null) ours.generateKeys()
  else ours.setPrivateKey(given.privateKey)
  const salt = given?.salt ?? randomBytes(SALT_BYTES)
  const browserKey = bytesOf(p256dh)
  const ourKey = ours.getPublicKey()
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ourKey])
  const shared = hkdf(ours.computeSecret(browserKey), bytesOf(auth), keyInfo, 32)
  const key = hkdf(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES)
  const nonce = hkdf(shared, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const encrypted = [cipher.update(plaintext), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()]
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(RECORD_SIZE)
  sizes.writeUInt8(ourKey.length, 4)
  return Buffer.concat([salt, sizes, ourKey, ...encrypted])
}

function hkdf(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

export function newVapidKeys(): VapidKeys {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    publicKey: pair.getPublicKey('base64url'),
    // OpenSSL may leave out leading zeros; a key in this form has 32 bytes.
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  }
}

/** At most a day is allowed; clocks may differ. */
const LIFETIME_S = 12 * 3600

/** The header `Authorization`. `contact` is a `mailto:` or `https:` address. */
function vapidAuthorization(endpoint: string, keys: VapidKeys, contact: string, now: number): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + LIFETIME_S, sub: contact }
  const content = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(content), { key: signingKey(keys), dsaEncoding: 'ieee-p1363' })
  return `vapid t=${content}.${signature.toString('base64url')}, k=${keys.publicKey}`
}

function signingKey({ publicKey, privateKey }: VapidKeys) {
  const point = bytesOf(publicKey)
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: privateKey } })
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** Push services check a signature faster that they have seen: it is kept for this long. */
const KEPT_MS = 3_600_000
const MAX_ORIGINS = 200

/** Signs messages, once an hour for each push service. */
export class VapidSigner {
  /** Given to browsers when they subscribe, in base64url. */
  readonly publicKey: string
  readonly #keys: VapidKeys
  readonly #contact: () => string
  readonly #signed = new BoundedCache<string, { readonly text: string; readonly at: number }>(MAX_ORIGINS)

  constructor(keys: VapidKeys, contact: () => string) {
    this.publicKey = keys.publicKey
    this.#keys = keys
    this.#contact = contact
  }

  /** The header `Authorization` of a message to the endpoint. */
  authorization(endpoint: string, now: number): string {
    const { origin } = new URL(endpoint)
    const known = this.#signed.get(origin)
    // A clock that was set back must not keep a signature for longer than it counts.
    if (known !== undefined && Math.abs(now - known.at) < KEPT_MS) return known.text
    const text = vapidAuthorization(endpoint, this.#keys, this.#contact(), now)
    this.#signed.set(origin, { text, at: now })
    return text
  }
}
