import { isInBox } from '../../lib/geometry/geometry.ts'
import { type Ring, signedArea } from '../../lib/geometry/ring.ts'

/** Nigeria with a margin: a file of another country, or one in metres, is found out by it. */
const NIGERIA = { west: 2.3, south: 3.8, east: 15, north: 14.2 }

/** What makes the ring useless for telling inside from outside; null where nothing does. */
export function ringFault(ring: Ring): string | null {
  if (ring.length < 8) return 'a ring has fewer than four positions'
  for (let at = 0; at < ring.length; at += 2) {
    const lng = ring[at]!
    const lat = ring[at + 1]!
    if (!isInBox(NIGERIA, lat, lng)) return `a position lies outside Nigeria: ${lng}, ${lat}`
  }
  if (ring[0] !== ring[ring.length - 2] || ring[1] !== ring[ring.length - 1]) return 'a ring is not closed'
  if (signedArea(ring) === 0) return 'a ring encloses nothing'
  return null
}
