import type { Site } from './site.ts'

/** The most sites that one message names. */
export const MAX_NAMED_SITES = 20

/** What a message says of the sites within whose radius its incident lies. */
export interface NamedSites {
  /** The list. */
  readonly id: string
  readonly name: string
  /** Nearest first, at most `MAX_NAMED_SITES`; those of a retraction in the order of the list. */
  readonly nearest: readonly NamedSite[]
  /** How many others are concerned. */
  readonly more: number
}

export interface NamedSite extends Pick<Site, 'name' | 'reference'> {
  /** Absent in a retraction, which does not repeat where the incident was. */
  readonly distance_km?: number
  readonly radius_km: number
}

/** The sites of several lists in one message; each counts once for each list that has it. */
export function mergedSites(lists: readonly (NamedSites | undefined)[]): NamedSites | undefined {
  const given = lists.filter((list) => list !== undefined)
  if (given.length < 2) return given[0]
  const all = given.flatMap(({ nearest }) => nearest)
  // A retraction has no distances, and keeps the order of the lists.
  const inOrder = all.toSorted((one, other) => (one.distance_km ?? 0) - (other.distance_km ?? 0))
  const nearest = inOrder.slice(0, MAX_NAMED_SITES)
  const more = given.reduce((sum, list) => sum + list.more, all.length - nearest.length)
  return { ...given[0]!, nearest, more }
}
