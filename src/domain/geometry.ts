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
  const south = lat - latReach
  const north = lat + latReach
  const lngReach = latReach / Math.cos(Math.max(Math.abs(south), Math.abs(north)) * DEGREE)
  // Around a pole, or over the date line, a circle reaches every longitude or both ends of them.
  const allAround = Math.max(Math.abs(south), Math.abs(north)) >= 89 || lng - lngReach < -180 || lng + lngReach > 180
  return { west: allAround ? -180 : lng - lngReach, south, east: allAround ? 180 : lng + lngReach, north }
}
