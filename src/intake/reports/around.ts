import type { Locate, Located } from '../../geo/locating/locate.ts'

const KM_A_DEGREE = 111.2
const BEARINGS = Array.from({ length: 8 }, (_, index) => (index * Math.PI) / 4)

export type Spot = Located & { kind: 'located' }

/** What lies at a point, then what lies a little off it in every direction: borders are not known to the metre. */
export function* around(locate: Locate, lat: number, lng: number, withinKm: number): Generator<Spot> {
  for (const km of [0, withinKm / 2, withinKm]) {
    for (const bearing of km === 0 ? [0] : BEARINGS) {
      const latitude = lat + (km * Math.cos(bearing)) / KM_A_DEGREE
      const longitude = lng + (km * Math.sin(bearing)) / (KM_A_DEGREE * Math.cos((lat * Math.PI) / 180))
      const located = locate(latitude, longitude)
      if (located.kind === 'located') yield located
    }
  }
}
