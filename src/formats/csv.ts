import type { Incident } from '../domain/incident.ts'
import { CSV_COLUMNS } from './csv-columns.ts'
import { escapeFormula } from './escape-formula.ts'
import { flattenIncident } from './flatten.ts'

const TO_QUOTE = /[",\r\n]/
/** One look is enough for most cells, of which a row has many: neither to be quoted nor, perhaps, a formula. */
const AWKWARD = /^['=+\-@\t]|[",\r\n]/

export const CSV_HEADER = CSV_COLUMNS.join(',')

/** A record of RFC 4180, without its line break. What is not known is empty. */
export function csvRecord(incident: Incident): string {
  const flat = flattenIncident(incident)
  let record = cell(flat[CSV_COLUMNS[0]])
  for (let index = 1; index < CSV_COLUMNS.length; index++) record += `,${cell(flat[CSV_COLUMNS[index]!])}`
  return record
}

/** A number begins no formula, though it may begin with a minus. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  if (!AWKWARD.test(value)) return value
  const text = escapeFormula(value)
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
