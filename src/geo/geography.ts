import type { LgaBasis } from '../domain/incident.ts'
import type { Lga, Places, State } from '../domain/places.ts'
import { type Box, distanceKm, isInBox } from '../lib/geometry.ts'
import { lazy } from '../lib/memoize.ts'
import { AreaIndex } from './area-index.ts'
import { type Boundaries, lgasGeoJson, type Matching, statesGeoJson } from './boundaries.ts'
import { builtInPlaces } from './built-in-places.ts'
import { lgaRecords, readData, toBox } from './data.ts'
import { findPlace } from './finding/find-place.ts'
import { LiveGazetteer, RANKS } from './gazetteer.ts'
import { places } from './places.ts'
import type { Roads } from './roads.ts'

/** Nigeria's places, and the functions that locate points and find names. */
export interface Geography {
  readonly places: Places
  readonly locate: Locate
  /** With the built-in places; the operator's are added once the store is open. */
  readonly gazetteer: LiveGazetteer
  /** Searches this gazetteer. */
  readonly findPlace: typeof findPlace
  /** The basis of `locate`: `boundary` with the operator's file, `estimated` without. */
  readonly basis: LgaBasis
  readonly statesGeoJson: Buffer
  /** Null without the operator's boundaries. */
  readonly lgasGeoJson: Buffer | null
  /**
   * The rings of an LGA, longitude before latitude, from the operator's boundaries; null without
   * them.
   */
  readonly lgaRings: ((code: string) => readonly Float64Array[] | null) | null
  /** Null without the operator's roads. */
  readonly roadsGeoJson: Buffer | null
}

export function openGeography(boundaries: Boundaries | null, roads: Roads | null = null): Geography {
  const estimated = estimatedLocate()
  const gazetteer = new LiveGazetteer()
  for (const place of builtInPlaces()) gazetteer.add(place, RANKS.builtIn)
  return {
    places,
    locate: boundaries ? boundaryLocate(boundaries, estimated) : estimated,
    gazetteer,
    findPlace: (text, within, options) => findPlace(text, within, { gazetteer, ...options }),
    basis: boundaries ? 'boundary' : 'estimated',
    statesGeoJson: statesGeoJson(),
    lgasGeoJson: boundaries && lgasGeoJson(boundaries.matches),
    lgaRings: boundaries && ringsByCode(boundaries),
    roadsGeoJson: roads?.geoJson ?? null,
  }
}

function ringsByCode({ matches }: Boundaries): (code: string) => readonly Float64Array[] | null {
  const byCode = new Map(matches.map(({ lga, area }) => [lga.code, area.area.rings]))
  return (code) => byCode.get(code) ?? null
}

export type Located =
  | { readonly kind: 'located'; readonly state: State; readonly lga: Lga; readonly basis: LgaBasis }
  | { readonly kind: 'outside'; readonly message: string }

export type Locate = (lat: number, lng: number) => Located

function outside(lat: number, lng: number): Located {
  const place = Number.isFinite(lat) && Number.isFinite(lng) ? `${lat}, ${lng}` : 'an invalid position'
  return { kind: 'outside', message: `${place} lies outside Nigeria, by more than ${TOLERANCE_KM} km` }
}

/** Uses exact boxes, known places and state borders; `npm run bench -- geo` measures accuracy. */
export const estimatedLocate = lazy((): Locate => {
  const grid = readLgaGrid()
  const boxes = lgaRecords.map(({ box }) => box && toBox(box))
  return (lat, lng) => {
    const lga = places.lgas[estimateLga(grid, boxes, lat, lng)]
    return lga ? { kind: 'located', state: lga.state, lga, basis: 'estimated' } : outside(lat, lng)
  }
})

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

/** Tolerance for points off the coast or beyond a coarsely drawn border. */
export const TOLERANCE_KM = 3
/** Length of a degree of longitude at Nigeria's northern border, where it is shortest. */
const LEAST_KM_PER_DEGREE = 108

/**
 * Number of the LGA that most likely contains the point; -1 outside Nigeria. Takes the LGA of the
 * point's cell; where that LGA's exact box excludes the point, the nearest cell whose box does not.
 */
export function estimateLga(grid: LgaGrid, boxes: readonly (Box | null)[], lat: number, lng: number): number {
  const { columns, rows, cell, numbers } = grid
  const column = Math.floor((lng - grid.west) / cell)
  const row = Math.floor((lat - grid.south) / cell)
  const inside = column >= 0 && row >= 0 && column < columns && row < rows
  const here = inside ? numbers[row * columns + column]! : -1
  const fits = (number: number): boolean => {
    const box = boxes[number]
    return number >= 0 && (!box || isInBox(box, lat, lng))
  }
  if (fits(here)) return here

  const reach = Math.ceil(TOLERANCE_KM / (cell * LEAST_KM_PER_DEGREE))
  let fitting = -1
  let nearest = -1
  let fittingKm = TOLERANCE_KM
  let nearestKm = TOLERANCE_KM
  for (let y = Math.max(0, row - reach); y <= Math.min(rows - 1, row + reach); y++) {
    for (let x = Math.max(0, column - reach); x <= Math.min(columns - 1, column + reach); x++) {
      const number = numbers[y * columns + x]!
      if (number < 0) continue
      const km = distanceKm(lat, lng, grid.south + (y + 0.5) * cell, grid.west + (x + 0.5) * cell)
      if (km < nearestKm) {
        nearestKm = km
        nearest = number
      }
      if (km < fittingKm && fits(number)) {
        fittingKm = km
        fitting = number
      }
    }
  }
  if (fitting >= 0) return fitting
  return here >= 0 ? here : nearest
}

/** An estimated partition of Nigeria into LGAs, computed by scripts/geo/partition/partition.ts. */
export interface LgaGrid {
  readonly west: number
  readonly south: number
  /** Side of a cell in degrees. */
  readonly cell: number
  readonly columns: number
  readonly rows: number
  /** The LGA's number in lgas.json by cell, in rows from the south-west; -1 outside Nigeria. */
  readonly numbers: Int16Array
}

export interface GridRecord extends Omit<LgaGrid, 'numbers'> {
  /** Run lengths by row: number, cells, number, cells, … */
  readonly runs: readonly (readonly number[])[]
}

export function readLgaGrid(): LgaGrid {
  const { runs, ...grid } = readData<GridRecord>('lga-grid.json')
  const numbers = new Int16Array(grid.columns * grid.rows)
  for (const [row, pairs] of runs.entries()) {
    let at = row * grid.columns
    for (let pair = 0; pair < pairs.length; pair += 2) {
      const end = at + pairs[pair + 1]!
      numbers.fill(pairs[pair]!, at, end)
      at = end
    }
  }
  return { ...grid, numbers }
}

export function writeRuns(numbers: Int16Array, columns: number): number[][] {
  return Array.from({ length: numbers.length / columns }, (_, row) => {
    const runs: number[] = []
    for (const number of numbers.subarray(row * columns, (row + 1) * columns)) {
      if (runs.at(-2) === number) runs[runs.length - 1]!++
      else runs.push(number, 1)
    }
    return runs
  })
}
