import type { Feature, MultiPolygon, Polygon } from 'geojson'
import { circleAround } from '../../../shared/ground/circle.ts'
import type { Boundaries } from '../style/labels.ts'

/** An incident or a cluster whose place is known only to its LGA or state. */
export interface ImpreciseMark {
  readonly lat: number
  readonly lng: number
  readonly radiusKm: number | null
  readonly stateCode: string | null
  /** Null if only the state is known. */
  readonly lgaCode: string | null
}

export interface AreaBoundaries {
  readonly states: Boundaries
  /** Null if the operator has none, or until they are loaded. */
  readonly lgas: Boundaries | null
}

export function isImprecise(precision: unknown): boolean {
  return precision === 'lga' || precision === 'state'
}

/**
 * Returns the area in which it may have happened: the LGA or the state, whichever is known. Without
 * the LGA's boundary, a circle of its radius; a cluster has none, so its state is the best answer.
 */
export function areaOf(mark: ImpreciseMark, { states, lgas }: AreaBoundaries): Feature<Polygon | MultiPolygon> | null {
  const lga = mark.lgaCode && lgas?.features.find(({ properties }) => properties.code === mark.lgaCode)
  if (lga) return lga
  if (mark.lgaCode !== null && mark.radiusKm !== null) return circleAround(mark.lat, mark.lng, mark.radiusKm)
  const state = states.features.find(({ properties }) => properties.code === mark.stateCode)
  if (state) return state
  return mark.radiusKm === null ? null : circleAround(mark.lat, mark.lng, mark.radiusKm)
}
