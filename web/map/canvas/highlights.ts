import type { Feature, Point } from 'geojson'
import { type GeoJSONSource, type Map as MapLibre, Marker } from 'maplibre-gl'
import { selected } from '../data/selected-incident.ts'
import { circleAround } from './circle.ts'
import { pointedAt } from './commands.ts'
import { isVague } from './imprecise-areas.ts'

const PULSE = 600

/** Rings the incident whose card is open, and the ground that it may lie on. */
export function showChosen(map: MapLibre): void {
  const now = selected.get()
  const features: Feature[] = []
  if (now.state === 'open') {
    const { lat, lng, location } = now.incident
    if (location.radius_km) features.push(circleAround(lat, lng, location.radius_km))
    if (!isVague(location.precision)) features.push(pointAt(lat, lng))
  }
  map.getSource<GeoJSONSource>('chosen')?.setData({ type: 'FeatureCollection', features })
}

/** Rings what the pointer or the focus rests on in the list. */
export function showPointed(map: MapLibre): void {
  const at = pointedAt.get()
  const features = at === null ? [] : [pointAt(at.lat, at.lng)]
  map.getSource<GeoJSONSource>('pointed')?.setData({ type: 'FeatureCollection', features })
}

/** Swells once where an incident has arrived. */
export function pulse(map: MapLibre, lat: number, lng: number): void {
  const element = document.createElement('div')
  element.className = 'pulse'
  const marker = new Marker({ element }).setLngLat([lng, lat]).addTo(map)
  setTimeout(() => marker.remove(), PULSE)
}

function pointAt(lat: number, lng: number): Feature<Point> {
  return { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [lng, lat] } }
}
