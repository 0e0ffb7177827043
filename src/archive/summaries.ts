import { periodsBetween } from '../domain/calendar.ts'
import type { Columns } from './columns.ts'
import { SpotSums } from './spot-sums.ts'
import { TollSums } from './tolls.ts'
import { WORLD_BITS } from './world.ts'

/** Spots are tiles of this zoom, 78 km wide: one zoom more would take four times the memory. */
export const SPOT_ZOOM = 9
const SPOT_SHIFT = WORLD_BITS - SPOT_ZOOM

/** The incidents of a segment added up by spot and severity: what tiles that show much of the country are made from. */
export function spotsOf(slots: Uint32Array, columns: Columns): SpotSums {
  const { x, y, severity } = columns
  const keys = new Int32Array(slots.length)
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!
    keys[place] = ((y[slot]! >> SPOT_SHIFT) << (SPOT_ZOOM + 2)) | ((x[slot]! >> SPOT_SHIFT) << 2) | severity[slot]!
  }
  const { size, numbers } = numbered(keys)
  const sums = new SpotSums(size)
  sums.add(slots, numbers, slots.length, columns)
  return sums
}

/** What casualties are added up by, besides month and severity. */
export const TOLL_DIMENSIONS = ['state', 'type'] as const
export type TollDimension = (typeof TOLL_DIMENSIONS)[number]

/** The incidents and casualties of a segment added up by month, severity and one dimension more: what statistics over years are made from. */
export interface TollSummary {
  /** For each place of the sums, the first of its slots: it tells what all of them have in common. In published order. */
  readonly examples: Uint32Array
  readonly sums: TollSums
}

export function tollsOf(slots: Uint32Array, columns: Columns, dimension: TollDimension): TollSummary {
  const { publishedAt, severity, tolls } = columns
  const column = columns[dimension]
  const keys = new Int32Array(slots.length)
  let months = 0
  let monthEnd = Number.NEGATIVE_INFINITY
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!
    const time = publishedAt[slot]!
    if (time >= monthEnd) {
      months++
      monthEnd = periodsBetween('month', time, time)[0]!.end
    }
    keys[place] = (months << 10) | (column[slot]! << 2) | severity[slot]!
  }
  const { size, numbers, firsts } = numbered(keys)
  const sums = new TollSums(size)
  tolls.addTo(sums, slots, numbers)
  return { examples: firsts.map((place) => slots[place]!), sums }
}

/** Numbers keys in the order in which they come. `firsts` has, for each number, where its key came first. */
function numbered(keys: Int32Array): { size: number; numbers: Int32Array; firsts: Uint32Array } {
  const known = new Map<number, number>()
  const firsts: number[] = []
  const numbers = keys.map((key, place) => {
    const number = known.get(key)
    if (number !== undefined) return number
    known.set(key, known.size)
    return firsts.push(place) - 1
  })
  return { size: firsts.length, numbers, firsts: Uint32Array.from(firsts) }
}
