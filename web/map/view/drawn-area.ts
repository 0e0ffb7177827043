import { intersectsItself, isInRing, type Ring, signedArea } from '../../../src/lib/rings.ts'
import { pointIn, pointText } from './near-and-road.ts'

/** The corners of an area that was drawn, longitude first, in order around it; none is repeated. */
export type DrawnArea = readonly (readonly [number, number])[]

/** As many as a road's points: more would make an address that messengers cut off. */
export const MAX_CORNERS = 40

/**
 * Reads `polygon=lng,lat;lng,lat;…`, the last corner the same as the first; null if there is none
 * that the API takes.
 */
export function drawnAreaIn(address: URLSearchParams): DrawnArea | null {
  const points = (address.get('polygon') ?? '').split(';', MAX_CORNERS + 2).map(pointIn)
  if (points.length > MAX_CORNERS + 1 || points.some((point) => point === null)) return null
  const closed = points as [number, number][]
  const corners = String(closed[0]) === String(closed.at(-1)) ? closed.slice(0, -1) : closed
  return isWhole(corners) ? corners : null
}

export function drawnAreaText(corners: DrawnArea): string {
  return closed(corners).map(pointText).join(';')
}

/** Whether the corners enclose something and the sides do not cross, as the API demands. */
export function isWhole(corners: DrawnArea): boolean {
  if (corners.length < 3) return false
  const ring = ringOf(corners)
  return signedArea(ring) !== 0 && !intersectsItself(ring)
}

export function isInArea(corners: DrawnArea, lat: number, lng: number): boolean {
  return isInRing(ringOf(corners), lat, lng)
}

/** As GeoJSON, for the API and for MapLibre. */
export function polygonOf(corners: DrawnArea): { readonly type: 'Polygon'; readonly coordinates: number[][][] } {
  return { type: 'Polygon', coordinates: [closed(corners).map((corner) => [...corner])] }
}

function closed(corners: DrawnArea): DrawnArea {
  return [...corners, corners[0]!]
}

function ringOf(corners: DrawnArea): Ring {
  return Float64Array.from(closed(corners).flat())
}
