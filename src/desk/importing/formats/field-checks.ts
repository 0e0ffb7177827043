import { suggestNames } from '../../../lib/similar-names.ts'
import { parseTime } from '../../../lib/time.ts'
import { isPlainText } from './values.ts'

/** Returns the fault, worded to follow the field's name; null if the value is correct. */
export type Check = (value: unknown) => string | null

export type Checks<Document> = Readonly<Record<keyof Document & string, Check>>

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'undefined'

export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value)

const optionals = new WeakSet<Check>()

/** For a field that may be absent. */
export const optional = (check: Check): Check => {
  const checked: Check = (value) => check(value)
  optionals.add(checked)
  return checked
}

export const text: Check = (value) => {
  if (typeof value !== 'string') return 'must be text'
  if (value === '') return 'is empty'
  return isPlainText(value) ? null : 'contains NUL or half a character'
}

export const like =
  (pattern: RegExp, example: string): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? null : `must look like ${example}`

export const oneOf = (names: readonly string[]): Check => {
  const known = new Set<unknown>(names)
  return (value) => {
    if (known.has(value)) return null
    const near = typeof value === 'string' ? suggestNames(value, names) : []
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it must be one of ${names.join(', ')}`
    return `${shown(value)} is not known; ${hint}`
  }
}

export const number =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most ? null : `must be a number from ${least} to ${most}`

export const whole =
  (least: number, most: number = Number.MAX_SAFE_INTEGER): Check =>
  (value) => {
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return null
    return `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`
  }

const UTC = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/
const IN_EVERY_MONTH = /^.{8}(?:[01]|2[0-8])/

/**
 * `parseTime` costs as much as the rest of a row, which has five times: it is called only for the
 * last days of a month, which not every month has.
 */
function isUtcTime(value: string): boolean {
  return UTC.test(value) && (IN_EVERY_MONTH.test(value) || parseTime(value) !== null)
}

export const time: Check = (value) =>
  typeof value === 'string' && isUtcTime(value) ? null : 'must be a time in UTC, as 2026-01-31T08:00:00Z'

/** Adds a fault for every field that is wrong, missing or unknown. */
export function checkFields<Document>(
  document: unknown,
  checks: Checks<Document>,
  path: string,
  faults: string[],
): document is Document {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    faults.push(`${path === '' ? 'the row' : path.slice(0, -1)} must be an object`)
    return false
  }
  const before = faults.length
  const fields = document as Record<string, unknown>
  for (const name in checks) {
    const value = fields[name]
    const check = (checks as Record<string, Check>)[name]!
    const fault = value === undefined ? (optionals.has(check) ? null : 'is missing') : check(value)
    if (fault !== null) faults.push(`${path}${name} ${fault}`)
  }
  for (const name in fields) {
    if (!Object.hasOwn(checks, name)) faults.push(`${path}${name.slice(0, 60)} is not a field of an incident`)
  }
  return faults.length === before
}

export function checkList<Entry>(
  list: unknown,
  checks: Checks<Entry>,
  path: string,
  maxEntries: number,
  faults: string[],
): list is Entry[] {
  if (!Array.isArray(list)) {
    faults.push(`${path} must be a list`)
    return false
  }
  if (list.length > maxEntries) {
    faults.push(`${path} has ${list.length} entries; at most ${maxEntries} are allowed`)
    return false
  }
  const before = faults.length
  for (let index = 0; index < list.length; index++) checkFields(list[index], checks, `${path}.${index}.`, faults)
  return faults.length === before
}
