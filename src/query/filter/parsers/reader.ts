import type { FieldError } from '../../../domain/errors.ts'
import type { FilterParameter } from '../parameters.ts'

/** One parameter's parts, and where to say what is wrong with them. */
export interface Reader {
  parts(name: FilterParameter): readonly string[] | null
  /** The one part of a parameter that takes no list. */
  single(name: FilterParameter): string | null
  refuse(name: FilterParameter, message: string, more?: Pick<FieldError, 'allowed' | 'did_you_mean'>): null
}

/** Echoes what was sent, at a bearable length. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
