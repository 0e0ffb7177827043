import type { FeatureCollection } from 'geojson'
import type { GeoJSONSource, Map as MapLibre, SourceSpecification } from 'maplibre-gl'
import groundUrl from './ground.json?url'
import detailUrl from './ground-detail.json?url'

/** Small rivers and small towns are drawn from here on; before, they are not loaded. */
const DETAIL_MIN_ZOOM = 6.5
const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] }

let detailIsLoaded = false

/** The sources of the ground: MapLibre's worker loads each from its address. */
export function groundSources(hasRoads: boolean): Record<string, SourceSpecification> {
  return {
    ground: { type: 'geojson', data: absolute(groundUrl) },
    'ground-detail': { type: 'geojson', data: detailIsLoaded ? absolute(detailUrl) : NOTHING },
    roads: { type: 'geojson', data: hasRoads ? absolute('/v1/places/roads.geojson') : NOTHING },
  }
}

/** Loads the detail once the map is near enough to show it. */
export function loadDetailWhenNear(map: MapLibre): void {
  const load = () => {
    const source = map.getSource<GeoJSONSource>('ground-detail')
    if (source === undefined || map.getZoom() < DETAIL_MIN_ZOOM) return
    map.off('zoom', load)
    detailIsLoaded = true
    source.setData(absolute(detailUrl))
  }
  map.on('zoom', load)
  map.once('load', load)
}

function absolute(path: string): string {
  return new URL(path, location.href).href
}
