import { suggestNames } from '../lib/similar-names.ts'
import type { ErrorCode } from './error-codes.ts'
import type { FoundPlace } from './places.ts'

/** One wrong part of the input, with the fault and a correction. */
export interface FieldError {
  readonly parameter?: string
  readonly pointer?: string
  readonly message: string
  readonly allowed?: readonly string[]
  readonly did_you_mean?: readonly string[]
  /** The places that a name may mean, best first. */
  readonly candidates?: readonly FoundPlace[]
}

/** An error that is sent to the client as problem+json (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>
  /** Further members of the problem document. */
  readonly members: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      errors?: readonly FieldError[]
      headers?: Record<string, string>
      members?: Record<string, string>
    } = {},
  ) {
    super(detail)
    this.code = code
    this.errors = more.errors ?? []
    this.headers = more.headers ?? {}
    this.members = more.members ?? {}
  }
}

export function invalidBody(errors: readonly FieldError[]): Problem {
  const sentences = errors.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`)
  return new Problem('invalid_body', `${sentences.join('; ')}.`, { errors })
}

/** Parameters stand in the query, or have a pointer where a JSON body asks the question. */
export function invalidParameters(errors: readonly FieldError[]): Problem {
  const sentences = errors.map(
    ({ parameter, pointer, message }) => `${parameter ?? (pointer || 'the body')} ${message}`,
  )
  return new Problem('invalid_parameter', `${sentences.join('; ')}.`, { errors })
}

/** The error of a query parameter as one of the member of the same name in a JSON body. */
export function atPointer({ parameter, ...rest }: FieldError): FieldError {
  return parameter === undefined ? rest : { pointer: `/${parameter}`, ...rest }
}

/**
 * Refused before anything else is read: the values of a long list would all have to be looked up.
 */
export function tooManyValues(at: Pick<FieldError, 'parameter' | 'pointer'>, message: string): Problem {
  return new Problem('too_many_values', `${at.parameter ?? at.pointer} ${message}.`, { errors: [{ ...at, message }] })
}

/** Suggests similar names; if there are none, lists the `allowed` ones, if given. */
export function didYouMean(
  similar: readonly string[],
  allowed?: readonly string[],
): Pick<FieldError, 'did_you_mean' | 'allowed'> {
  if (similar.length > 0) return { did_you_mean: similar }
  return allowed ? { allowed } : {}
}

/** Hints for a name that is not in `names`: the similar ones, or all of them. */
export function nameHints(name: string, names: readonly string[]): Pick<FieldError, 'did_you_mean' | 'allowed'> {
  return didYouMean(suggestNames(name, names), names)
}
