import { nameHints } from '../../../domain/errors.ts'
import {
  CATEGORY_NAMES,
  type IncidentType,
  SEVERITIES,
  type Severity,
  severitiesFrom,
  TYPE_NAMES,
  typesIn,
} from '../../../domain/taxonomy.ts'
import { isOneOf, quote } from '../../parameter-values.ts'
import type { FilterParameter } from '../parameters.ts'
import type { FilterInput } from './input.ts'

export function parseTypes(input: FilterInput): readonly IncidentType[] | null {
  const types = parseNames(input, 'type', TYPE_NAMES)
  const ofCategories = parseNames(input, 'category', CATEGORY_NAMES)?.flatMap(typesIn) ?? null
  if (types?.length && ofCategories?.length && !types.some((type) => ofCategories.includes(type))) {
    return input.reject('type', `${types.join(', ')} is in none of the given categories; leave one of the two out`)
  }
  return intersect(TYPE_NAMES, types, ofCategories)
}

export function parseSeverities(input: FilterInput): readonly Severity[] | null {
  const severities = parseNames(input, 'severity', SEVERITIES)
  const least = input.single('min_severity')
  const atLeast =
    least === null ? null : (parseNames(input, 'min_severity', SEVERITIES)?.flatMap(severitiesFrom) ?? null)
  if (severities?.length && atLeast?.length && !severities.some((severity) => atLeast.includes(severity))) {
    return input.reject('severity', `${severities.join(', ')} is below min_severity; leave one of the two out`)
  }
  return intersect(SEVERITIES, severities, atLeast)
}

function parseNames<Name extends string>(
  input: FilterInput,
  parameter: FilterParameter,
  names: readonly Name[],
): readonly Name[] | null {
  const parts = input.list(parameter)
  if (parts === null) return null
  const known: Name[] = []
  for (const part of parts) {
    if (isOneOf(names, part)) {
      known.push(part)
      continue
    }
    input.reject(parameter, `${quote(part)} is not a ${parameter.replace('min_', '')}`, () => nameHints(part, names))
  }
  return known
}

/** Intersects the two lists, in the order of `all`; null where the result is all names. */
function intersect<Name extends string>(
  all: readonly Name[],
  one: readonly Name[] | null,
  other: readonly Name[] | null,
): readonly Name[] | null {
  const both = all.filter((name) => (one?.includes(name) ?? true) && (other?.includes(name) ?? true))
  return both.length === all.length ? null : both
}
