import type { Point } from 'geojson'
import type { MapGeoJSONFeature } from 'maplibre-gl'
import type { BoundingBox } from '../../view/view.ts'
import { type ImpreciseMark, isImprecise } from './imprecise-areas.ts'

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
