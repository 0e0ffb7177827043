import { periodsBetween } from '../../lib/time/calendar.ts'
import { CasualtySums } from '../columns/casualty-column.ts'
import type { Columns } from '../columns/columns.ts'
import { MERCATOR_BITS } from '../columns/web-mercator.ts'
import { CellSums } from './cell-sums.ts'
import { SEGMENT_CAPACITY } from './postings.ts'

// Used again and again: a start would leave 20 MB of them behind for the garbage collector to find.
const keys = new Int32Array(SEGMENT_CAPACITY)
const numbers = new Int32Array(SEGMENT_CAPACITY)

/** Spots are tiles of this zoom, 78 km wide: one zoom more would take four times the memory. */
export const CELL_ZOOM = 9
const CELL_SHIFT = MERCATOR_BITS - CELL_ZOOM

/** The incidents of a segment added up by spot and severity: what tiles that show much of the country are made from. */
export function cellSumsOf(slots: Uint32Array, columns: Columns): CellSums {
  const { x, y, severity } = columns
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!
    keys[place] = ((y[slot]! >> CELL_SHIFT) << (CELL_ZOOM + 2)) | ((x[slot]! >> CELL_SHIFT) << 2) | severity[slot]!
  }
  const sums = new CellSums(numberKeys(slots.length).length)
  sums.add(slots, numbers, slots.length, columns)
  return sums
}

/** What casualties are added up by, besides month and severity. */
export const CASUALTY_DIMENSIONS = ['state', 'type'] as const
export type CasualtyDimension = (typeof CASUALTY_DIMENSIONS)[number]

/** The incidents and casualties of a segment added up by month, severity and one dimension more: what statistics over years are made from. */
export interface CasualtySummary {
  /** For each place of the sums, the first of its slots: it tells what all of them have in common. In published order. */
  readonly examples: Uint32Array
  readonly sums: CasualtySums
}

export function casualtySummaryOf(slots: Uint32Array, columns: Columns, dimension: CasualtyDimension): CasualtySummary {
  const { publishedAt, severity, tolls } = columns
  const column = columns[dimension]
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
  const firsts = numberKeys(slots.length)
  const sums = new CasualtySums(firsts.length)
  tolls.addTo(sums, slots, numbers)
  return { examples: Uint32Array.from(firsts, (place) => slots[place]!), sums }
}

/** Semaphore `keys` into `numbers`, given out in the order in which keys come. Returns, for each number, where its key came first. */
function numberKeys(count: number): number[] {
  const known = new Map<number, number>()
  const firsts: number[] = []
  for (let place = 0; place < count; place++) {
    const key = keys[place]!
    let number = known.get(key)
    if (number === undefined) {
      number = firsts.push(place) - 1
      known.set(key, number)
    }
    numbers[place] = number
  }
  return firsts
}
