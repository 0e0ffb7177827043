import { decode, LONGEST_ROW, sampleOf } from './decode.ts'
import type { RawRow, RowSplitter } from './read-rows.ts'

const LF = 10
const CR = 13
export const TOO_LONG = `the row is longer than ${LONGEST_ROW / 1_000_000} MB`

/** Physical lines, ended by LF, CRLF or CR. Empty ones are counted, as an editor counts them, and left out. */
export class LineSplitter implements RowSplitter<RawRow> {
  #rest: Buffer = Buffer.alloc(0)
  /** The offset of the rest's first byte. */
  #offset: number
  #row: number
  /** The beginning of a line that is too long, of which the remainder is being passed over. */
  #passedOver: string | null = null

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
      // After a CR at the very end of the chunk an LF may follow: the two are one line's end.
      if (end === cr && end === buffer.length - 1) break
      const next = end === cr && lf === end + 1 ? end + 2 : end + 1
      const piece = this.#line(buffer.subarray(at, end), this.#offset + next)
      if (piece !== null) yield piece
      at = next
      if (lf !== -1 && lf < at) lf = buffer.indexOf(LF, at)
      if (cr !== -1 && cr < at) cr = buffer.indexOf(CR, at)
    }
    this.#keep(buffer.subarray(at), this.#offset + at)
  }

  *end(): Generator<RawRow> {
    const ended = this.#rest.at(-1) === CR
    if (this.#rest.length === 0 && this.#passedOver === null) return
    const line = this.#rest.subarray(0, this.#rest.length - (ended ? 1 : 0))
    const piece = this.#line(line, this.#offset + this.#rest.length)
    if (piece !== null) yield piece
  }

  #keep(rest: Buffer, offset: number): void {
    const ended = rest.at(-1) === CR ? 1 : 0
    if (this.#passedOver === null && rest.length - ended > LONGEST_ROW) this.#passedOver = sampleOf(rest)
    const dropped = this.#passedOver === null ? 0 : rest.length - ended
    // A copy: what is left of a chunk must not hold on to the whole of it.
    this.#rest = Buffer.from(rest.subarray(dropped))
    this.#offset = offset + dropped
  }

  #line(bytes: Buffer, offset: number): RawRow | null {
    const row = ++this.#row
    if (this.#passedOver !== null || bytes.length > LONGEST_ROW) {
      const text = this.#passedOver ?? sampleOf(bytes)
      this.#passedOver = null
      return { row, offset, text, fault: TOO_LONG }
    }
    const text = decode(bytes)
    return text.trim() === '' ? null : { row, offset, text, fault: null }
  }
}
