import { distanceKm } from '../../lib/geometry.ts'
import type { GazetteerPlace } from './gazetteer.ts'

/** A place of one source, with its keys. */
export interface Entry {
  readonly place: GazetteerPlace
  /** Of two entries for one place, the lower counts. */
  readonly rank: number
  readonly key: string
  readonly aliases: readonly string[]
}

/** Two entries of one name and kind within this distance are one place in two sources. */
const SAME_PLACE_KM = 8

export function isSamePlace(one: GazetteerPlace, other: GazetteerPlace): boolean {
  return one.kind === other.kind && distanceKm(one.lat, one.lng, other.lat, other.lng) < SAME_PLACE_KM
}

/**
 * One place for the entries of one name that lie together: the first's point, the largest
 * population.
 */
export function mergedPlaces(entries: readonly Entry[]): GazetteerPlace[] {
  const merged: GazetteerPlace[] = []
  for (const { place } of entries.toSorted((one, other) => one.rank - other.rank)) {
    const at = merged.findIndex((each) => isSamePlace(each, place))
    if (at === -1) merged.push(place)
    else merged[at] = withMore(merged[at]!, place)
  }
  return merged
}

function withMore(first: GazetteerPlace, other: GazetteerPlace): GazetteerPlace {
  const population = Math.max(first.population, other.population)
  if (population === first.population && (first.notable || !other.notable)) return first
  return { ...first, population, ...(first.notable || other.notable ? { notable: true } : {}) }
}
