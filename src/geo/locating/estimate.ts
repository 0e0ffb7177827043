import { type Box, distanceKm, isInBox } from '../../lib/geometry.ts'
import type { LgaGrid } from './lga-grid.ts'

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
