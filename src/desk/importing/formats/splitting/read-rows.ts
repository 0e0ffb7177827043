import { type Open, type ParsedRow, type Position, type RejectedRow, UnreadableFile } from '../format.ts'

/** As it is in the file; with a fault if its boundaries could not be determined. */
export interface RawRow extends Position {
  readonly text: string
  readonly fault: string | null
}

/** The rows do not depend on the chunk boundaries. */
export interface RowSplitter<P extends RawRow> {
  push(bytes: Uint8Array): Iterable<P>
  end(): Iterable<P>
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const UNSUPPORTED_FILES = [
  { begins: [0x1f, 0x8b], message: 'the file is compressed with gzip: unpack it first' },
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    message: 'the file is a ZIP archive or a spreadsheet: unpack it, or save it as CSV',
  },
  { begins: [0xff, 0xfe], message: 'the file is in UTF-16: save it as UTF-8' },
  { begins: [0xfe, 0xff], message: 'the file is in UTF-16: save it as UTF-8' },
] as const
const SIGNATURE_BYTES = 4

type ReadRow<Parsed> = Position & { readonly text: string } & (Parsed | RejectedRow)

/** Reads rows from an offset on. `parseRow` returns null to skip a row, such as a header. */
export async function* readRows<P extends RawRow, Parsed extends object = ParsedRow>(
  open: Open,
  offset: number,
  splitterAt: (offset: number) => RowSplitter<P>,
  parseRow: (rawRow: P) => Parsed | null,
): AsyncGenerator<ReadRow<Parsed>> {
  let splitter: RowSplitter<P> | null = offset === 0 ? null : splitterAt(offset)
  let head: Buffer = Buffer.alloc(0)
  const begin = (): Iterable<P> => {
    const begun = splitterAt(byteOrderMarkLength(head))
    splitter = begun
    return begun.push(head.subarray(byteOrderMarkLength(head)))
  }
  for await (const chunk of open(offset)) {
    let rawRows: Iterable<P>
    if (splitter === null) {
      head = Buffer.concat([head, chunk])
      if (head.length < SIGNATURE_BYTES) continue
      rawRows = begin()
    } else {
      rawRows = splitter.push(chunk)
    }
    for (const rawRow of rawRows) {
      const row = rowOf(rawRow, parseRow)
      if (row !== null) yield row
    }
  }
  if (splitter === null) {
    if (head.length === 0) throw new UnreadableFile('the file is empty')
    for (const rawRow of begin()) {
      const row = rowOf(rawRow, parseRow)
      if (row !== null) yield row
    }
  }
  for (const rawRow of splitter!.end()) {
    const row = rowOf(rawRow, parseRow)
    if (row !== null) yield row
  }
}

/** Throws if the type of the file is not supported. */
function byteOrderMarkLength(head: Buffer): number {
  const begins = (bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte)
  for (const { begins: bytes, message } of UNSUPPORTED_FILES) if (begins(bytes)) throw new UnreadableFile(message)
  return begins(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
}

function rowOf<P extends RawRow, Parsed extends object>(
  rawRow: P,
  parseRow: (rawRow: P) => Parsed | null,
): ReadRow<Parsed> | null {
  const { row, offset, within, text, fault } = rawRow
  const position = within === undefined ? { row, offset } : { row, offset, within }
  if (fault !== null) return { ...position, kind: 'rejected', reason: fault, text }
  const parsed = parseRow(rawRow)
  if (parsed === null) return null
  return { ...position, ...parsed, text }
}
