import type { MapGeoJSONFeature, Map as MapLibre, PointLike } from 'maplibre-gl'
import { changeView } from '../view/current-view.ts'
import { USER_MOVE } from './commands.ts'
import { CLICKABLE_LAYERS } from './style/style.ts'

/** Wide enough for a finger. */
const CLICK_RADIUS_PX = 14

/**
 * Handles clicks: an incident opens its card, a cluster zooms in, and an area that several
 * incidents share filters by its place.
 */
export function handleClicks(map: MapLibre, animate: () => boolean): void {
  map.on('click', ({ point }) => {
    const [feature] = byPrecedence(featuresNear(map, point.x, point.y, CLICK_RADIUS_PX))
    if (feature !== undefined) openFeature(feature)
  })
  map.on('mousemove', ({ point }) => {
    map.getCanvas().style.cursor = featuresNear(map, point.x, point.y, 0).length > 0 ? 'pointer' : ''
  })

  function openFeature({ properties }: MapGeoJSONFeature): void {
    const { id, place, isState, state, west, south, east, north } = properties as Record<string, never>
    if (id !== undefined) changeView({ incident: id })
    else if (place !== undefined) changeView({ states: [state!], lgas: isState ? [] : [place] })
    else map.fitBounds([west!, south!, east!, north!], { padding: 60, maxZoom: 12, animate: animate() }, USER_MOVE)
  }
}

function featuresNear(map: MapLibre, x: number, y: number, radius: number): MapGeoJSONFeature[] {
  const layers = CLICKABLE_LAYERS.filter((id) => map.getLayer(id))
  const box: [PointLike, PointLike] = [
    [x - radius, y - radius],
    [x + radius, y + radius],
  ]
  return map.queryRenderedFeatures(box, { layers })
}

/** Sorts features so that the most precise one under the finger comes first. */
function byPrecedence(features: MapGeoJSONFeature[]): MapGeoJSONFeature[] {
  const rank = ({ layer }: MapGeoJSONFeature) => (CLICKABLE_LAYERS as readonly string[]).indexOf(layer.id)
  return features.toSorted((one, other) => rank(one) - rank(other))
}
