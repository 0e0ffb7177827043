import type { MapGeoJSONFeature, Map as MapLibre, PointLike } from 'maplibre-gl'
import { renderedFeatures } from '../rendered-features.ts'
import { MARK_LAYERS } from '../style/style.ts'
import { type Mark, markOf } from './mark.ts'

/** A finger covers about 44 pixels. */
export const TOUCH_RADIUS_PX = 22
export const MOUSE_RADIUS_PX = 10
const DRAWN_RADIUS_PX = { cluster: 16, single: 6 } as const

/**
 * Returns the mark whose drawing is nearest to the point of the screen; null if none is within
 * reach.
 */
export function nearestMark(map: MapLibre, x: number, y: number, reach: number): Mark | null {
  const layers = MARK_LAYERS.filter((id) => map.getLayer(id))
  if (layers.length === 0) return null
  const box: [PointLike, PointLike] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ]
  const distanceTo = (mark: Mark) => {
    const at = map.project([mark.lng, mark.lat])
    return Math.hypot(at.x - x, at.y - y) - (mark.id === null ? DRAWN_RADIUS_PX.cluster : DRAWN_RADIUS_PX.single)
  }
  const marks = renderedFeatures(map, layers, box).map((feature: MapGeoJSONFeature) => markOf(feature))
  const [nearest] = marks.toSorted((one, other) => distanceTo(one) - distanceTo(other))
  return nearest ?? null
}
