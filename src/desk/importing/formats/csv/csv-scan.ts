import { MAX_ROW_BYTES } from '../splitting/decode.ts'

const QUOTE = 34
const LF = 10
const CR = 13

/** Detected in the first row of a file. */
export interface Dialect {
  readonly delimiter: string
  /** `\r` only if the file has no `\n`; elsewhere a lone CR is an ordinary character. */
  readonly newline: '\n' | '\r'
}

const DELIMITERS = [',', ';', '\t'] as const

export type ScanResult =
  /** `clean`: there is no quote in the middle of a field. */
  | {
      readonly kind: 'record'
      readonly end: number
      readonly next: number
      readonly columns: number
      readonly clean: boolean
    }
  /** A closing quote is followed by text. */
  | { readonly kind: 'broken' }
  /** The record does not end before `limit`. */
  | { readonly kind: 'open'; readonly quoted: boolean }

/** Finds the end of the record at `at` (RFC 4180), up to `limit`; `final`: the file ends there. */
export function scanRecord(text: string, at: number, limit: number, final: boolean, dialect: Dialect): ScanResult {
  const delimiter = dialect.delimiter.charCodeAt(0)
  const newline = dialect.newline.charCodeAt(0)
  let columns = 1
  let clean = true
  let fieldBegins = true
  for (let index = at; index < limit; index++) {
    let code = text.charCodeAt(index)
    if (fieldBegins && code === QUOTE) {
      index = closingQuote(text, index + 1, limit, final)
      if (index === -1) return final ? { kind: 'broken' } : { kind: 'open', quoted: true }
      if (++index === limit) break
      code = text.charCodeAt(index)
      const ends = code === delimiter || code === newline || code === CR
      if (!ends) return { kind: 'broken' }
      if (code === CR && newline === LF) {
        if (index + 1 === limit && !final) break
        if (index + 1 < limit && text.charCodeAt(index + 1) !== LF) return { kind: 'broken' }
      }
    } else if (code === QUOTE) clean = false
    fieldBegins = code === delimiter
    if (fieldBegins) columns++
    else if (code === newline) {
      const end = newline === LF && index > at && text.charCodeAt(index - 1) === CR ? index - 1 : index
      return { kind: 'record', end, next: index + 1, columns, clean }
    }
  }
  if (!final) return { kind: 'open', quoted: false }
  const end = limit > at && text.charCodeAt(limit - 1) === CR ? limit - 1 : limit
  return { kind: 'record', end, next: limit, columns, clean }
}

/** Returns the index of the closing quote, or -1; a doubled quote belongs to the field. */
function closingQuote(text: string, from: number, limit: number, final: boolean): number {
  for (let index = from; index < limit; index++) {
    if (text.charCodeAt(index) !== QUOTE) continue
    if (index + 1 === limit) return final ? index : -1
    if (text.charCodeAt(index + 1) !== QUOTE) return index
    index++
  }
  return -1
}

/** The record must be one that `scanRecord` found complete. */
export function splitCells(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return record.split(delimiter)
  const cells: string[] = []
  for (let at = 0; ; ) {
    let end: number
    if (record.charCodeAt(at) === QUOTE) {
      end = closingQuote(record, at + 1, record.length, true) + 1
      cells.push(record.slice(at + 1, end - 1).replaceAll('""', '"'))
    } else {
      end = record.indexOf(delimiter, at)
      if (end === -1) end = record.length
      cells.push(record.slice(at, end))
    }
    if (end >= record.length) return cells
    at = end + 1
  }
}

/** Null if more of the file is needed. */
export function detectDialect(text: string, final: boolean): Dialect | null {
  const limit = Math.min(text.length, MAX_ROW_BYTES)
  let quoted = false
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let newline: '\n' | '\r' | null = null
  for (let index = 0; index < limit && newline === null; index++) {
    const character = text[index]!
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '\n') newline = '\n'
    else if (character === '\r') {
      if (index + 1 === text.length && !final) return null
      newline = index + 1 === text.length || text[index + 1] === '\n' ? '\n' : '\r'
    } else if (counts.has(character)) counts.set(character, counts.get(character)! + 1)
  }
  if (newline === null && !final && limit < MAX_ROW_BYTES) return null
  const delimiter = DELIMITERS.reduce((best, other) => (counts.get(other)! > counts.get(best)! ? other : best))
  return { delimiter, newline: newline ?? '\n' }
}
