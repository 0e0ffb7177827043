import { hash } from 'node:crypto'
import { compress, type Encoding } from '../requests/encoding.ts'

/** An answer's bytes, with what names them and their compressed forms, each made once when first asked for. */
export class CachedBody {
  readonly body: Buffer
  readonly etag: string
  readonly #compressed = new Map<Encoding, Uint8Array | Promise<Uint8Array>>()

  constructor(body: Buffer, etag = etagOf(body)) {
    this.body = body
    this.etag = etag
  }

  /** At once where it was compressed before; many who ask together wait for one compression. */
  as(encoding: Encoding): Uint8Array | Promise<Uint8Array> {
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

/** Names an answer. Weak: the same answer has other bytes under another encoding. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${hash('sha1', content, 'base64url')}"`
}
