import type { Map as MapLibre } from 'maplibre-gl'
import { MAX_ROAD_POINTS } from '../../view/near-and-road.ts'
import { drawnRoad } from '../commands.ts'

/** While a road is drawn, each click on the map adds a point to it. Returns a function that ends it. */
export function drawRoadOn(map: MapLibre): () => void {
  map.on('click', ({ lngLat }) => {
    const points = drawnRoad.get()
    if (points === null || points.length >= MAX_ROAD_POINTS) return
    drawnRoad.set([...points, [Number(lngLat.lng.toFixed(3)), Number(lngLat.lat.toFixed(3))]])
  })
  return drawnRoad.subscribe((points, before) => {
    if ((points === null) === (before === null)) return
    map.getCanvas().style.cursor = points === null ? '' : 'crosshair'
    // A double click would zoom instead of adding a point.
    if (points === null) map.doubleClickZoom.enable()
    else map.doubleClickZoom.disable()
  })
}
