import { hash } from 'node:crypto'
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
  readonly #compressed = new Map<Compressed, StampedBytes | Uint8Array | Promise<Uint8Array>>()

  constructor(body: Buffer, etag = etagOf(body), stampAt: number | null = null) {
    this.#plain = stampAt === null ? body : { bytes: body, stampAt, checksum: null }
    this.etag = etag
  }

  get body(): Buffer {
    return bytesOf(this.#plain) as Buffer
  }

  /**
   * Memory in bytes, with those of the compressed forms that may yet be made: text shrinks to less
   * than half, and there are two.
   */
  get size(): number {
    return 2 * this.body.length + this.etag.length
  }

  /** Writes the time into every form; call it before sending. Without a position it does nothing. */
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
