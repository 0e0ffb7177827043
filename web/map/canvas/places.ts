import type { Feature, FeatureCollection, Polygon } from 'geojson'
import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { boxAround, circleAround } from '../../shared/ground/circle.ts'
import { changeView, currentView } from '../view/current-view.ts'
import { type DrawnArea, MAX_CORNERS, MAX_ROAD_POINTS, polygonOf } from '../view/shapes.ts'
import type { View } from '../view/view.ts'
import { drawnArea, drawnRoad, isDrawing } from './commands.ts'
import type { Boundaries } from './style/labels.ts'

/** West, south, east, north. */
type Box = [number, number, number, number]

type Chosen = Pick<View, 'states' | 'near' | 'road' | 'polygon'>

/** The circle around a point, the road and the drawn area, for the source `places`. */
export function placeFeatures(
  { near, road, polygon }: Chosen,
  drawn: readonly (readonly [number, number])[],
  corners: DrawnArea | null,
): FeatureCollection {
  const features: Feature[] = []
  const point = (kind: string, coordinates: readonly number[]): Feature => ({
    type: 'Feature',
    properties: { kind },
    geometry: { type: 'Point', coordinates: [...coordinates] },
  })
  if (near !== null) {
    features.push({ ...circleAround(near.lat, near.lng, near.radiusKm), properties: { kind: 'near' } })
    features.push(point('me', [near.lng, near.lat]))
  }
  const line = drawn.length > 0 ? drawn : (road?.line ?? [])
  if (line.length > 1)
    features.push({
      type: 'Feature',
      properties: { kind: drawn.length > 0 ? 'drawn' : 'road' },
      geometry: { type: 'LineString', coordinates: line.map((each) => [...each]) },
    })
  const area = corners ?? polygon ?? []
  if (area.length > 1)
    features.push({ type: 'Feature', properties: { kind: 'near' }, geometry: polygonOf(area) as Polygon })
  const stops = [...line, ...(corners ?? [])]
  return { type: 'FeatureCollection', features: [...features, ...stops.map((each) => point('stop', each))] }
}

/** Returns the box around the chosen states, circle, road and area; null if none is chosen. */
export function boxOfPlaces({ states, near, road, polygon }: Chosen, boundaries: Boundaries): Box | null {
  const positions: (readonly number[])[] = boundaries.features
    .filter(({ properties }) => states.includes(properties.code))
    .flatMap(({ geometry }) => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates))
    .flat(2)
  if (near !== null) positions.push(...cornersOf(boxAround(near.lat, near.lng, near.radiusKm)))
  for (const [lng, lat] of road?.line ?? []) positions.push(...cornersOf(boxAround(lat, lng, road!.bufferKm)))
  positions.push(...(polygon ?? []))
  if (positions.length === 0) return null
  const [lngs, lats] = [positions.map(([lng]) => lng!), positions.map(([, lat]) => lat!)]
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}

function cornersOf([west, south, east, north]: Box): [number, number][] {
  return [
    [west, south],
    [east, north],
  ]
}

export function sameChoice(one: Chosen, other: Chosen): boolean {
  return (
    one.states.join() === other.states.join() &&
    one.near === other.near &&
    one.road === other.road &&
    one.polygon === other.polygon
  )
}

/** Pixels that the panels over a narrow map cover. */
const NARROW_WIDTH_PX = 600

/** Shows the box in the part of the map that nothing covers. */
export function showBox(map: MapLibre, box: Box, animate: boolean, eventData?: object): void {
  const narrow = map.getContainer().clientWidth < NARROW_WIDTH_PX
  const padding = narrow
    ? { top: 70, bottom: Math.min(240, map.getContainer().clientHeight * 0.4), left: 24, right: 24 }
    : { top: 48, bottom: 48, left: 60, right: 72 }
  map.fitBounds(box, { padding, maxZoom: 12, animate, duration: 600 }, eventData)
}

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

/** In the layer "By state", a tap on a state chooses it. */
export function openStatesOn(map: MapLibre): void {
  const stateAt = ({ point }: MapMouseEvent): string | null => {
    if (currentView.get().layer !== 'states' || isDrawing() || !map.getLayer('shades')) return null
    const [feature] = map.queryRenderedFeatures(point, { layers: ['shades'] })
    return feature === undefined ? null : String(feature.properties.code)
  }
  map.on('click', (event) => {
    const code = stateAt(event)
    if (code !== null) changeView({ states: [code], lgas: [] })
  })
  map.on('mousemove', (event) => {
    if (currentView.get().layer === 'states') map.getCanvas().style.cursor = stateAt(event) === null ? '' : 'pointer'
  })
}
