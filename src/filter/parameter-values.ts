import { type FieldError, nameHints } from '../domain/errors.ts'
import type { Parameter } from './filter/parameters.ts'

export const DEFAULT_LIMIT = 50

/** Declares the `limit` of a list of `what`, as `parseLimit` takes it. */
export function limitParameter(what: string, maximum: number) {
  return {
    description: `${what} per page, from 1 to ${maximum}. Default: ${DEFAULT_LIMIT}.`,
    example: String(DEFAULT_LIMIT),
    number: { type: 'integer', minimum: 1, maximum },
  } as const satisfies Parameter
}

/** Parses `limit`, the page size; an invalid one is added to `errors`. */
export function parseLimit(text: string | null, max: number, errors: FieldError[]): number {
  if (text === null || text.trim() === '') return DEFAULT_LIMIT
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= max) return limit
  errors.push({ parameter: 'limit', message: `must be a whole number from 1 to ${max}` })
  return DEFAULT_LIMIT
}

/** Parses a parameter that takes one of `values`; null where it is absent or invalid. */
export function parseChoice<Value extends string>(
  parameter: string,
  text: string | null,
  values: readonly Value[],
  errors: FieldError[],
): Value | null {
  if (text === null || text.trim() === '') return null
  if (isOneOf(values, text)) return text
  errors.push({ parameter, message: `must be one of ${values.join(', ')}`, ...nameHints(text, values) })
  return null
}

export function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name)
}

/** Quotes the client's text in an error message, cut off after 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
