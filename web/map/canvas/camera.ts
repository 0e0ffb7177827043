import type { Map as MapLibre } from 'maplibre-gl'
import type { Box } from '../data/incident-list.ts'
import type { Camera } from '../view/view.ts'

const NIGERIA: [number, number, number, number] = [2.65, 4.2, 14.7, 13.95]
/** Zoomed in by less than this, the map still shows all of Nigeria. */
const STILL_HOME = 0.35
const NARROW = 600

/** All of Nigeria, clear of what lies over the map. */
export function home(place: HTMLElement) {
  const padding =
    place.clientWidth < NARROW
      ? { top: 64, bottom: 230, left: 10, right: 10 }
      : { top: 24, bottom: 30, left: 24, right: 24 }
  return { bounds: NIGERIA, fitBoundsOptions: { padding } }
}

export function isHome(map: MapLibre): boolean {
  const { bounds, fitBoundsOptions } = home(map.getContainer())
  const zoom = map.cameraForBounds(bounds, fitBoundsOptions)?.zoom
  return zoom !== undefined && map.getZoom() < zoom + STILL_HOME
}

export function goHome(map: MapLibre, animate: boolean): void {
  const { bounds, fitBoundsOptions } = home(map.getContainer())
  map.fitBounds(bounds, { ...fitBoundsOptions, animate, duration: 500 })
}

export function cameraOf(map: MapLibre): Camera {
  const { lat, lng } = map.getCenter()
  return { zoom: map.getZoom(), lat, lng }
}

export function isSame(one: Camera, other: Camera): boolean {
  const near = (here: number, there: number, most: number) => Math.abs(here - there) < most
  return near(one.zoom, other.zoom, 0.01) && near(one.lat, other.lat, 0.001) && near(one.lng, other.lng, 0.001)
}

/** What the map shows; null where that is all of Nigeria. Rounded, so that the same view asks the same question. */
export function boxOf(map: MapLibre): Box | null {
  if (isHome(map)) return null
  const bounds = map.getBounds()
  const round = (degrees: number, most: number) => Math.max(-most, Math.min(most, Number(degrees.toFixed(3))))
  return [
    round(bounds.getWest(), 180),
    round(bounds.getSouth(), 90),
    round(bounds.getEast(), 180),
    round(bounds.getNorth(), 90),
  ]
}
