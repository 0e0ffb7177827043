import type { Map as MapLibre } from 'maplibre-gl'
import { badgeImage } from '../layers/badges.ts'
import { clusterImage } from '../layers/clusters.ts'
import { pointImage } from '../layers/points.ts'
import type { StyleOptions } from '../style/style-options.ts'

/** Draws the marks again for another window; a new style would drop the tiles that are loaded. */
export function updateRecency(map: MapLibre, options: Pick<StyleOptions, 'theme' | 'recency'>): void {
  const images = { clusters: clusterImage, dots: pointImage, badges: badgeImage }
  for (const [layer, image] of Object.entries(images)) {
    if (map.getLayer(layer)) map.setLayoutProperty(layer, 'icon-image', image(options))
  }
}
