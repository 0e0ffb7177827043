import { type Format, type Open, type ParsedRow, type ReadOptions, rejected, UnreadableFile } from '../format.ts'
import { readRows } from '../splitting/read-rows.ts'
import { type CsvRecord, RecordSplitter, type TableLayout } from './record-splitter.ts'

/** Rejects a row that cannot be parsed, with the reason. */
export type RowReader = (cells: readonly string[]) => ParsedRow

interface Head {
  readonly layout: TableLayout
  readonly names: readonly string[]
}

const HXL_TAG = /^#[a-z][a-z0-9_]*(\s*\+[a-z][a-z0-9_]*)*$/i
const HXL_ROW = 2
const NUL = '\0'

/** CSV with a header row. Rows are numbered as in a spreadsheet: the header is row 1. */
export function tableFormat(readerFor: (header: readonly string[], options: ReadOptions) => RowReader): Format {
  return {
    async *read(open, options) {
      const { after } = options
      const head = after === undefined ? null : await headOf(open)
      let names = head?.names ?? null
      let reader = head === null ? null : readerFor(head.names, options)
      const parseRow = ({ row, text, cells }: CsvRecord): ParsedRow | null => {
        if (reader === null || names === null) {
          names = headerIn(text, cells)
          reader = readerFor(names, options)
          return null
        }
        if (text.includes(NUL)) return rejected('the row contains NUL bytes')
        if (cells.every((cell) => cell.trim() === '')) return null
        if (row === HXL_ROW && isHxl(cells, names)) return null
        return reader(cells)
      }
      const splitterAt = (offset: number) => new RecordSplitter(offset, after?.row ?? 0, head?.layout ?? null)
      yield* readRows(open, after?.offset ?? 0, splitterAt, parseRow)
      if (reader === null) throw new UnreadableFile('the file is empty')
    },
  }
}

/** Reads the header of a file whose rows are then read from a later offset. */
async function headOf(open: Open): Promise<Head> {
  let head: Head | null = null
  let records = new RecordSplitter(0, 0, null)
  const splitterAt = (offset: number) => {
    records = new RecordSplitter(offset, 0, null)
    return records
  }
  const parseRow = ({ text, cells }: CsvRecord) => {
    head ??= { layout: records.layout!, names: headerIn(text, cells) }
    return rejected('the header')
  }
  for await (const _ of readRows(open, 0, splitterAt, parseRow)) break
  if (head === null) throw new UnreadableFile('the file is empty')
  return head
}

function headerIn(text: string, cells: readonly string[]): readonly string[] {
  if (text.includes(NUL)) throw new UnreadableFile('this is not a text file: its first row contains NUL bytes')
  return cells
}

/**
 * Detects the HXL tags that the Humanitarian Data Exchange puts under the header. The nameless
 * column that numbers the rows may have no tag.
 */
function isHxl(cells: readonly string[], names: readonly string[]): boolean {
  const tags = cells.filter((cell, place) => names[place] !== '' && cell.trim() !== '')
  return tags.length > 0 && tags.every((tag) => HXL_TAG.test(tag.trim()))
}
