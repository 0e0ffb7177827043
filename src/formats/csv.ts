import type { Incident } from '../domain/incident.ts'
import { OWN_COLUMNS } from './columns.ts'
import { flatten } from './flat.ts'
import { defused } from './formula.ts'

const TO_QUOTE = /[",\r\n]/
/** One look is enough for most cells, of which a row has many: neither to be quoted nor, perhaps, a formula. */
const AWKWARD = /^['=+\-@\t]|[",\r\n]/

export const CSV_HEADER = OWN_COLUMNS.join(',')

/** A record of RFC 4180, without its line break. What is not known is empty. */
export function csvRecord(incident: Incident): string {
  const flat = flatten(incident)
  let record = cell(flat[OWN_COLUMNS[0]])
  for (let index = 1; index < OWN_COLUMNS.length; index++) record += `,${cell(flat[OWN_COLUMNS[index]!])}`
  return record
}

/** A number begins no formula, though it may begin with a minus. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  if (!AWKWARD.test(value)) return value
  const text = defused(value)
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
