import type { SettlementRecord } from '../../../src/geo/data.ts'
import { nameKey } from '../../../src/geo/names.ts'
import type { GeoNamesPlace } from '../sources/gazetteer.ts'

export interface Town {
  readonly name: string
  readonly lat: number
  readonly lng: number
  /** 1 is shown first, 5 last. */
  readonly rank: 1 | 2 | 3 | 4 | 5
}

/**
 * Populations from which a town has the rank; those of GeoNames are rough, so the steps are wide.
 */
const [RANK_1, RANK_2, RANK_3, RANK_4] = [1_000_000, 500_000, 100_000, 10_000]
/** A capital in GeoNames lies within this distance, in degrees, of the settlement of its name. */
const SAME_PLACE_DEGREES = 0.03

export function rankTowns(settlements: readonly SettlementRecord[], places: readonly GeoNamesPlace[]): Town[] {
  const capitals = places.filter(({ kind }) => kind === 'PPLA' || kind === 'PPLC')
  return settlements
    .map(({ name, lat, lng, population }): Town => {
      const capital = capitals.find(
        (each) =>
          Math.hypot(each.lat - lat, each.lng - lng) < SAME_PLACE_DEGREES && nameKey(each.name) === nameKey(name),
      )
      return { name, lat, lng, rank: rankOf(population, capital?.kind) }
    })
    .toSorted((one, other) => one.rank - other.rank)
}

function rankOf(population: number, kind: string | undefined): Town['rank'] {
  if (population >= RANK_1 || kind === 'PPLC') return 1
  if (population >= RANK_2 || kind === 'PPLA') return 2
  if (population >= RANK_3) return 3
  return population >= RANK_4 ? 4 : 5
}
