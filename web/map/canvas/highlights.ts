import type { Feature, Point } from 'geojson'
import { type GeoJSONSource, type Map as MapLibre, Marker } from 'maplibre-gl'
import { selectedIncident } from '../data/selected-incident.ts'
import { circleAround } from './circle.ts'
import { hoveredPoint } from './commands.ts'
import { isImprecise } from './imprecise-areas.ts'

/** As long as the animation in styles/canvas.css. */
const PULSE_MS = 600

/** Draws a ring around the incident whose card is open, and the area that it may lie in. */
export function showSelected(map: MapLibre): void {
  const selection = selectedIncident.get()
  const features: Feature[] = []
  if (selection.state === 'open') {
    const { lat, lng, location } = selection.incident
    if (location.radius_km) features.push(circleAround(lat, lng, location.radius_km))
    if (!isImprecise(location.precision)) features.push(pointAt(lat, lng))
  }
  map.getSource<GeoJSONSource>('selected')?.setData({ type: 'FeatureCollection', features })
}

/** Draws a ring around the incident whose list row has the pointer or the focus. */
export function showHovered(map: MapLibre): void {
  const point = hoveredPoint.get()
  const features = point === null ? [] : [pointAt(point.lat, point.lng)]
  map.getSource<GeoJSONSource>('hovered')?.setData({ type: 'FeatureCollection', features })
}

/** Shows a short pulse at a new incident. */
export function showPulse(map: MapLibre, lat: number, lng: number): void {
  const element = document.createElement('div')
  element.className = 'pulse'
  const marker = new Marker({ element }).setLngLat([lng, lat]).addTo(map)
  setTimeout(() => marker.remove(), PULSE_MS)
}

function pointAt(lat: number, lng: number): Feature<Point> {
  return { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [lng, lat] } }
}
