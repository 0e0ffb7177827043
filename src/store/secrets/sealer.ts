import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { BoundedCache } from '../../lib/bounded-cache.ts'

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

/** Returns the id of the key that encrypted the text; null if it is not encrypted. */
export function keyIdOf(text: string): string | null {
  return SEALED.exec(text)?.[1] ?? null
}

/** Encrypts secrets, each bound to its watch: copied to another watch, it cannot be read. */
export class Sealer {
  readonly keys: SecretKeys
  readonly #opened = new BoundedCache<string, { readonly watchId: string; readonly secret: string }>(CACHED_SECRETS)

  constructor(keys: SecretKeys) {
    this.keys = keys
  }

  seal(secret: string, watchId: string): string {
    const { id, bytes } = this.keys.current
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, bytes, nonce).setAAD(Buffer.from(watchId))
    const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return `v1.${id}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`
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
    const key = this.keys.find(keyId)
    if (key === undefined)
      throw new SecretUnreadable(`The secret of ${watchId} is encrypted with the key ${keyId}, which SECRETS_KEY lacks`)
    const decipher = createDecipheriv(ALGORITHM, key.bytes, payload.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(watchId)).setAuthTag(payload.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    try {
      return decipher.update(payload.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch (error) {
      throw new SecretUnreadable(`The secret of ${watchId} was changed, or belongs to another watch`, { cause: error })
    }
  }
}

export interface SecretKey {
  /** Stored with everything the key encrypts, so that a wrong key is recognised as such. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** The first key encrypts; all of them decrypt. */
export class SecretKeys {
  readonly current: SecretKey
  readonly #byId: ReadonlyMap<string, SecretKey>

  constructor(keys: readonly Uint8Array[]) {
    const [current, ...older] = keys.map((bytes) => ({ id: idOf(bytes), bytes }))
    if (current === undefined) throw new TypeError('no key was given')
    this.current = current
    this.#byId = new Map([...older, current].map((key) => [key.id, key]))
  }

  find(id: string): SecretKey | undefined {
    return this.#byId.get(id)
  }
}

/** Of a hash with its own prefix: says nothing about the key. */
function idOf(bytes: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from('incident-feed secrets key '), bytes]), 'hex').slice(0, 12)
}
