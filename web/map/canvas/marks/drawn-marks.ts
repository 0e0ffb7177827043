import type { MapGeoJSONFeature, Map as MapLibre } from 'maplibre-gl'
import { currentView } from '../../view/current-view.ts'
import { heatWeight } from '../layers/heat.ts'
import { renderedFeatures } from '../rendered-features.ts'
import { MARK_LAYERS } from '../style/style.ts'
import { markOf } from './mark.ts'

/**
 * Returns a function that follows what the tiles show together: the fullest cell, which scales the
 * heat, and the numbers on the marks in sight (`data-marks`, absent while the map moves or loads),
 * which tests compare with the API. Call it whenever the map is idle, and with
 * `force` after the style was replaced.
 */
export function drawnMarksUpdater(map: MapLibre): (force?: boolean) => void {
  let scaledBy = 0
  const container = map.getContainer()
  for (const change of ['movestart', 'dataloading'] as const) map.on(change, () => delete container.dataset.marks)
  return (force = false) => {
    const { layer } = currentView.get()
    if (layer === 'incidents') container.dataset.marks = countsOn(map).join(' ')
    if (layer !== 'heat' || !map.getLayer('heat')) return
    const features = map.querySourceFeatures('incidents', { sourceLayer: 'incidents' })
    const maxCount = Math.max(1, ...features.map(({ properties }) => Number(properties.count ?? 1)))
    // An update makes the map idle once more: without this check it would never end.
    if (scaledBy === maxCount && !force) return
    scaledBy = maxCount
    map.setPaintProperty('heat', 'heatmap-weight', heatWeight(maxCount))
  }
}

/** Returns the number on each mark in sight, largest first; a single incident counts 1. */
function countsOn(map: MapLibre): number[] {
  const layers = MARK_LAYERS.filter((id) => map.getLayer(id))
  const marks = renderedFeatures(map, layers).map((feature: MapGeoJSONFeature) => markOf(feature))
  return marks.map(({ count }) => count).sort((one, other) => other - one)
}
