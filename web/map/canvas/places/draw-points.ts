import type { Map as MapLibre } from 'maplibre-gl'
import { MAX_CORNERS } from '../../view/drawn-area.ts'
import { MAX_ROAD_POINTS } from '../../view/near-and-road.ts'
import { drawnArea, drawnRoad } from '../commands.ts'

const DRAWN = [
  { store: drawnRoad, most: MAX_ROAD_POINTS },
  { store: drawnArea, most: MAX_CORNERS },
] as const

/**
 * While a road or an area is drawn, each click on the map adds a point to it. Returns functions
 * that end it.
 */
export function drawPointsOn(map: MapLibre): (() => void)[] {
  return DRAWN.map(({ store, most }) => {
    map.on('click', ({ lngLat }) => {
      const points = store.get()
      if (points === null || points.length >= most) return
      store.set([...points, [Number(lngLat.lng.toFixed(3)), Number(lngLat.lat.toFixed(3))]])
    })
    const follow = (points: unknown, before: unknown) => {
      if ((points === null) === (before === null)) return
      map.getCanvas().style.cursor = points === null ? '' : 'crosshair'
      // A double click would zoom instead of adding a point.
      if (points === null) map.doubleClickZoom.enable()
      else map.doubleClickZoom.disable()
    }
    // The map may be loaded because somebody draws.
    follow(store.get(), null)
    return store.subscribe(follow)
  })
}
