import type { LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'
import type { SmallMapParts } from '../../../shared/parts/load-small-map.ts'
import { createSmallMap, NOTHING } from '../../../shared/parts/small-map.ts'
import { initialData } from '../../initial-data.ts'
import type { Site } from '../site-list.ts'
import { siteFeatures, sitesBox } from './site-features.ts'

export interface SitesMap {
  showSites(sites: readonly Site[]): void
  zoomBy(levels: number): void
  remove(): void
}

export function createSitesMap(container: HTMLElement, parts: SmallMapParts): SitesMap {
  let features = NOTHING
  const { hasLgas, hasRoads } = initialData
  const { map, setData, remove } = createSmallMap({
    ...parts,
    container,
    label: 'Map of the sites',
    hasLgas,
    hasRoads,
    overlay: (colours) => ({
      sources: { sites: features },
      belowNames: circleLayers(colours),
      aboveNames: [pointLayer(colours)],
    }),
  })
  return {
    showSites(sites) {
      features = siteFeatures(sites)
      setData('sites', features)
      const box = sitesBox(sites)
      if (box !== null) map.fitBounds(box, { animate: false, padding: 30, maxZoom: 11 })
    },
    zoomBy: (levels) => void map.zoomTo(map.getZoom() + levels),
    remove,
  }
}

function circleLayers(colours: Colours): LayerSpecification[] {
  const filter: ['==', ['geometry-type'], 'Polygon'] = ['==', ['geometry-type'], 'Polygon']
  return [
    {
      id: 'site-circles',
      type: 'fill',
      source: 'sites',
      filter,
      paint: { 'fill-color': colours.accent, 'fill-opacity': 0.1 },
    },
    {
      id: 'site-edges',
      type: 'line',
      source: 'sites',
      filter,
      paint: { 'line-color': colours.accent, 'line-width': 1, 'line-opacity': 0.6 },
    },
  ]
}

function pointLayer(colours: Colours): LayerSpecification {
  return {
    id: 'site-points',
    type: 'circle',
    source: 'sites',
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, 2.5, 10, 5],
      'circle-color': colours.accent,
      'circle-stroke-color': colours.panel,
      'circle-stroke-width': 1,
    },
  }
}
