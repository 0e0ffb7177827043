import { startOfPeriod, TIME_ZONES } from '../../lib/time/calendar.ts'
import { CasualtySums } from '../columns/casualty-column.ts'
import type { Columns } from '../columns/columns.ts'
import { MERCATOR_BITS } from '../columns/web-mercator.ts'
import type { SegmentBounds } from './bounds.ts'
import { CellSums } from './cell-sums.ts'
import { SEGMENT_CAPACITY } from './postings.ts'

// Reused: otherwise a start would leave 20 MB of them for the garbage collector.
const keyOfOffset = new Int32Array(SEGMENT_CAPACITY)
const numberOfOffset = new Int32Array(SEGMENT_CAPACITY)

/** Cells are tiles of this zoom, 78 km wide; one zoom more would take four times the memory. */
export const CELL_ZOOM = 9
const CELL_SHIFT = MERCATOR_BITS - CELL_ZOOM

/**
 * Sums by cell and severity, in the order of their newest incidents. A tile reads only these: a
 * read from the columns waits for memory.
 */
export interface SegmentCells {
  /** The cell's row, column and severity; see `cellKey`. */
  readonly keys: Int32Array
  readonly sums: CellSums
}

const SEVERITY_BITS = 2
const SEVERITY_MASK = (1 << SEVERITY_BITS) - 1
const COLUMN_MASK = (1 << CELL_ZOOM) - 1

function cellKey(x: number, y: number, severity: number): number {
  return ((((y >> CELL_SHIFT) << CELL_ZOOM) | (x >> CELL_SHIFT)) << SEVERITY_BITS) | severity
}

/** The column and row of the cell at a zoom up to `CELL_ZOOM`, and the severity, of a key. */
export const keyColumn = (key: number, zoom: number) => ((key >> SEVERITY_BITS) & COLUMN_MASK) >> (CELL_ZOOM - zoom)
export const keyRow = (key: number, zoom: number) => key >> (SEVERITY_BITS + CELL_ZOOM + CELL_ZOOM - zoom)
export const keySeverity = (key: number) => key & SEVERITY_MASK

/** Sums a segment's incidents by cell and severity, for tiles that show much of the country. */
export function cellsOf(slots: Uint32Array, bounds: SegmentBounds, columns: Columns): SegmentCells {
  const { x, y, severity } = columns
  for (let offset = 0; offset < slots.length; offset++) {
    const slot = slots[offset]!
    keyOfOffset[offset] = cellKey(x[slot]!, y[slot]!, severity[slot]!)
  }
  const keys = rankKeys(slots.length, numberKeys(slots.length).length)
  const sums = new CellSums(keys.length)
  sums.addSlots(slots, numberOfOffset, slots.length, columns, bounds.latestOccurrence)
  return { keys, sums }
}

/** The columns by which casualties are summed, besides month and severity. */
export const CASUALTY_DIMENSIONS = ['state', 'type'] as const
export type CasualtyDimension = (typeof CASUALTY_DIMENSIONS)[number]

/** Sums by month, severity and one more column, for statistics over years. */
export interface CasualtySummary {
  /** For each bucket, its first slot, which has the values common to all; in published order. */
  readonly examples: Uint32Array
  readonly sums: CasualtySums
}

export function casualtySummaryOf(slots: Uint32Array, columns: Columns, dimension: CasualtyDimension): CasualtySummary {
  const { publishedAt, severity, casualties } = columns
  const column = columns[dimension]
  let months = 0
  let monthEnd = Number.NEGATIVE_INFINITY
  for (let offset = 0; offset < slots.length; offset++) {
    const slot = slots[offset]!
    const time = publishedAt[slot]!
    if (time >= monthEnd) {
      months++
      monthEnd = endOfMonthInEveryZone(time)
    }
    keyOfOffset[offset] = (months << 10) | (column[slot]! << 2) | severity[slot]!
  }
  const firstOffsets = numberKeys(slots.length)
  const sums = new CasualtySums(firstOffsets.length)
  casualties.addTo(sums, slots, numberOfOffset)
  return { examples: Uint32Array.from(firstOffsets, (offset) => slots[offset]!), sums }
}

/**
 * Ends a summary at the months of every time zone, so that none of its sums lies in two months of
 * one. The hours between the ends are buckets of their own: 12 a year.
 */
function endOfMonthInEveryZone(time: number): number {
  return Math.min(...TIME_ZONES.map((zone) => startOfPeriod('month', time, zone, 1)))
}

/**
 * Renumbers `numberOfOffset` by the last occurrence of each key, and returns the keys in that
 * order.
 */
function rankKeys(count: number, total: number): Int32Array {
  const ranks = new Int32Array(total).fill(-1)
  const keys = new Int32Array(total)
  for (let offset = count - 1, next = total; offset >= 0; offset--) {
    const number = numberOfOffset[offset]!
    if (ranks[number] === -1) {
      ranks[number] = --next
      keys[next] = keyOfOffset[offset]!
    }
    numberOfOffset[offset] = ranks[number]!
  }
  return keys
}

/** Numbers keys by first occurrence, in `numberOfOffset`; returns each number's first offset. */
function numberKeys(count: number): number[] {
  const known = new Map<number, number>()
  const firstOffsets: number[] = []
  for (let offset = 0; offset < count; offset++) {
    const key = keyOfOffset[offset]!
    let number = known.get(key)
    if (number === undefined) {
      number = firstOffsets.push(offset) - 1
      known.set(key, number)
    }
    numberOfOffset[offset] = number
  }
  return firstOffsets
}
