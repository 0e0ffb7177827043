import { decode, MAX_ROW_BYTES, sampleOf } from './decode.ts'
import type { RawRow, RowSplitter } from './read-rows.ts'

const LF = 10
const CR = 13
export const TOO_LONG = `the row is longer than ${MAX_ROW_BYTES / 1_000_000} MB`

/** Lines end with LF, CRLF or CR. Empty lines are skipped, but counted as in an editor. */
export class LineSplitter implements RowSplitter<RawRow> {
  #rest: Buffer = Buffer.alloc(0)
  /** File offset of the first byte of `#rest`. */
  #offset: number
  #row: number
  /** The beginning of a line that is too long, whose remainder is skipped. */
  #skipped: string | null = null

  constructor(offset: number, row: number) {
    this.#offset = offset
    this.#row = row
  }

  *push(bytes: Uint8Array): Generator<RawRow> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const buffer = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    let lf = buffer.indexOf(LF)
    let cr = buffer.indexOf(CR)
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
      // A CR at the end of the chunk may be the first half of a CRLF.
      if (end === cr && end === buffer.length - 1) break
      const next = end === cr && lf === end + 1 ? end + 2 : end + 1
      const row = this.#line(buffer.subarray(at, end), this.#offset + next)
      if (row !== null) yield row
      at = next
      if (lf !== -1 && lf < at) lf = buffer.indexOf(LF, at)
      if (cr !== -1 && cr < at) cr = buffer.indexOf(CR, at)
    }
    this.#keep(buffer.subarray(at), this.#offset + at)
  }

  *end(): Generator<RawRow> {
    const ended = this.#rest.at(-1) === CR
    if (this.#rest.length === 0 && this.#skipped === null) return
    const line = this.#rest.subarray(0, this.#rest.length - (ended ? 1 : 0))
    const row = this.#line(line, this.#offset + this.#rest.length)
    if (row !== null) yield row
  }

  #keep(rest: Buffer, offset: number): void {
    const ended = rest.at(-1) === CR ? 1 : 0
    if (this.#skipped === null && rest.length - ended > MAX_ROW_BYTES) this.#skipped = sampleOf(rest)
    const dropped = this.#skipped === null ? 0 : rest.length - ended
    // Copied, because a view would keep the whole chunk in memory.
    this.#rest = Buffer.from(rest.subarray(dropped))
    this.#offset = offset + dropped
  }

  #line(bytes: Buffer, offset: number): RawRow | null {
    const row = ++this.#row
    if (this.#skipped !== null || bytes.length > MAX_ROW_BYTES) {
      const text = this.#skipped ?? sampleOf(bytes)
      this.#skipped = null
      return { row, offset, text, fault: TOO_LONG }
    }
    const text = decode(bytes)
    return text.trim() === '' ? null : { row, offset, text, fault: null }
  }
}
