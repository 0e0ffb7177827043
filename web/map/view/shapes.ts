import { nearRoute, routeOf } from '../../../src/filter/shapes.ts'
import { intersectsItself, isInRing, type Ring, signedArea } from '../../../src/lib/rings.ts'

/** A circle around a point, as the API's `near` and `radius_km`. */
export interface Near {
  readonly lat: number
  readonly lng: number
  readonly radiusKm: number
}

/** A road as straight lines between points, and how far from it incidents count. */
export interface Road {
  /** Longitude and latitude of each point. */
  readonly line: readonly (readonly [number, number])[]
  readonly bufferKm: number
}

export const RADIUS_CHOICES_KM = [5, 10, 25, 50, 100] as const
export const BUFFER_CHOICES_KM = [2, 5, 10, 25] as const
/** More would make an address that messengers cut off; a road of Nigeria needs about ten. */
export const MAX_ROAD_POINTS = 40

const MAX_RADIUS_KM = 500
const [MIN_BUFFER_KM, MAX_BUFFER_KM] = [0.1, 100]
/** About 100 m: the address may be shared, and nobody needs to know the very house. */
const DIGITS = 3

/** Null if the address has none, or one that the API would refuse. */
export function nearIn(address: URLSearchParams): Near | null {
  // Latitude first, as in the API.
  const point = pointIn((address.get('near') ?? '').split(',').reverse().join())
  const radiusKm = numberIn(address.get('radius_km'), 0.001, MAX_RADIUS_KM)
  return point === null || radiusKm === null ? null : { lat: point[1], lng: point[0], radiusKm }
}

export function nearText({ lat, lng }: Near): string {
  return `${rounded(lat)},${rounded(lng)}`
}

/** Reads `road=lng,lat;lng,lat` and `buffer_km`; null if there is none. */
export function roadIn(address: URLSearchParams): Road | null {
  const points = (address.get('road') ?? '').split(';', MAX_ROAD_POINTS + 1)
  const line = points.map(pointIn)
  const bufferKm = numberIn(address.get('buffer_km'), MIN_BUFFER_KM, MAX_BUFFER_KM)
  const isLine = line.length >= 2 && line.length <= MAX_ROAD_POINTS && line.every((point) => point !== null)
  if (!isLine || bufferKm === null || new Set(line.map(String)).size < 2) return null
  return { line, bufferKm }
}

export function roadText({ line }: Road): string {
  return line.map(pointText).join(';')
}

/** The road as the API takes it in a body. */
function routeMember({ line, bufferKm }: Road): object {
  return { line, buffer_km: bufferKm }
}

/** Longitude and latitude, in this order. */
function pointIn(text: string): [number, number] | null {
  const match = /^(-?\d{1,3}(?:\.\d{1,15})?),(-?\d{1,3}(?:\.\d{1,15})?)$/.exec(text)
  if (match === null) return null
  const [lng, lat] = [Number(match[1]), Number(match[2])]
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? [lng, lat] : null
}

function pointText([lng, lat]: readonly [number, number]): string {
  return `${rounded(lng)},${rounded(lat)}`
}

function numberIn(text: string | null, least: number, most: number): number | null {
  const value = text !== null && /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : null
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(DIGITS))
}

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

/** The parts of a view that a query string cannot hold. */
export interface Shapes {
  readonly road: Road | null
  readonly polygon: DrawnArea | null
}

/** The shapes as members of a body; null if there are none. */
export function shapeMembers({ road, polygon }: Shapes): object | null {
  if (road === null && polygon === null) return null
  return { ...(road && { route: routeMember(road) }), ...(polygon && { polygon: polygonOf(polygon) }) }
}

/**
 * Whether an incident that arrives is one of the road's and of the area's; always true without
 * them.
 */
export function isInShapes({ road, polygon }: Shapes, lat: number, lng: number): boolean {
  return (
    (road === null || nearRoute(routeOf(Float64Array.from(road.line.flat()), road.bufferKm), lat, lng)) &&
    (polygon === null || isInArea(polygon, lat, lng))
  )
}
