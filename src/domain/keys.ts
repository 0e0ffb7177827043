import { crc32 } from 'node:zlib'

/** `operate` stands for `report`, `review` and `admin`. */
export const SCOPES = ['read', 'watch', 'report', 'review', 'admin', 'operate'] as const
export type Scope = (typeof SCOPES)[number]

export const KEY_KINDS = { live: 'inf_live_', publishable: 'inf_pub_' } as const
export type KeyKind = keyof typeof KEY_KINDS

/** `session` stands for a browser in which somebody has signed in. */
type CredentialKind = KeyKind | 'session'

/** An API key: its owner and rights. The key is shown once; only its SHA-256 is stored. */
export interface Key {
  readonly id: string
  readonly accountId: string
  readonly kind: CredentialKind
  readonly name: string | null
  readonly hash: string
  /** The last four characters, by which the owner tells keys apart. */
  readonly hint: string
  readonly scopes: readonly Scope[]
  /** The origins from which a publishable key may be used; empty means any. */
  readonly origins: readonly string[]
  /** Requests per minute and address of a publishable key; null means the service's default. */
  readonly ratePerMinute: number | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** True if the key is, or was, the setting OPERATOR_KEY. */
  readonly fromEnvironment: boolean
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 30
const CHECKSUM_CHARACTERS = 6
const KEY_SHAPE = new RegExp(`^inf_(?:live|pub)_[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`)

export function generateKey(kind: KeyKind, randomBytes: (size: number) => Uint8Array): string {
  const body = KEY_KINDS[kind] + randomBase62(randomBytes)
  return body + checksum(body)
}

function randomBase62(randomBytes: (size: number) => Uint8Array): string {
  let text = ''
  while (text.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS * 2)) {
      // 248 = 4 × 62: higher bytes would make the first characters more likely.
      if (byte < 248 && text.length < RANDOM_CHARACTERS) text += BASE62[byte % 62]
    }
  }
  return text
}

function checksum(body: string): string {
  let text = ''
  for (let rest = crc32(body), place = 0; place < CHECKSUM_CHARACTERS; place++, rest = Math.floor(rest / 62)) {
    text = BASE62[rest % 62] + text
  }
  return text
}

/** `mistyped`: it looks like a key of this service, but its checksum is wrong. */
type ParsedKey = { kind: KeyKind } | { problem: 'malformed' | 'mistyped' }

export function parseKey(text: string): ParsedKey {
  const kind = text.startsWith(KEY_KINDS.publishable) ? 'publishable' : 'live'
  if (!text.startsWith(KEY_KINDS[kind])) return { problem: 'malformed' }
  if (!KEY_SHAPE.test(text)) return { problem: 'mistyped' }
  const body = text.slice(0, -CHECKSUM_CHARACTERS)
  return checksum(body) === text.slice(-CHECKSUM_CHARACTERS) ? { kind } : { problem: 'mistyped' }
}

/** A revocation time in the future counts: the revoking node's clock may be ahead. */
export function keyState(key: Key, now: number): 'valid' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired'
  return 'valid'
}

/** The host with its scheme: no path, credentials, blanks or backslashes. */
const ORIGIN_SHAPE = /^https?:\/\/[^\s/\\?#@*]+\/?$/i

/**
 * Writes an origin as browsers send it: lower case, punycode, no default port, no trailing slash.
 * Null if the text is not an origin.
 */
export function normaliseOrigin(text: string): string | null {
  if (!ORIGIN_SHAPE.test(text) || !URL.canParse(text)) return null
  const { origin, hostname } = new URL(text)
  return hostname === '' || hostname.endsWith('.') ? null : origin
}
