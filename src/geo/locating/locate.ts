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

/** The state and LGA of a point. */
export type Locate = (lat: number, lng: number) => Located

function outside(lat: number, lng: number): Located {
  const place = Number.isFinite(lat) && Number.isFinite(lng) ? `${lat}, ${lng}` : 'what is not a position'
  return { kind: 'outside', message: `${place} lies outside Nigeria, by more than ${TOLERANCE_KM} km` }
}

/** By the exact boxes, the known places and the state borders; `npm run bench -- geo` says how right it is. */
export function estimatedLocate(): Locate {
  const grid = readLgaGrid()
  const boxes = lgaRecords.map(({ box }) => box && toBox(box))
  return (lat, lng) => {
    const lga = places.lgas[estimateLga(grid, boxes, lat, lng)]
    return lga ? { kind: 'located', state: lga.state, lga, basis: 'estimated' } : outside(lat, lng)
  }
}

/**
 * By the operator's boundaries, the state too. A point that none holds, off the coast or in a gap between two, belongs to the nearest;
 * for an LGA that the file lacks, the estimate stands.
 */
export function boundaryLocate({ matches, missing }: Pick<Matching, 'matches' | 'missing'>, estimated: Locate): Locate {
  const index = new AreaIndex(matches.map(({ area }) => area.area))
  const lacking = new Set(missing)
  return (lat, lng) => {
    const holding = matches[index.holding(lat, lng)]
    if (holding) return found(holding.lga)
    const estimate = lacking.size > 0 ? estimated(lat, lng) : null
    if (estimate?.kind === 'located' && lacking.has(estimate.lga)) return estimate
    const nearest = matches[index.nearest(lat, lng, TOLERANCE_KM)]
    return nearest ? found(nearest.lga) : outside(lat, lng)
  }
}

function found(lga: Lga): Located {
  return { kind: 'located', state: lga.state, lga, basis: 'boundary' }
}
