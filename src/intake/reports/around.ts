import type { Locate, Located } from '../../geo/locating/locate.ts'
import { KM_PER_DEGREE } from '../../lib/geometry/geometry.ts'

const BEARINGS = Array.from({ length: 8 }, (_, index) => (index * Math.PI) / 4)

export type Spot = Located & { kind: 'located' }

/** What lies at a point, then what lies a little off it in every direction: borders are not known to the metre. */
export function* around(locate: Locate, lat: number, lng: number, withinKm: number): Generator<Spot> {
  for (const km of [0, withinKm / 2, withinKm]) {
    for (const bearing of km === 0 ? [0] : BEARINGS) {
      const latitude = lat + (km * Math.cos(bearing)) / KM_PER_DEGREE
      const longitude = lng + (km * Math.sin(bearing)) / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180))
      const located = locate(latitude, longitude)
      if (located.kind === 'located') yield located
    }
  }
}
