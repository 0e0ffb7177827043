import type { Incident } from '../domain/incident.ts'
import { CSV_COLUMNS, type CsvColumn } from './csv-columns.ts'
import { escapeFormula } from './escape-formula.ts'
import { flattenIncident } from './flatten.ts'

const TO_QUOTE = /[",\r\n]/
/** Matches cells to quote or escape: one test suffices for most cells of a row. */
const NEEDS_ESCAPING = /^['=+\-@\t]|[",\r\n]/

export const CSV_HEADER = CSV_COLUMNS.join(',')

/** Writes a record of RFC 4180 without its line break. Unknown values are empty. */
export function csvRecord(incident: Incident): string {
  return csvRecordOf(incident, CSV_COLUMNS)
}

/** Writes a record with some of the columns. */
export function csvRecordOf(incident: Incident, columns: readonly CsvColumn[]): string {
  const flat = flattenIncident(incident)
  let record = csvCell(flat[columns[0]!])
  for (let index = 1; index < columns.length; index++) record += `,${csvCell(flat[columns[index]!])}`
  return record
}

/** A number is never a formula, although it may begin with a minus. */
export function csvCell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  if (!NEEDS_ESCAPING.test(value)) return value
  const text = escapeFormula(value)
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
