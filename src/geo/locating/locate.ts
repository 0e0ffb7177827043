import type { LgaBasis } from '../../domain/incident.ts'
import type { Lga, State } from '../../domain/places.ts'
import type { Matching } from '../boundaries/match.ts'
import { lgaRecords, toBox } from '../data.ts'
import { places } from '../places.ts'
import { AreaIndex } from './area-index.ts'
import { estimateLga, TOLERANCE_KM } from './estimate.ts'
import { readLgaGrid } from './lga-grid.ts'

export type Located =
  | { readonly kind: 'located'; readonly state: State; readonly lga: Lga; readonly basis: LgaBasis }
  | { readonly kind: 'outside'; readonly message: string }

export type Locate = (lat: number, lng: number) => Located

function outside(lat: number, lng: number): Located {
  const place = Number.isFinite(lat) && Number.isFinite(lng) ? `${lat}, ${lng}` : 'an invalid position'
  return { kind: 'outside', message: `${place} lies outside Nigeria, by more than ${TOLERANCE_KM} km` }
}

/** Uses exact boxes, known places and state borders; `npm run bench -- geo` measures accuracy. */
export function estimatedLocate(): Locate {
  const grid = readLgaGrid()
  const boxes = lgaRecords.map(({ box }) => box && toBox(box))
  return (lat, lng) => {
    const lga = places.lgas[estimateLga(grid, boxes, lat, lng)]
    return lga ? { kind: 'located', state: lga.state, lga, basis: 'estimated' } : outside(lat, lng)
  }
}

/**
 * Locates by the operator's boundaries. A point in none of them, off the coast or in a gap, belongs
 * to the nearest one. For LGAs that the file lacks, the estimate applies.
 */
export function boundaryLocate({ matches, missing }: Pick<Matching, 'matches' | 'missing'>, estimated: Locate): Locate {
  const index = new AreaIndex(matches.map(({ area }) => area.area))
  const missingLgas = new Set(missing)
  return (lat, lng) => {
    const containing = matches[index.indexContaining(lat, lng)]
    if (containing) return located(containing.lga)
    const estimate = missingLgas.size > 0 ? estimated(lat, lng) : null
    if (estimate?.kind === 'located' && missingLgas.has(estimate.lga)) return estimate
    const nearest = matches[index.indexNearest(lat, lng, TOLERANCE_KM)]
    return nearest ? located(nearest.lga) : outside(lat, lng)
  }
}

function located(lga: Lga): Located {
  return { kind: 'located', state: lga.state, lga, basis: 'boundary' }
}
