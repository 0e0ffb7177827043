import type { MapGeoJSONFeature, Map as MapLibre, PointLike } from 'maplibre-gl'
import { changeView } from '../view/current-view.ts'
import { BY_HAND } from './commands.ts'
import { POINT_LAYERS } from './style/style.ts'

/** Fingers are wide. */
const REACH = 14

/** A click on an incident opens its card, on a cluster goes nearer, on an area that several share shows these. */
export function takeClicks(map: MapLibre, animate: () => boolean): void {
  map.on('click', ({ point }) => {
    const [feature] = byRank(featuresAt(map, point.x, point.y, REACH))
    if (feature !== undefined) follow(feature)
  })
  map.on('mousemove', ({ point }) => {
    map.getCanvas().style.cursor = featuresAt(map, point.x, point.y, 0).length > 0 ? 'pointer' : ''
  })

  function follow({ properties }: MapGeoJSONFeature): void {
    const { id, place, isState, state, west, south, east, north } = properties as Record<string, never>
    if (id !== undefined) changeView({ incident: id })
    else if (place !== undefined) changeView({ states: [state!], lgas: isState ? [] : [place] })
    else map.fitBounds([west!, south!, east!, north!], { padding: 60, maxZoom: 12, animate: animate() }, BY_HAND)
  }
}

function featuresAt(map: MapLibre, x: number, y: number, reach: number): MapGeoJSONFeature[] {
  const layers = POINT_LAYERS.filter((id) => map.getLayer(id))
  const around: [PointLike, PointLike] = [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ]
  return map.queryRenderedFeatures(around, { layers })
}

/** Where several lie beneath a finger, those known best come first. */
function byRank(features: MapGeoJSONFeature[]): MapGeoJSONFeature[] {
  const rank = ({ layer }: MapGeoJSONFeature) => (POINT_LAYERS as readonly string[]).indexOf(layer.id)
  return features.toSorted((one, other) => rank(one) - rank(other))
}
