import { type Box, boxAround, boxOf, isInBox, KM_PER_DEGREE, squaredDegreesTo } from '../lib/geometry.ts'
import { isInRing, type Ring } from '../lib/rings.ts'

/** One or more polygons: outer rings and holes together, distinguished by the even-odd rule. */
export interface Area {
  readonly rings: readonly Ring[]
  readonly box: Box
}

export function areaOf(rings: readonly Ring[]): Area {
  return { rings, box: boxOf(rings) }
}

export function areaContains({ rings, box }: Area, lat: number, lng: number): boolean {
  if (lat < box.south || lat > box.north || lng < box.west || lng > box.east) return false
  let inside = false
  for (const ring of rings) if (isInRing(ring, lat, lng)) inside = !inside
  return inside
}

/** Distance to the outline, on a plane tangent at the point: exact enough for a few kilometres. */
export function distanceToOutlineKm({ rings }: Area, lat: number, lng: number): number {
  let least = Infinity
  for (const ring of rings) least = Math.min(least, squaredDegreesTo(ring, lat, lng))
  return Math.sqrt(least) * KM_PER_DEGREE
}

const CELL_DEGREES = 0.1
const COLUMNS = 4096

/** Finds the area that contains a point. A grid of cells limits the test to two or three areas. */
export class AreaIndex {
  readonly #areas: readonly Area[]
  readonly #cells = new Map<number, number[]>()

  constructor(areas: readonly Area[]) {
    this.#areas = areas
    for (const [number, { box }] of areas.entries()) {
      for (let row = cellNumber(box.south); row <= cellNumber(box.north); row++) {
        for (let column = cellNumber(box.west); column <= cellNumber(box.east); column++) {
          const cell = row * COLUMNS + column
          const numbers = this.#cells.get(cell)
          if (numbers) numbers.push(number)
          else this.#cells.set(cell, [number])
        }
      }
    }
  }

  /** Index of the area that contains the point; -1 where none does. */
  indexContaining(lat: number, lng: number): number {
    const numbers = this.#cells.get(cellNumber(lat) * COLUMNS + cellNumber(lng))
    if (numbers) for (const number of numbers) if (areaContains(this.#areas[number]!, lat, lng)) return number
    return -1
  }

  /** Index of the area with the nearest outline within `maxKm`; -1 where there is none. */
  indexNearest(lat: number, lng: number, maxKm: number): number {
    const reach = boxAround(lat, lng, maxKm)
    let best = -1
    let least = maxKm
    for (const [number, area] of this.#areas.entries()) {
      const { west, south, east, north } = area.box
      const near = {
        west: west - (reach.east - lng),
        east: east + (lng - reach.west),
        south: south - (lat - reach.south),
        north: north + (reach.north - lat),
      }
      if (!isInBox(near, lat, lng)) continue
      const distance = distanceToOutlineKm(area, lat, lng)
      if (distance <= least) {
        least = distance
        best = number
      }
    }
    return best
  }
}

function cellNumber(degrees: number): number {
  return Math.floor((degrees + 180) / CELL_DEGREES)
}
