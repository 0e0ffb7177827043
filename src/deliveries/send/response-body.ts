/** Bytes read before the connection is closed. */
const MAX_READ_BYTES = 64 * 1024
const MAX_KEPT_BYTES = 1024

const NOTHING = Buffer.alloc(0)

/** Keeps the start of a response body, for the watch's owner. */
export class ResponseBodyStart {
  #readBytes = 0
  #kept = NOTHING

  /** Returns false once nothing more should be read. */
  addChunk(chunk: Buffer): boolean {
    if (this.#kept.length < MAX_KEPT_BYTES) {
      this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, MAX_KEPT_BYTES - this.#kept.length)])
    }
    this.#readBytes += chunk.length
    return this.#readBytes < MAX_READ_BYTES
  }

  /**
   * Replaces invalid UTF-8 and control characters by U+FFFD, because not every database can store
   * them. Drops a character that the limit cuts in two.
   */
  text(): string {
    if (this.#kept.length === 0) return ''
    const text = new TextDecoder().decode(this.#kept, { stream: this.#kept.length === MAX_KEPT_BYTES })
    return text.replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
  }
}
