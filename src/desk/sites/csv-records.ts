/** A line of a table, with its number in the file, from 1. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/** Why a text is no CSV, in words that follow the line's number. */
export interface CsvFault {
  readonly line: number
  readonly message: string
}

/** No table that is read here has more columns; a text of nothing but commas is not kept. */
const MAX_CELLS = 100
const LINE_BREAK = /\r\n|\n|\r/g

/**
 * Splits CSV as RFC 4180 writes it: quoted cells may have commas, quotes and line breaks. Empty
 * lines are left out. A text whose quotes do not match is refused: guessing would join or cut
 * lines. Nothing is read after the record that is one too many: a few megabytes may have millions.
 */
export function csvRecords(given: string, most: number, tooMany: string): readonly CsvRecord[] | CsvFault {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given
  const records: CsvRecord[] = []
  const plainEnd = /[,\r\n]|$/g
  let cells: string[] = []
  let line = 1
  let start = 1
  let at = 0
  while (at <= text.length) {
    let end: number
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1)
      if (close === -1) return { line, message: 'a quote is opened and never closed' }
      const quoted = text.slice(at + 1, close)
      cells.push(quoted.replaceAll('""', '"').trim())
      line += quoted.match(LINE_BREAK)?.length ?? 0
      end = close + 1
      if (end < text.length && !/[,\r\n]/.test(text[end]!))
        return { line, message: 'text follows a closing quote; write a quote within quotes twice' }
    } else {
      plainEnd.lastIndex = at
      end = plainEnd.exec(text)!.index
      const plain = text.slice(at, end)
      if (plain.includes('"')) return { line, message: 'a quote stands inside a cell that does not begin with one' }
      cells.push(plain.trim())
    }
    if (cells.length > MAX_CELLS) return { line: start, message: `has more than ${MAX_CELLS} cells` }
    at = end + (text.startsWith('\r\n', end) ? 2 : 1)
    if (text[end] === ',') continue
    if (cells.some((cell) => cell !== '')) {
      if (records.length === most) return { line: start, message: tooMany }
      records.push({ line: start, cells })
    }
    cells = []
    start = ++line
  }
  return records
}

/** The first quote from `from` on that is not doubled; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}
