import { readCount } from './values.ts'

/** What a source's number stands for. Null for an empty cell: a column that a file does not have reads so, too. */
export function codeIn<Value>(
  table: Readonly<Record<number, Value>>,
  name: string,
  text: string,
  faults: string[],
): Value | null {
  if (text === '') return null
  const value = table[readCount(text) ?? -1]
  if (value === undefined) faults.push(`${name} "${text}" is none of ${Object.keys(table).join(', ')}`)
  return value ?? null
}
