import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Filter } from '../../filter/filter.ts'
import { clampIntoCell, GRID_BITS, type Tile } from '../../filter/tile.ts'
import type { Steps } from '../../lib/steps.ts'
import { boxAroundTile, type Columns, tileShift } from '../columns/columns.ts'
import { matchInBatches, restrictsOnly } from '../query/matches.ts'
import { membershipMask, planQuery, type QueryPlan } from '../query/query-plan.ts'
import type { Segment, SegmentList } from '../segments/published-order.ts'
import {
  CELL_ZOOM,
  CellSums,
  keyColumn,
  keyRow,
  keySeverity,
  NO_AREA,
  SEGMENT_CAPACITY,
  type SegmentCells,
} from '../segments/segment-indexes.ts'

export interface TileQuery {
  readonly filter: Filter
  readonly now: number
  readonly tile: Tile
}

/** The content of a tile: each incident once, at most one mark in each cell of the grid. */
export interface TileContent {
  /** The cells with several incidents. */
  readonly clusters: readonly Cluster[]
  /** The slots of incidents that are alone in their cell; the newest last. */
  readonly singles: readonly number[]
  /** Time of publication of the oldest; null if there is none. */
  readonly oldest: number | null
}

/**
 * Finds the marks of a tile. The cells are those of a grid over the world, at every zoom, whatever
 * the tile holds: an incident changes its own cell only, and two tiles never disagree.
 */
export function* tileContent(
  { filter, now, tile }: TileQuery,
  columns: Columns,
  list: SegmentList,
): Steps<TileContent> {
  const clusters = new Clusters(columns, tile)
  const severities = membershipMask(filter.severities ?? SEVERITIES, columns.severities)
  // Segments come newest first, so the last one seen has the oldest incident.
  let oldestSlot: number | null = null
  let oldestSegment: Segment | null = null
  const addBatch = (slots: Uint32Array, segment: Segment) => {
    if (clusters.addSlots(slots, segment) === 0) return
    oldestSlot = slots[0]!
    oldestSegment = null
  }
  const addCells = (segment: Segment, undecided: Filter) => {
    if (tile.z > MAX_CELL_SUMS_ZOOM || !restrictsOnly(undecided, ['severities'])) return false
    if (clusters.addCells(segment.cells(columns), severities)) oldestSegment = segment
    return true
  }
  const query = { filter, now, area: boxAroundTile(tile) }
  yield* matchInBatches(query, columns, list, 'newest first', addBatch, addCells)
  if (oldestSegment !== null) oldestSlot = firstInTile(oldestSegment, tile, planQuery(filter, columns, now), columns)
  const all = [...clusters]
  const singles = all.filter(({ count }) => count === 1).map(({ newestSlot }) => newestSlot)
  return {
    clusters: all.filter(({ count }) => count > 1),
    singles: singles.sort((one, other) => columns.compare(one, other)),
    oldest: oldestSlot === null ? null : columns.publishedAt[oldestSlot]!,
  }
}

/** Returns the first slot of a segment that lies in the tile and matches; there is one. */
function firstInTile({ slots }: Segment, tile: Tile, { matches }: QueryPlan, { x, y }: Columns): number {
  const shift = tileShift(tile)
  return slots.find((slot) => x[slot]! >> shift === tile.x && y[slot]! >> shift === tile.y && matches(slot, 0))!
}

const GRID_CELLS = 2 ** (2 * GRID_BITS)
const GRID_MASK = 2 ** GRID_BITS - 1

/** Up to this zoom, each cell of a segment lies within one grid cell. */
const MAX_CELL_SUMS_ZOOM = CELL_ZOOM - GRID_BITS

/** The incidents of one grid cell, drawn as one mark, in Web Mercator coordinates. */
export interface Cluster {
  readonly count: number
  /** The number of incidents of each severity, from least to worst. */
  readonly bySeverity: readonly number[]
  /** The number known only to their LGA or state. */
  readonly imprecise: number
  /** The mean of their coordinates, moved so that a disc around it stays inside the grid cell. */
  readonly x: number
  readonly y: number
  /** The smallest and largest coordinates among them. */
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
  /** The latest times of publication and of occurrence. */
  readonly newest: number
  readonly newestOccurredAt: number
  readonly newestSlot: number
  /** The codes of the LGA and the state that all of them have in common. */
  readonly lga: string | null
  readonly state: string | null
}

