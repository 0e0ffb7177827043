import type { Feature, FeatureCollection } from 'geojson'
import { type LayerSpecification, Marker } from 'maplibre-gl'
import { boxAround, circleAround } from '../shared/ground/circle.ts'
import type { Colours } from '../shared/ground/colours.ts'
import type { SmallMapParts } from '../shared/parts/load-small-map.ts'
import { createSmallMap } from '../shared/parts/small-map.ts'

interface ShownPlace {
  readonly lat: number
  readonly lng: number
  /** Null for an exact point. */
  readonly radiusKm: number | null
}

interface PlaceMap {
  show(place: ShownPlace): void
  /** Draws the point elsewhere without moving the map. */
  drawPoint(lat: number, lng: number): void
  remove(): void
}

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

/**
 * Draws a place. `onMove` is called with every new point; Enter and Escape on it end the moving.
 */
export function createPlaceMap(
  container: HTMLElement,
  parts: SmallMapParts,
  handlers: { onMove(lat: number, lng: number): void; onEnter(): void; onEscape(): void },
): PlaceMap {
  let shown: ShownPlace = { lat: 9.1, lng: 8, radiusKm: 300 }
  const { map, setData, remove } = createSmallMap({
    ...parts,
    container,
    label: 'Map of the place',
    overlay: (colours) => ({ sources: { area: areaOf(shown) }, belowNames: areaLayers(colours) }),
  })

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
  return {
    show(place) {
      shown = place
      marker.setLngLat([place.lng, place.lat])
      setData('area', areaOf(place))
      const box = boxAround(place.lat, place.lng, Math.max(MIN_SHOWN_KM, (place.radiusKm ?? 0) * 2))
      map.fitBounds(box, { animate: false, padding: 8 })
    },
    drawPoint: (lat, lng) => marker.setLngLat([lng, lat]),
    remove,
  }
}

/** The circle within which the place lies. */
function areaOf({ lat, lng, radiusKm }: ShownPlace): FeatureCollection {
  const features: Feature[] = radiusKm === null ? [] : [circleAround(lat, lng, radiusKm)]
  return { type: 'FeatureCollection', features }
}

function areaLayers({ accent }: Colours): LayerSpecification[] {
  return [
    { id: 'area', type: 'fill', source: 'area', paint: { 'fill-color': accent, 'fill-opacity': 0.1 } },
    {
      id: 'area-edge',
      type: 'line',
      source: 'area',
      paint: { 'line-color': accent, 'line-width': 1.6, 'line-dasharray': [3, 2] },
    },
  ]
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
