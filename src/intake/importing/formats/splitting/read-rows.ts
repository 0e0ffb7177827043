import { type Open, type ParsedRow, type Position, type Row, UnreadableFile } from '../format.ts'

/** One row as it stands in the file; with a fault where it could not even be cut out properly. */
export interface RawRow extends Position {
  readonly text: string
  readonly fault: string | null
}

/** Cuts bytes into pieces. The pieces are the same however the bytes come. */
export interface RowSplitter<P extends RawRow> {
  push(bytes: Uint8Array): Iterable<P>
  end(): Iterable<P>
}

const MARK = [0xef, 0xbb, 0xbf]
const OTHER_KINDS = [
  { begins: [0x1f, 0x8b], message: 'the file is compressed with gzip: unpack it first' },
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    message: 'the file is a ZIP archive or a spreadsheet: unpack it, or save it as CSV',
  },
  { begins: [0xff, 0xfe], message: 'the file is in UTF-16: save it as UTF-8' },
  { begins: [0xfe, 0xff], message: 'the file is in UTF-16: save it as UTF-8' },
] as const
const HEAD = 4

/** Reads the file from an offset on. `parseRow` gives null for a piece that is no row, such as a header. */
export async function* readRows<P extends RawRow>(
  open: Open,
  offset: number,
  splitterAt: (offset: number) => RowSplitter<P>,
  parseRow: (piece: P) => ParsedRow | null,
): AsyncGenerator<Row> {
  let splitter: RowSplitter<P> | null = offset === 0 ? null : splitterAt(offset)
  let head: Buffer = Buffer.alloc(0)
  const begin = (): Iterable<P> => {
    const begun = splitterAt(markIn(head))
    splitter = begun
    return begun.push(head.subarray(markIn(head)))
  }
  for await (const chunk of open(offset)) {
    let pieces: Iterable<P>
    if (splitter === null) {
      head = Buffer.concat([head, chunk])
      if (head.length < HEAD) continue
      pieces = begin()
    } else {
      pieces = splitter.push(chunk)
    }
    for (const piece of pieces) {
      const row = rowOf(piece, parseRow)
      if (row !== null) yield row
    }
  }
  if (splitter === null) {
    if (head.length === 0) throw new UnreadableFile('the file is empty')
    for (const piece of begin()) {
      const row = rowOf(piece, parseRow)
      if (row !== null) yield row
    }
  }
  for (const piece of splitter!.end()) {
    const row = rowOf(piece, parseRow)
    if (row !== null) yield row
  }
}

/** The length of the byte order mark. */
function markIn(head: Buffer): number {
  const begins = (bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte)
  for (const { begins: bytes, message } of OTHER_KINDS) if (begins(bytes)) throw new UnreadableFile(message)
  return begins(MARK) ? MARK.length : 0
}

function rowOf<P extends RawRow>(piece: P, parseRow: (piece: P) => ParsedRow | null): Row | null {
  const { row, offset, within, text, fault } = piece
  const position = within === undefined ? { row, offset } : { row, offset, within }
  if (fault !== null) return { ...position, kind: 'rejected', reason: fault, text }
  const meaning = parseRow(piece)
  if (meaning === null) return null
  return { ...position, ...meaning, text }
}
