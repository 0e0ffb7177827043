import type { FeatureCollection } from 'geojson'
import type { LayerSpecification } from 'maplibre-gl'
import type { Site } from '../../../client/src/generated/types.ts'
import { circleAround } from '../../shared/ground/circle.ts'
import type { Colours } from '../../shared/ground/colours.ts'
import type { SmallMapParts } from '../../shared/parts/load-small-map.ts'
import { createSmallMap, NOTHING } from '../../shared/parts/small-map.ts'

export function createSitesMap(container: HTMLElement, parts: SmallMapParts) {
  let features = NOTHING
  const { map, setData, remove } = createSmallMap({
    ...parts,
    container,
    label: 'Map of the sites',
    overlay: (colours) => ({
      sources: { sites: features },
      belowNames: circleLayers(colours),
      aboveNames: [pointLayer(colours)],
    }),
  })
  return {
    showSites(sites: readonly Site[], hasCircles: boolean) {
      features = siteFeatures(sites, hasCircles)
      setData('sites', features)
      const box = sitesBox(sites, hasCircles)
      if (box !== null) map.fitBounds(box, { animate: false, padding: 30, maxZoom: 11 })
    },
    zoomBy: (levels: number) => void map.zoomTo(map.getZoom() + levels),
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

function siteFeatures(sites: readonly Site[], hasCircles: boolean): FeatureCollection {
  const points = sites.map(({ longitude, latitude }) => ({
    type: 'Feature' as const,
    properties: {},
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  }))
  const circles = hasCircles
    ? sites.map(({ latitude, longitude, radius_km }) => circleAround(latitude, longitude, radius_km))
    : []
  return { type: 'FeatureCollection', features: [...circles, ...points] }
}

/** West, south, east and north of what is drawn; null without sites. */
function sitesBox(sites: readonly Site[], hasCircles: boolean): [number, number, number, number] | null {
  if (sites.length === 0) return null
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const { latitude, longitude, radius_km } of sites) {
    const reach = hasCircles ? radius_km / 110 : 0
    west = Math.min(west, longitude - reach)
    south = Math.min(south, latitude - reach)
    east = Math.max(east, longitude + reach)
    north = Math.max(north, latitude + reach)
  }
  return [west, south, east, north]
}
