import { type FieldError, nameHints } from '../../../domain/errors.ts'
import { decimalNotation } from '../../../lib/text/decimal-text.ts'
import { isOneOf } from '../../parameter-values.ts'
import type { FilterParameter } from '../parameters.ts'

/** Parameters by name, each split into its list of values, before they are parsed. */
export interface RawParameters<Name extends string> {
  readonly values: ReadonlyMap<Name, readonly string[]>
  readonly errors: readonly FieldError[]
  /** Locates a parameter in an error: `parameter` in a query string, `pointer` in a body. */
  readonly at: (name: string) => Pick<FieldError, 'parameter' | 'pointer'>
}

/** Gives the parsers in this folder the values to parse, and collects their errors. */
export interface FilterInput {
  list(name: FilterParameter): readonly string[] | null
  /** The value of a parameter that takes no list. */
  single(name: FilterParameter): string | null
  reject(name: FilterParameter, message: string, hints?: Pick<FieldError, 'allowed' | 'did_you_mean'>): null
}

const atParameter = (name: string) => ({ parameter: name })

export function parametersInQuery<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): RawParameters<Name> {
  const values = new Map<Name, readonly string[]>()
  const errors: FieldError[] = []
  for (const name of new Set(query.keys())) {
    const all = query.getAll(name)
    if (!isOneOf(names, name)) errors.push(unknownParameter(atParameter(name), name, names))
    else if (all.length > 1)
      errors.push({
        parameter: name,
        message: `is given ${all.length} times; give several values as one list with commas`,
      })
    else if (all[0]!.trim() === '')
      errors.push({ parameter: name, message: 'is empty; leave it out, or give it a value' })
    else values.set(name, splitAtCommas(all[0]!))
  }
  return { values, errors, at: atParameter }
}

/** Reads parameters from a JSON object at `pointer` in the body, as `/filter`. */
export function parametersInObject<Name extends string>(
  object: unknown,
  names: readonly Name[],
  pointer: string,
): RawParameters<Name> {
  const at = (name: string) => ({ pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` })
  const values = new Map<Name, readonly string[]>()
  const errors: FieldError[] = []
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { values, errors: [{ pointer, message: 'must be an object of filters, as {"state": ["Kaduna"]}' }], at }
  }
  for (const [name, value] of Object.entries(object)) {
    const list = listOf(value)
    if (!isOneOf(names, name)) errors.push(unknownParameter(at(name), name, names))
    else if (list === null)
      errors.push({ ...at(name), message: 'must be a string, a number, or a list of them that is not empty' })
    else values.set(name, list)
  }
  return { values, errors, at }
}

function listOf(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value.trim() === '' ? null : splitAtCommas(value)
  if (typeof value === 'number') return [decimalNotation(value)]
  if (!Array.isArray(value) || value.length === 0) return null
  const list = value.map((part: unknown) => (typeof part === 'number' ? decimalNotation(part) : part))
  return list.every((part) => typeof part === 'string') ? list.map((part) => part.trim()) : null
}

function splitAtCommas(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function unknownParameter(
  at: Pick<FieldError, 'parameter' | 'pointer'>,
  name: string,
  names: readonly string[],
): FieldError {
  return { ...at, message: 'is not a parameter here', ...nameHints(name, names) }
}
