import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { type BrowserSubscription, bytesOf } from './subscription.ts'

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

/** Made for one message. Given in tests of known answers. */
export interface MessageKeys {
  readonly salt: Uint8Array
  readonly privateKey: Uint8Array
}

/**
 * Encrypts a message for a browser: RFC 8291, content coding `aes128gcm`. Only the browser can read
 * it, not the push service that carries it.
 */
export function encryptMessage(
  plaintext: Uint8Array,
  { p256dh, auth }: BrowserSubscription,
  given: MessageKeys | null = null,
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
