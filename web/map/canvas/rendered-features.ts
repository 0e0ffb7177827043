import type { MapGeoJSONFeature, Map as MapLibre, PointLike } from 'maplibre-gl'

/**
 * Returns the features that are drawn. MapLibre 6.17 throws "Out of bounds" while a tile that has
 * become empty is still drawn with its old marks; thrown inside one of its frames, that would stop
 * the map for good.
 */
export function renderedFeatures(map: MapLibre, layers: string[], box?: [PointLike, PointLike]): MapGeoJSONFeature[] {
  try {
    return box === undefined ? map.queryRenderedFeatures({ layers }) : map.queryRenderedFeatures(box, { layers })
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Out of bounds')) return []
    throw error
  }
}
