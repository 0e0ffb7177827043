import type { PlaceKind } from '../../domain/places.ts'

/**
 * The usual extent of what is larger than a point, where its source does not say; null by
 * population.
 */
export const USUAL_RADIUS_KM: Readonly<Record<PlaceKind, number | null>> = {
  settlement: null,
  forest: 15,
  river: 40,
  lake: 15,
  mountain: 10,
  market: 2,
  camp: 2,
  road: 30,
}

/** These are as precise as a settlement. */
export const POINT_KINDS: ReadonlySet<PlaceKind> = new Set(['settlement', 'market', 'camp'])
