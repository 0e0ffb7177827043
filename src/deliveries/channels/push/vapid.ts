import { createECDH, createPrivateKey, sign } from 'node:crypto'
import type { VapidKeys } from '../../../domain/channel.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { bytesOf } from './subscription.ts'

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

/**
 * The header `Authorization` of a message to the endpoint. `contact` is a `mailto:` or `https:`
 * address.
 */
export function vapidAuthorization(endpoint: string, keys: VapidKeys, contact: string, now: number): string {
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
  readonly publicKey: string
  readonly #keys: VapidKeys
  readonly #contact: () => string
  readonly #signed = new BoundedCache<string, { readonly text: string; readonly at: number }>(MAX_ORIGINS)

  constructor(keys: VapidKeys, contact: () => string) {
    this.publicKey = keys.publicKey
    this.#keys = keys
    this.#contact = contact
  }

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
