import { hash } from 'node:crypto'
import { compress, type Encoding } from '../requests/encoding.ts'

/** A body with its ETag. Each compressed form is made once, when first needed. */
export class CachedBody {
  readonly body: Buffer
  readonly etag: string
  readonly #compressed = new Map<Encoding, Uint8Array | Promise<Uint8Array>>()

  constructor(body: Buffer, etag = etagOf(body)) {
    this.body = body
    this.etag = etag
  }

  /** Returns bytes, no promise, if compressed before. Concurrent calls share one compression. */
  encodedAs(encoding: Encoding): Uint8Array | Promise<Uint8Array> {
    if (encoding === 'identity') return this.body
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return known
    const compressing = compress(this.body, encoding)
    this.#compressed.set(encoding, compressing)
    compressing.then(
      (bytes) => this.#compressed.set(encoding, bytes),
      () => this.#compressed.delete(encoding),
    )
    return compressing
  }
}

/** Weak, because the bytes differ by encoding. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${hash('sha1', content, 'base64url')}"`
}
