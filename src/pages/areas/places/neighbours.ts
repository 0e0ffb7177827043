import type { Lga, Places, State } from '../../../domain/places.ts'
import { MEAN_KM_PER_DEGREE } from '../../../geo/data.ts'
import { readStateShapes } from '../../static-map/state-shapes.ts'

const NEARBY_LGAS = 8
/** A degree of longitude in degrees of latitude, in the middle of Nigeria. */
const LONGITUDE_SHARE = Math.cos((9 * Math.PI) / 180)

/** The areas beside each area; worked out once. */
export interface Neighbours {
  /** States with a common border, by name. */
  readonly ofState: (code: string) => readonly State[]
  /** The LGAs with the nearest centres, the nearest first. */
  readonly ofLga: (code: string) => readonly NearbyLga[]
}

export interface NearbyLga {
  readonly lga: Lga
  /** Between the centres. */
  readonly kilometres: number
}

export function findNeighbours({ states, lgas }: Places, statesGeoJson: Buffer): Neighbours {
  const byState = commonBorders(states, statesGeoJson)
  const byLga = nearestLgas(lgas)
  return { ofState: (code) => byState.get(code) ?? [], ofLga: (code) => byLga.get(code) ?? [] }
}

/** Neighbouring states share their vertices; a single common one is a corner, no border. */
function commonBorders(states: readonly State[], statesGeoJson: Buffer): Map<string, State[]> {
  const statesAt = new Map<string, Set<string>>()
  for (const { code, rings } of readStateShapes(statesGeoJson))
    for (const position of rings.flat()) {
      const key = position.join()
      const known = statesAt.get(key)
      if (known) known.add(code)
      else statesAt.set(key, new Set([code]))
    }
  const shared = new Map<string, number>()
  for (const codes of statesAt.values())
    if (codes.size > 1)
      for (const one of codes)
        for (const other of codes) shared.set(`${one} ${other}`, (shared.get(`${one} ${other}`) ?? 0) + 1)
  return new Map(
    states.map((state) => [
      state.code,
      states.filter((other) => other !== state && (shared.get(`${state.code} ${other.code}`) ?? 0) > 1),
    ]),
  )
}

/** Without boundaries of LGAs, which only some operators have, the distance of centres decides. */
function nearestLgas(lgas: readonly Lga[]): Map<string, NearbyLga[]> {
  const x = Float64Array.from(lgas, ({ lng }) => lng * LONGITUDE_SHARE)
  const y = Float64Array.from(lgas, ({ lat }) => lat)
  const [nearest, distances] = [new Int32Array(NEARBY_LGAS), new Float64Array(NEARBY_LGAS)]
  return new Map(
    lgas.map((lga, index) => {
      distances.fill(Number.POSITIVE_INFINITY)
      for (let other = 0; other < lgas.length; other++) {
        const distance = (x[other]! - x[index]!) ** 2 + (y[other]! - y[index]!) ** 2
        if (other === index || distance >= distances[NEARBY_LGAS - 1]!) continue
        let at = NEARBY_LGAS - 1
        for (; at > 0 && distances[at - 1]! > distance; at--) {
          distances[at] = distances[at - 1]!
          nearest[at] = nearest[at - 1]!
        }
        distances[at] = distance
        nearest[at] = other
      }
      const nearby = Array.from(nearest, (number, at) => ({
        lga: lgas[number]!,
        kilometres: Math.sqrt(distances[at]!) * MEAN_KM_PER_DEGREE,
      }))
      return [lga.code, nearby]
    }),
  )
}
