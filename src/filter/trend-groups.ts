import { didYouMean, type FieldError, nameHints } from '../domain/errors.ts'
import type { Lga, PlaceLookup, Places, State } from '../domain/places.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../domain/taxonomy.ts'
import { isOneOf, quote } from './parameter-values.ts'

export const TREND_GROUPS = ['state', 'lga', 'type', 'category', 'severity'] as const
export type TrendGrouping = (typeof TREND_GROUPS)[number]

const NAMES: Readonly<Record<Exclude<TrendGrouping, 'state' | 'lga'>, readonly string[]>> = {
  type: TYPE_NAMES,
  category: CATEGORY_NAMES,
  severity: SEVERITIES,
}

/** Parses the groups of which alone the answer tells, into sorted keys; null is all of them. */
export function parseOnly(
  values: readonly string[] | null,
  groupBy: TrendGrouping | null,
  places: Places,
  errors: FieldError[],
): readonly string[] | null {
  if (values === null) return null
  const keys = new Set<string>()
  for (const value of values) {
    const found = groupBy === null ? { message: 'needs group_by' } : keyOf(value, groupBy, places)
    if (typeof found === 'string') keys.add(found)
    else {
      errors.push({ parameter: 'only', ...found })
      return null
    }
  }
  return [...keys].sort()
}

function keyOf(value: string, groupBy: TrendGrouping, places: Places): string | FieldError {
  if (groupBy === 'state') return codeIn(value, places.findState(value), 'is not a state of Nigeria')
  if (groupBy === 'lga') return codeIn(value, places.findLga(value, null), 'is not a local government area of Nigeria')
  const names = NAMES[groupBy]
  return isOneOf(names, value) ? value : { message: `${quote(value)} is not a ${groupBy}`, ...nameHints(value, names) }
}

function codeIn(value: string, found: PlaceLookup<State | Lga>, message: string): string | FieldError {
  if (found.kind === 'found') return found.place.code
  if (found.kind === 'unknown') return { message: `${quote(value)} ${message}`, ...didYouMean(found.suggestions) }
  return {
    message: `${quote(value)} is in several states; give the code`,
    allowed: found.places.map(({ code }) => code),
  }
}
