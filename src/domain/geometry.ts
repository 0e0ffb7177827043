const EARTH_RADIUS_KM = 6371.0088
const DEGREE = Math.PI / 180

export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export function inBox(box: Box, lat: number, lng: number): boolean {
  return lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east
}

/** Great-circle distance (haversine). */
export function distanceKm(latA: number, lngA: number, latB: number, lngB: number): number {
  const sinLat = Math.sin(((latB - latA) * DEGREE) / 2)
  const sinLng = Math.sin(((lngB - lngA) * DEGREE) / 2)
  const chord = sinLat * sinLat + Math.cos(latA * DEGREE) * Math.cos(latB * DEGREE) * sinLng * sinLng
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** A box that holds the whole circle, a little more than fits: for finding candidates, not for deciding. */
export function boxAround(lat: number, lng: number, radiusKm: number): Box {
  const latReach = radiusKm / (EARTH_RADIUS_KM * DEGREE) + 1e-9
  const farthestLat = Math.min(90, Math.max(Math.abs(lat - latReach), Math.abs(lat + latReach)))
  const lngReach = farthestLat >= 89 ? 180 : Math.min(180, latReach / Math.cos(farthestLat * DEGREE))
  return { west: lng - lngReach, south: lat - latReach, east: lng + lngReach, north: lat + latReach }
}
