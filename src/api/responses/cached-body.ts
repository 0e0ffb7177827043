import { hash } from 'node:crypto'
import type { PooledBuffer } from '../../lib/buffer-pool.ts'
import { compress, type Encoding, inTurn } from '../requests/encoding.ts'
import { compressStamped, type StampedBytes, withStamp, writeStamp } from './stamped-bytes.ts'

type Compressed = Exclude<Encoding, 'identity'>

/**
 * A body with its ETag. Each compressed form is made once, when first needed. The body may contain
 * a time that changes while it is cached (`stampAt`, its position): the ETag does not depend on it,
 * and the first one is written into the given bytes.
 */
export class CachedBody {
  readonly etag: string
  #plain: StampedBytes | Buffer
  #stamp: string | null = null
  readonly #pooled: PooledBuffer | null
  readonly #compressed = new Map<Compressed, StampedBytes | Uint8Array | Promise<Uint8Array>>()

  /** `body` may be from a pool: then this holds it until `release`. */
  constructor(body: Buffer | PooledBuffer, etag?: string, stampAt: number | null = null) {
    this.#pooled = 'hold' in body ? body : null
    const bytes = 'hold' in body ? body.bytes : body
    this.#plain = stampAt === null ? bytes : { bytes, stampAt, checksum: null }
    this.etag = etag ?? etagOf(bytes)
  }

  get body(): Buffer {
    return bytesOf(this.#plain) as Buffer
  }

  /** Keeps the body from being reused until `release`; for whoever sends it. */
  hold(): void {
    this.#pooled?.hold()
  }

  release(): void {
    this.#pooled?.release()
  }

  /** Whether the body must be held while it is sent. */
  get isPooled(): boolean {
    return this.#pooled !== null
  }

  /**
   * Memory in bytes, with those of the compressed forms that may yet be made: text shrinks to less
   * than half, and there are two.
   */
  get size(): number {
    return (this.#pooled?.size ?? this.body.length) + this.body.length + this.etag.length
  }

  /**
   * Writes the time into every form; call it before sending. Without a position it does nothing.
   */
  stamp(stamp: string): void {
    if (stamp === this.#stamp || !isStamped(this.#plain)) return
    // Nobody has the bytes before the first time: most lists that are asked for once need no copy.
    if (this.#stamp === null) writeStamp(this.#plain, stamp)
    else this.#plain = withStamp(this.#plain, stamp)
    this.#stamp = stamp
    for (const [encoding, form] of this.#compressed)
      if (isStamped(form)) this.#compressed.set(encoding, withStamp(form, stamp))
  }

  /** Returns bytes, no promise, if compressed before. Concurrent calls share one compression. */
  encodedAs(encoding: Encoding): Uint8Array | Promise<Uint8Array> {
    if (encoding === 'identity') return this.body
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return known instanceof Promise ? known : bytesOf(known)
    const compressing = this.#compress(encoding)
    this.#compressed.set(encoding, compressing)
    compressing.catch(() => this.#compressed.delete(encoding))
    return compressing
  }

  async #compress(encoding: Compressed): Promise<Uint8Array> {
    this.hold()
    try {
      return await this.#compressHeld(encoding)
    } finally {
      this.release()
    }
  }

  async #compressHeld(encoding: Compressed): Promise<Uint8Array> {
    const plain = this.#plain
    if (!isStamped(plain)) {
      const bytes = await compress(plain, encoding)
      this.#compressed.set(encoding, bytes)
      return bytes
    }
    const compressed = await inTurn(() => compressStamped(plain.bytes, plain.stampAt, encoding))
    // The time may have changed in the meantime.
    if (this.#stamp !== null) writeStamp(compressed, this.#stamp)
    this.#compressed.set(encoding, compressed)
    return compressed.bytes
  }
}

function isStamped(form: StampedBytes | Uint8Array | Promise<Uint8Array>): form is StampedBytes {
  return 'stampAt' in form
}

function bytesOf(form: StampedBytes | Uint8Array): Uint8Array {
  return isStamped(form) ? form.bytes : form
}

/** Weak, because the bytes differ by encoding. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${hashOf(content)}"`
}

/** Identifies content; a gigabyte takes about a second. */
export function hashOf(content: string | Uint8Array): string {
  return hash('sha1', content, 'base64url')
}