/** Shared by all queries, so it holds nothing from one step to the next. */
const cellOfSlot = new Int32Array(SEGMENT_CAPACITY)

/**
 * Sums a tile's incidents by grid cell and severity. Segments must come newest first. Separate sums
 * also let the processor overlap additions when all incidents lie in one grid cell, as at zoom 0.
 */
class Clusters {
  readonly #columns: Columns
  readonly #tile: Tile
  /** A coordinate shifted by this gives its grid cell. */
  readonly #gridShift: number
  readonly #sums = new CellSums(GRID_CELLS * SEVERITIES.length)

  constructor(columns: Columns, tile: Tile) {
    this.#columns = columns
    this.#tile = tile
    this.#gridShift = tileShift(tile) - GRID_BITS
  }

  /**
   * Adds the slots of a segment that lie in the tile and returns their number; it moves them to the
   * front. Those of one grid cell and severity must be in published order.
   */
  addSlots(slots: Uint32Array, segment: Segment): number {
    const { x, y, severity } = this.#columns
    const { x: column, y: row } = this.#tile
    const shift = this.#gridShift
    let count = 0
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index]!
      const across = x[slot]! >> shift
      const down = y[slot]! >> shift
      slots[count] = slot
      cellOfSlot[count] = ((((down & GRID_MASK) << GRID_BITS) | (across & GRID_MASK)) << 2) | severity[slot]!
      count += (((across >> GRID_BITS) ^ column) | ((down >> GRID_BITS) ^ row)) === 0 ? 1 : 0
    }
    const { latestOccurrence } = segment.bounds(this.#columns)
    if (count > 0) this.#sums.addSlots(slots, cellOfSlot, count, this.#columns, latestOccurrence)
    return count
  }

  /**
   * Adds the cells of a segment that lie in the tile and have one of the severities; valid up to
   * `MAX_CELL_SUMS_ZOOM`. Returns whether there were any.
   */
  addCells({ keys, sums }: SegmentCells, severities: Uint8Array): boolean {
    const { z, x, y } = this.#tile
    let found = false
    for (let cell = keys.length - 1; cell >= 0; cell--) {
      const key = keys[cell]!
      if (keyColumn(key, z) !== x || keyRow(key, z) !== y || severities[keySeverity(key)] !== 1) continue
      found = true
      this.#sums.addOlderCell(this.#gridCellOf(key), sums, cell)
    }
    return found
  }

  /** The grid cell and severity of a cell of a segment. */
  #gridCellOf(key: number): number {
    const zoom = this.#tile.z + GRID_BITS
    const gridCell = ((keyRow(key, zoom) & GRID_MASK) << GRID_BITS) | (keyColumn(key, zoom) & GRID_MASK)
    return (gridCell << 2) | keySeverity(key)
  }

  *[Symbol.iterator](): Generator<Cluster> {
    for (let gridCell = 0; gridCell < GRID_CELLS; gridCell++) {
      const cluster = this.#clusterIn(gridCell)
      if (cluster !== null) yield cluster
    }
  }

  #clusterIn(gridCell: number): Cluster | null {
    const columns = this.#columns
    const severityCells = SEVERITIES.map((_, severity) => (gridCell << 2) | severity)
    const bySeverity = severityCells.map((cell) => this.#sums.countOf(cell))
    const used = severityCells.filter((_, severity) => bySeverity[severity]! > 0)
    if (used.length === 0) return null
    const sums = new CellSums(1)
    const newestOf = (cell: number) => this.#sums.newestOf(cell)
    for (const cell of used.sort((one, other) => columns.compare(newestOf(other), newestOf(one))))
      sums.addOlderCell(0, this.#sums, cell)
    const { sumX, sumY, newest, lga, state, ...totals } = sums.totalsOf(0)
    return {
      ...totals,
      bySeverity,
      x: clampIntoCell(sumX / totals.count, this.#gridShift),
      y: clampIntoCell(sumY / totals.count, this.#gridShift),
      newest: columns.publishedAt[newest]!,
      newestSlot: newest,
      lga: lga === NO_AREA ? null : columns.lgas.textOf(lga) || null,
      state: state === NO_AREA ? null : columns.states.textOf(state),
    }
  }
}
