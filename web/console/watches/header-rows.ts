import { MASK } from '../../../src/domain/watch-headers.ts'

/**
 * One header of the form. The service never shows a value again: a stored one is kept unless
 * another is written.
 */
export interface HeaderRow {
  /** Tells rows apart while names are being written. */
  readonly key: number
  readonly name: string
  readonly value: string
  readonly isStored: boolean
}

let rows = 0

export function newRow(name = '', isStored = false): HeaderRow {
  return { key: ++rows, name, value: '', isStored }
}

/** The rows of a watch that exists. */
export function rowsOf(headers: Readonly<Record<string, string>>): HeaderRow[] {
  return Object.keys(headers).map((name) => newRow(name, true))
}

/**
 * The headers as the API takes them; rows without a name and a value are left out. Throws if a name
 * is there twice.
 */
export function headersOf(given: readonly HeaderRow[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (const { name: written, value, isStored } of given) {
    const name = written.trim()
    if (name === '' && value === '') continue
    if (name === '') throw new Error('A header has a value but no name.')
    if ([...headers.keys()].some((other) => other.toLowerCase() === name.toLowerCase()))
      throw new Error(`The header ${name} is there twice.`)
    if (value === '' && !isStored) throw new Error(`The header ${name} has no value.`)
    headers.set(name, value === '' ? MASK : value)
  }
  return Object.fromEntries(headers)
}
