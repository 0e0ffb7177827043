import type { Feature, Point } from 'geojson'
import { type GeoJSONSource, type Map as MapLibre, Marker } from 'maplibre-gl'
import type { Incident } from '../../../src/domain/incident.ts'
import { selectedIncident } from '../data/selected-incident.ts'
import { hoveredPoint } from './commands.ts'
import { type AreaBoundaries, areaOf, type ImpreciseMark, isImprecise, type Mark } from './mark.ts'

type Located = Pick<Incident, 'lat' | 'lng' | 'location'>

/** As long as the animation in styles/canvas.css. */
const PULSE_MS = 600

/** Draws a ring around the incident whose card is open, or hatches the area that it may lie in. */
export function showSelected(map: MapLibre, boundaries: AreaBoundaries): void {
  const selection = selectedIncident.get()
  show(map, 'selected', selection.state === 'open' ? featureOf(selection.incident, boundaries) : null)
}

/** Draws the same for the incident whose list row has the pointer or the focus. */
export function showHovered(map: MapLibre, boundaries: AreaBoundaries): void {
  const point = hoveredPoint.get()
  show(map, 'hovered', point && featureOf(point, boundaries))
}

/** Hatches the area of the mark under the pointer, if its place is not known. */
export function showHoveredMark(map: MapLibre, mark: Mark | null, boundaries: AreaBoundaries): void {
  show(map, 'hovered', mark?.imprecise ? areaOf(mark.imprecise, boundaries) : null)
}

/** Shows a short pulse at a new incident. */
export function showPulse(map: MapLibre, lat: number, lng: number): void {
  // MapLibre moves the outer element with `transform`; an animated `scale` on the same element
  // would scale that movement too, and the pulse would come from the corner of the map.
  const element = document.createElement('div')
  const pulse = document.createElement('div')
  pulse.className = 'pulse'
  element.append(pulse)
  const marker = new Marker({ element }).setLngLat([lng, lat]).addTo(map)
  setTimeout(() => marker.remove(), PULSE_MS)
}

function featureOf({ lat, lng, location }: Located, boundaries: AreaBoundaries): Feature | null {
  if (!isImprecise(location.precision)) return pointAt(lat, lng)
  const mark: ImpreciseMark = {
    lat,
    lng,
    radiusKm: location.radius_km,
    stateCode: location.state_code,
    lgaCode: location.precision === 'lga' ? location.lga_code : null,
  }
  return areaOf(mark, boundaries)
}

function show(map: MapLibre, source: 'selected' | 'hovered', feature: Feature | null): void {
  map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features: feature ? [feature] : [] })
}

function pointAt(lat: number, lng: number): Feature<Point> {
  return { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [lng, lat] } }
}
