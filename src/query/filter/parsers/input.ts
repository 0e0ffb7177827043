import type { FieldError } from '../../../domain/errors.ts'
import { decimalText } from '../../../lib/text/decimal-text.ts'
import { suggest } from '../../../lib/text/suggest.ts'

/** What was asked, name by name, before it is understood: each value as its parts. */
export interface Given<Name extends string> {
  readonly values: ReadonlyMap<Name, readonly string[]>
  readonly errors: readonly FieldError[]
  /** How an error names a parameter: `parameter` in a query string, `pointer` in a body. */
  readonly at: (name: string) => Pick<FieldError, 'parameter' | 'pointer'>
}

const atParameter = (name: string) => ({ parameter: name })

export function parametersInQuery<Name extends string>(query: URLSearchParams, names: readonly Name[]): Given<Name> {
  const values = new Map<Name, readonly string[]>()
  const errors: FieldError[] = []
  for (const name of new Set(query.keys())) {
    const all = query.getAll(name)
    if (!isOneOf(names, name)) errors.push(unknown(atParameter(name), name, names))
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

/** `pointer` is where the object lies in the body, as `/filter`. */
export function parametersInObject<Name extends string>(
  object: unknown,
  names: readonly Name[],
  pointer: string,
): Given<Name> {
  const at = (name: string) => ({ pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` })
  const values = new Map<Name, readonly string[]>()
  const errors: FieldError[] = []
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { values, errors: [{ pointer, message: 'must be an object of filters, as {"state": ["Kaduna"]}' }], at }
  }
  for (const [name, value] of Object.entries(object)) {
    const parts = partsOf(value)
    if (!isOneOf(names, name)) errors.push(unknown(at(name), name, names))
    else if (parts === null)
      errors.push({ ...at(name), message: 'must be a string, a number, or a list of them that is not empty' })
    else values.set(name, parts)
  }
  return { values, errors, at }
}

function partsOf(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value.trim() === '' ? null : splitAtCommas(value)
  if (typeof value === 'number') return [decimalText(value)]
  if (!Array.isArray(value) || value.length === 0) return null
  const parts = value.map((part: unknown) => (typeof part === 'number' ? decimalText(part) : part))
  return parts.every((part) => typeof part === 'string') ? parts.map((part) => part.trim()) : null
}

function splitAtCommas(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function unknown(at: Pick<FieldError, 'parameter' | 'pointer'>, name: string, names: readonly string[]): FieldError {
  const near = suggest(name, names)
  return {
    ...at,
    message: 'is not a parameter here',
    ...(near.length > 0 ? { did_you_mean: near } : { allowed: names }),
  }
}

export function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name)
}
