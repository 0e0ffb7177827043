/** A line of a table, with its number in the file, from 1. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/** Splits CSV as RFC 4180 writes it: quoted cells may have commas, quotes and line breaks. Empty lines are left out. */
export function csvRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = []
  let cells: string[] = []
  let line = 1
  let start = 1
  // Each match is one cell with what ends it: a comma, a line break or the end of the text.
  const cellPattern = /(?:"((?:[^"]|"")*)"[^,\r\n]*|([^,\r\n]*))(,|\r\n|\n|\r|$)/y
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  while (cellPattern.lastIndex <= body.length) {
    const match = cellPattern.exec(body)
    // An opening quote without its end is a cell like any other.
    if (match === null) break
    const [, quoted, plain, end] = match
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
    line += quoted?.match(/\r\n|\n|\r/g)?.length ?? 0
    if (end === ',') continue
    if (cells.some((cell) => cell !== '')) records.push({ line: start, cells })
    cells = []
    start = ++line
    if (end === '') break
  }
  return records
}
