/** What is read of an answer before the connection is dropped; what it says beyond that changes nothing. */
const MOST_READ_BYTES = 64 * 1024
const KEPT_BYTES = 1024

const NOTHING = Buffer.alloc(0)

/** The beginning of an answer's body, for the watch's owner to look at. */
export class ResponseBodyStart {
  #read = 0
  #kept = NOTHING

  /** Whether more is wanted. */
  addChunk(chunk: Buffer): boolean {
    if (this.#kept.length < KEPT_BYTES) {
      this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, KEPT_BYTES - this.#kept.length)])
    }
    this.#read += chunk.length
    return this.#read < MOST_READ_BYTES
  }

  /** As text that any database can keep: what is no UTF-8, or a control character, is marked. A character cut in two is left out. */
  text(): string {
    if (this.#kept.length === 0) return ''
    const text = new TextDecoder().decode(this.#kept, { stream: this.#kept.length === KEPT_BYTES })
    return text.replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
  }
}
