import type { FieldError } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { quote } from '../../parameter-values.ts'
import { MAX_FOLLOWED } from '../parameters.ts'
import type { RawParameters } from './input.ts'

/**
 * Parses the ids of incidents that a watch follows: sorted and each once, null if none are given.
 * Which of them exist is for the caller to ask.
 */
export function parseIncidents(
  { values, at }: Pick<RawParameters<string>, 'values' | 'at'>,
  errors: FieldError[],
): readonly string[] | null {
  const given = values.get('incident')
  if (given === undefined) return null
  const wrong = given.find((id) => !isIdentifier('incident', id))
  const ids = [...new Set(given)].sort()
  if (wrong !== undefined)
    errors.push({ ...at('incident'), message: `${quote(wrong)} is not the id of an incident, such as inc_01jd8z0c5x…` })
  else if (ids.length > MAX_FOLLOWED)
    errors.push({ ...at('incident'), message: `has too many ids: one watch follows up to ${MAX_FOLLOWED} incidents` })
  return ids
}
