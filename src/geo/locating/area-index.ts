import { boxAround, isInBox } from '../../lib/geometry/geometry.ts'
import { type Area, distanceToOutlineKm, holds } from './area.ts'

const CELL = 0.1
const ACROSS = 4096

/** Which of many areas holds a point. The areas are sorted into cells, so that a point is tried against two or three of them. */
export class AreaIndex {
  readonly #areas: readonly Area[]
  readonly #cells = new Map<number, number[]>()

  constructor(areas: readonly Area[]) {
    this.#areas = areas
    for (const [number, { box }] of areas.entries()) {
      for (let row = rank(box.south); row <= rank(box.north); row++) {
        for (let column = rank(box.west); column <= rank(box.east); column++) {
          const cell = row * ACROSS + column
          const numbers = this.#cells.get(cell)
          if (numbers) numbers.push(number)
          else this.#cells.set(cell, [number])
        }
      }
    }
  }

  /** The number of the area that holds the point; -1 where none does. */
  holding(lat: number, lng: number): number {
    const numbers = this.#cells.get(rank(lat) * ACROSS + rank(lng))
    if (numbers) for (const number of numbers) if (holds(this.#areas[number]!, lat, lng)) return number
    return -1
  }

  /** The area whose outline is nearest, not farther than that; -1 where none is. */
  nearest(lat: number, lng: number, mostKm: number): number {
    const reach = boxAround(lat, lng, mostKm)
    let best = -1
    let least = mostKm
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

function rank(degrees: number): number {
  return Math.floor((degrees + 180) / CELL)
}
