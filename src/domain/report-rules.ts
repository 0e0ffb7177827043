/** Rules for the times, coordinates and addresses of a report, shared by the report endpoints and the imports. */

const EARLIEST = Date.UTC(1960)
/** In Lagos the day begins an hour before it does in UTC. */
const AHEAD = 3_600_000

export function timeFault(moment: number, now: number): string | null {
  if (moment < EARLIEST) return 'lies before 1960'
  return moment > now + AHEAD ? 'lies in the future' : null
}

const near = (lat: number, lng: number): boolean => lat >= 4 && lat <= 14 && lng >= 2.5 && lng <= 15
/** With the sea that pirates work in. */
const within = (lat: number, lng: number): boolean => lat >= 0 && lat <= 16 && lng >= 0 && lng <= 17

/** Lagos the wrong way round lies at sea, among the oil fields: `mayBeAtSea` for what may well happen there. */
export function coordinatesFault(lat: number, lng: number, mayBeAtSea: boolean): string | null {
  if (within(lat, lng) && (mayBeAtSea || near(lat, lng) || !near(lng, lat))) return null
  if (near(lng, lat)) return `lat ${lat}, lng ${lng} look swapped: the other way round they lie in Nigeria`
  if (Math.abs(lat) > 90) return `lat ${lat} is no latitude: it must lie between -90 and 90`
  if (Math.abs(lng) > 180) return `lng ${lng} is no longitude: it must lie between -180 and 180`
  return `lat ${lat}, lng ${lng} lie far from Nigeria`
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
}
