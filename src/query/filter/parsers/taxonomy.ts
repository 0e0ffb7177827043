import {
  CATEGORY_NAMES,
  type IncidentType,
  SEVERITIES,
  type Severity,
  severitiesFrom,
  TYPE_NAMES,
  typesIn,
} from '../../../domain/taxonomy.ts'
import { suggest } from '../../../lib/text/suggest.ts'
import type { FilterParameter } from '../parameters.ts'
import { isOneOf } from './input.ts'
import { quote, type Reader } from './reader.ts'

export function readTypes(reader: Reader): readonly IncidentType[] | null {
  const types = readNames(reader, 'type', TYPE_NAMES)
  const ofCategories = readNames(reader, 'category', CATEGORY_NAMES)?.flatMap(typesIn) ?? null
  if (types?.length && ofCategories?.length && !types.some((type) => ofCategories.includes(type))) {
    return reader.refuse('type', `${types.join(', ')} is in none of the categories asked for; leave one of the two out`)
  }
  return normal(TYPE_NAMES, types, ofCategories)
}

export function readSeverities(reader: Reader): readonly Severity[] | null {
  const severities = readNames(reader, 'severity', SEVERITIES)
  const least = reader.single('min_severity')
  const atLeast =
    least === null ? null : (readNames(reader, 'min_severity', SEVERITIES)?.flatMap(severitiesFrom) ?? null)
  if (severities?.length && atLeast?.length && !severities.some((severity) => atLeast.includes(severity))) {
    return reader.refuse('severity', `${severities.join(', ')} is below min_severity; leave one of the two out`)
  }
  return normal(SEVERITIES, severities, atLeast)
}

function readNames<Name extends string>(
  reader: Reader,
  parameter: FilterParameter,
  names: readonly Name[],
): readonly Name[] | null {
  const parts = reader.parts(parameter)
  if (parts === null) return null
  const known: Name[] = []
  for (const part of parts) {
    if (isOneOf(names, part)) {
      known.push(part)
      continue
    }
    const near = suggest(part, names)
    reader.refuse(
      parameter,
      `${quote(part)} is not a ${parameter.replace('min_', '')}`,
      near.length > 0 ? { did_you_mean: near } : { allowed: names },
    )
  }
  return known
}

/** What is in both lists, in the table's order; null where that is everything. */
function normal<Name extends string>(
  all: readonly Name[],
  one: readonly Name[] | null,
  other: readonly Name[] | null,
): readonly Name[] | null {
  const both = all.filter((name) => (one?.includes(name) ?? true) && (other?.includes(name) ?? true))
  return both.length === all.length ? null : both
}
