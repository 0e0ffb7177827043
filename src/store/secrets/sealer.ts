import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import type { WatchSecret } from '../../domain/watch.ts'
import type { HeaderChange, WatchHeader } from '../../domain/watch-headers.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { randomBytes } from '../../lib/runtime.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SEALED = /^v1\.([0-9a-f]{12})\.([\w-]+)$/
/** Every message needs its watch's secrets; most go to few watches. */
const CACHED_SECRETS = 50_000

/** A secret was encrypted with a key that this process does not have, or for another watch. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
}

/**
 * The id is stored with everything the key encrypts, so that a wrong key is recognised as such. It
 * comes from a hash with its own prefix, and says nothing about the key.
 */
export function idOfKey(key: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from('incident-feed secrets key '), key]), 'hex').slice(0, 12)
}

/** Returns the id of the key that encrypted the text; null if it is not encrypted. */
export function keyIdOf(text: string): string | null {
  return SEALED.exec(text)?.[1] ?? null
}

/** Encrypts secrets, each bound to its watch: copied to another watch, it cannot be read. */
export class Sealer {
  readonly currentId: string
  readonly #keys: ReadonlyMap<string, Uint8Array>
  readonly #opened = new BoundedCache<string, { readonly watchId: string; readonly secret: string }>(CACHED_SECRETS)

  /** The first key encrypts; all of them decrypt. */
  constructor(keys: readonly Uint8Array[]) {
    if (keys.length === 0) throw new TypeError('no key was given')
    this.currentId = idOfKey(keys[0]!)
    this.#keys = new Map(keys.map((key) => [idOfKey(key), key]))
  }

  hasKey(id: string): boolean {
    return this.#keys.has(id)
  }

  seal(secret: string, watchId: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#keys.get(this.currentId)!, nonce).setAAD(Buffer.from(watchId))
    const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return `v1.${this.currentId}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`
  }

  /** A text that is not encrypted is returned as it is: it was stored before secrets were. */
  open(sealed: string, watchId: string): string {
    const cached = this.#opened.get(sealed)
    if (cached?.watchId === watchId) return cached.secret
    const [, keyId, payload] = SEALED.exec(sealed) ?? []
    if (keyId === undefined || payload === undefined) return sealed
    const secret = this.#decrypt(keyId, Buffer.from(payload, 'base64url'), watchId)
    this.#opened.set(sealed, { watchId, secret })
    return secret
  }

  #decrypt(keyId: string, payload: Buffer, watchId: string): string {
    const key = this.#keys.get(keyId)
    if (key === undefined)
      throw new SecretUnreadable(`The secret of ${watchId} is encrypted with the key ${keyId}, which SECRETS_KEY lacks`)
    const decipher = createDecipheriv(ALGORITHM, key, payload.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(watchId)).setAuthTag(payload.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    try {
      return decipher.update(payload.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch (error) {
      throw new SecretUnreadable(`The secret of ${watchId} was changed, or belongs to another watch`, { cause: error })
    }
  }

  sealSecrets(secrets: readonly WatchSecret[], watchId: string): WatchSecret[] {
    return secrets.map(({ secret, expiresAt }) => ({ secret: this.seal(secret, watchId), expiresAt }))
  }

  openSecrets(secrets: readonly WatchSecret[], watchId: string): WatchSecret[] {
    return secrets.map(({ secret, expiresAt }) => ({ secret: this.open(secret, watchId), expiresAt }))
  }

  /** Each value is bound to its watch and name: one cannot be stored as another. */
  sealHeaders<Header extends HeaderChange>(headers: readonly Header[], watchId: string): Header[] {
    return headers.map((header) => {
      const { name, value } = header
      return value === null ? header : { ...header, value: this.seal(value, boundTo(watchId, name)) }
    })
  }

  openHeaders(headers: readonly WatchHeader[], watchId: string): readonly WatchHeader[] {
    if (headers.length === 0) return headers
    return headers.map(({ name, value }) => ({ name, value: this.open(value, boundTo(watchId, name)) }))
  }
}

/** In lower case: the owner may change the case of a name and keep its value. */
function boundTo(watchId: string, name: string): string {
  return `${watchId} header ${name.toLowerCase()}`
}
