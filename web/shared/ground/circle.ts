import type { Feature, Polygon } from 'geojson'
import { KM_PER_DEGREE } from '../../../src/lib/geometry.ts'

const CORNERS = 128

/** Returns a circle on the ground as a polygon. */
export function circleAround(lat: number, lng: number, radiusKm: number): Feature<Polygon> {
  const height = radiusKm / KM_PER_DEGREE
  const width = height / Math.cos((lat * Math.PI) / 180)
  const ring = Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const angle = ((corner % CORNERS) / CORNERS) * 2 * Math.PI
    return [lng + width * Math.cos(angle), lat + height * Math.sin(angle)]
  })
  return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }
}

/** Returns the west, south, east and north of the circle. */
export function boxAround(lat: number, lng: number, radiusKm: number): [number, number, number, number] {
  const height = radiusKm / KM_PER_DEGREE
  const width = height / Math.cos((lat * Math.PI) / 180)
  return [lng - width, lat - height, lng + width, lat + height]
}
