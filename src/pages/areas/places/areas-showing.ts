import type { Places } from '../../../domain/places.ts'
import type { IndexedFields } from '../../../filter/filter.ts'
import { areaCode, COUNTRY } from './area.ts'
import type { Neighbours } from './neighbours.ts'

/** Returns the codes of the areas whose pages count an incident with these fields. */
export type AreasShowing = (incident: Pick<IndexedFields, 'state' | 'lga'>) => Iterable<string>

/**
 * A page shows its own area, the counts of the areas in it, and those of its neighbours: an event
 * changes some twenty of the 812 pages.
 */
export function areasShowing({ states, lgas }: Places, neighbours: Neighbours): AreasShowing {
  const byCode = new Map<string, Set<string>>()
  const showingOf = (code: string): Set<string> => {
    const known = byCode.get(code) ?? new Set([code])
    byCode.set(code, known)
    return known
  }
  for (const { code } of states) {
    showingOf(code).add(areaCode(COUNTRY))
    for (const neighbour of neighbours.ofState(code)) showingOf(neighbour.code).add(code)
  }
  for (const { code } of lgas) for (const { lga } of neighbours.ofLga(code)) showingOf(lga.code).add(code)
  return ({ state, lga }) => [...(byCode.get(state) ?? []), ...(lga === null ? [] : (byCode.get(lga) ?? []))]
}
