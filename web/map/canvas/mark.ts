import type { Feature, MultiPolygon, Point, Polygon } from 'geojson'
import type { MapGeoJSONFeature } from 'maplibre-gl'
import { circleAround } from '../../shared/ground/circle.ts'
import type { BoundingBox } from '../view/view.ts'
import type { Boundaries } from './style/labels.ts'

/** A mark of a tile, as it is drawn. */
export interface Mark {
  /** Null for a cluster. */
  readonly id: string | null
  readonly count: number
  readonly lat: number
  readonly lng: number
  /** The extent of a cluster. */
  readonly box: BoundingBox | null
  readonly isSamePoint: boolean
  /** Set if all of it is known only to one LGA or one state. */
  readonly imprecise: ImpreciseMark | null
}

export function markOf({ properties, geometry }: Pick<MapGeoJSONFeature, 'properties' | 'geometry'>): Mark {
  const [lng, lat] = (geometry as Point).coordinates as [number, number]
  const { id, count, same_point, west, south, east, north, precision, imprecise } = properties
  const { radius_km, state_code, lga_code } = properties
  const isCluster = count !== undefined
  const isBadge = isCluster ? imprecise === count && state_code !== undefined : isImprecise(precision)
  const isLgaKnown = lga_code !== undefined && (isCluster || precision === 'lga')
  return {
    id: isCluster ? null : String(id),
    count: Number(count ?? 1),
    lat,
    lng,
    box: isCluster ? [Number(west), Number(south), Number(east), Number(north)] : null,
    isSamePoint: same_point === true,
    imprecise: isBadge
      ? {
          lat,
          lng,
          radiusKm: radius_km === undefined ? null : Number(radius_km),
          stateCode: state_code === undefined ? null : String(state_code),
          lgaCode: isLgaKnown ? String(lga_code) : null,
        }
      : null,
  }
}

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
