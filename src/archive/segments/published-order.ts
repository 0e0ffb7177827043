import { CELLS } from '../../filter/matches.ts'
import type { Columns, Position } from '../columns/columns.ts'
import {
  boundsOf,
  buildPostings,
  CASUALTY_DIMENSIONS,
  type CasualtyDimension,
  type CasualtySummary,
  casualtySummaryOf,
  cellsOf,
  type Postings,
  SEGMENT_CAPACITY,
  type SegmentBounds,
  type SegmentCells,
} from './segment-indexes.ts'

/** The columns that have postings. */
export type Dimension = 'state' | 'lga' | 'type' | 'severity' | 'cell'

/** Consecutive incidents in published order, with postings for filters and sums for statistics. */
export class Segment {
  readonly slots = new Uint32Array(SEGMENT_CAPACITY)
  /** The generation of `Pins` in which it was created. */
  readonly createdAt: number
  size = 0
  #postings: Record<Dimension, Postings> | null = null
  #cells: SegmentCells | null = null
  #bounds: SegmentBounds | null = null
  #casualtySummaries: Partial<Record<CasualtyDimension, CasualtySummary>> = {}
  #firstOfSlotRun: number | null | undefined

  constructor(createdAt: number) {
    this.createdAt = createdAt
  }

  setSlots(slots: Uint32Array): void {
    this.slots.set(slots)
    this.size = slots.length
    this.invalidate()
  }

  get last(): number {
    return this.slots[this.size - 1]!
  }

  /** Builds everything that is otherwise built on first use. */
  buildIndexes(columns: Columns): void {
    this.postings(columns)
    this.cells(columns)
    this.bounds(columns)
    for (const dimension of CASUALTY_DIMENSIONS) this.casualtySummary(columns, dimension)
  }

  /** Built on the first use after a change, so that a burst of arrivals pays once. */
  postings(columns: Columns): Record<Dimension, Postings> {
    this.#postings ??= {
      state: buildPostings(columns.state, this.slots, this.size, columns.states.size),
      lga: buildPostings(columns.lga, this.slots, this.size, columns.lgas.size),
      type: buildPostings(columns.type, this.slots, this.size, columns.types.size),
      severity: buildPostings(columns.severity, this.slots, this.size, columns.severities.size),
      cell: buildPostings(columns.cell, this.slots, this.size, CELLS),
    }
    return this.#postings
  }

  cells(columns: Columns): SegmentCells {
    this.#cells ??= cellsOf(this.slots.subarray(0, this.size), this.bounds(columns), columns)
    return this.#cells
  }

  bounds(columns: Columns): SegmentBounds {
    this.#bounds ??= boundsOf(this.slots.subarray(0, this.size), columns)
    return this.#bounds
  }

  casualtySummary(columns: Columns, dimension: CasualtyDimension): CasualtySummary {
    this.#casualtySummaries[dimension] ??= casualtySummaryOf(this.slots.subarray(0, this.size), columns, dimension)
    return this.#casualtySummaries[dimension]
  }

  /**
   * The first slot if the slots are consecutive, as after a start: an offset then gives its slot
   * without a read from memory. Null if arrivals out of order have mixed them.
   */
  get firstOfSlotRun(): number | null {
    if (this.#firstOfSlotRun === undefined) this.#firstOfSlotRun = this.#findSlotRun()
    return this.#firstOfSlotRun
  }

  #findSlotRun(): number | null {
    const first = this.slots[0]!
    for (let offset = 1; offset < this.size; offset++) if (this.slots[offset] !== first + offset) return null
    return first
  }

  /** Must be called after the slots or their columns have changed. */
  invalidate(): void {
    this.#postings = null
    this.#cells = null
    this.#bounds = null
    this.#casualtySummaries = {}
    this.#firstOfSlotRun = undefined
  }

  removeAt(offset: number): void {
    this.slots.copyWithin(offset, offset + 1, this.size)
    this.size--
    this.invalidate()
  }
}

/** All slots in published order, in one or more segments; only a sole segment may be empty. */
export class SegmentList {
  readonly segments: Segment[]
  /** The generation of `Pins` in which it was created. */
  readonly createdAt: number
  readonly #columns: Columns

  constructor(columns: Columns, segments: Segment[], createdAt: number) {
    this.#columns = columns
    this.segments = segments
    this.createdAt = createdAt
  }

  get first(): number | null {
    const segment = this.segments[0]!
    return segment.size === 0 ? null : segment.slots[0]!
  }

  get last(): number | null {
    const segment = this.segments.at(-1)!
    return segment.size === 0 ? null : segment.last
  }

  countBefore(time: number): number {
    const index = this.segmentFromTime(time)
    let count = 0
    for (let before = 0; before < index; before++) count += this.segments[before]!.size
    const segment = this.segments[index]
    return segment ? count + this.#offsetFrom(segment, time) : count
  }

  /** Returns the slots published from one time up to but excluding another, in order. */
  slotsBetween(from: number, to: number): Uint32Array {
    const slots = new Uint32Array(this.countBefore(to) - this.countBefore(from))
    for (let index = this.segmentFromTime(from), at = 0; at < slots.length; index++) {
      const segment = this.segments[index]!
      const run = segment.slots.subarray(this.#offsetFrom(segment, from), this.#offsetFrom(segment, to))
      slots.set(run, at)
      at += run.length
    }
    return slots
  }

  /** Returns the first segment that may hold a slot at or after the position. */
  segmentAtPosition(position: Position): number {
    return this.search((segment) => this.#columns.comparePosition(segment.last, position) < 0)
  }

  segmentFromTime(time: number): number {
    return this.search((segment) => this.#columns.publishedAt[segment.last]! < time)
  }

  /** Returns the first offset in the segment at which `compare` is not below 0. */
  offsetIn(segment: Segment, compare: (slot: number) => number): number {
    let low = 0
    let high = segment.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(segment.slots[middle]!) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the index of the first segment that is not before. */
  search(isBefore: (segment: Segment) => boolean): number {
    let low = 0
    let high = this.segments.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const segment = this.segments[middle]!
      if (segment.size > 0 && isBefore(segment)) low = middle + 1
      else high = middle
    }
    return low
  }

  #offsetFrom(segment: Segment, time: number): number {
    return this.offsetIn(segment, (slot) => this.#columns.publishedAt[slot]! - time)
  }
}

/**
 * Keeps all slots in published order. A list that a pinned reader may hold, and its segments, are
 * never changed: the change goes to a copy.
 */
export class PublishedOrder {
  readonly #columns: Columns
  readonly #pins: Pins
  #list: SegmentList

  constructor(columns: Columns, pins: Pins) {
    this.#columns = columns
    this.#pins = pins
    this.#list = new SegmentList(columns, [new Segment(pins.generation)], pins.generation)
  }

  get list(): SegmentList {
    return this.#list
  }

  /** Puts the slots from 0 up to `count`, which are in published order, into an empty order. */
  insertFirst(count: number): void {
    if (count === 0) return
    const { segments } = this.#changeableList()
    segments.length = 0
    for (let first = 0; first < count; first += SEGMENT_CAPACITY) {
      const segment = new Segment(this.#pins.generation)
      segment.setSlots(
        Uint32Array.from({ length: Math.min(SEGMENT_CAPACITY, count - first) }, (_, index) => first + index),
      )
      segments.push(segment)
    }
  }

  insert(slots: readonly number[]): void {
    if (slots.length === 0) return
    const { segments } = this.#changeableList()
    const sorted = slots.toSorted((slot, other) => this.#columns.compare(slot, other))
    for (let start = 0; start < sorted.length; ) {
      const index = this.#segmentFor(sorted[start]!)
      const limit = segments[index + 1]?.slots[0]
      let end = start + 1
      while (end < sorted.length && (limit === undefined || this.#columns.compare(sorted[end]!, limit) < 0)) end++
      this.#merge(index, sorted.slice(start, end))
      start = end
    }
  }

  remove(slot: number): void {
    const list = this.#changeableList()
    const index = this.#segmentFor(slot)
    const segment = this.#changeableSegment(index)
    const offset = list.offsetIn(segment, (other) => this.#columns.compare(other, slot))
    if (segment.slots[offset] !== slot) throw new Error(`slot ${slot} is missing from its position in published order`)
    segment.removeAt(offset)
    if (segment.size === 0 && list.segments.length > 1) list.segments.splice(index, 1)
  }

  #changeableList(): SegmentList {
    if (this.#pins.mayBeRead(this.#list.createdAt))
      this.#list = new SegmentList(this.#columns, [...this.#list.segments], this.#pins.generation)
    return this.#list
  }

  #changeableSegment(index: number): Segment {
    const { segments } = this.#list
    const segment = segments[index]!
    if (!this.#pins.mayBeRead(segment.createdAt)) return segment
    const copy = new Segment(this.#pins.generation)
    copy.setSlots(segment.slots.subarray(0, segment.size))
    segments[index] = copy
    return copy
  }

  /** Returns the segment a slot belongs to; the last one for a slot newer than all. */
  #segmentFor(slot: number): number {
    const index = this.#list.search((segment) => this.#columns.compare(segment.last, slot) < 0)
    return Math.min(index, this.#list.segments.length - 1)
  }

  #merge(index: number, added: readonly number[]): void {
    const segment = this.#changeableSegment(index)
    segment.invalidate()
    const appends = segment.size === 0 || this.#columns.compare(segment.last, added[0]!) < 0
    if (appends && segment.size + added.length <= SEGMENT_CAPACITY) {
      segment.slots.set(added, segment.size)
      segment.size += added.length
      return
    }
    const all = appends ? this.#concatenated(segment, added) : this.#merged(segment, added)
    // Slots that arrive in order fill segments completely; slots in between leave room for more.
    const share = appends ? SEGMENT_CAPACITY : all.length <= SEGMENT_CAPACITY ? all.length : SEGMENT_CAPACITY / 2
    const parts: Segment[] = []
    for (let start = 0; start < all.length; start += share) {
      const part = new Segment(this.#pins.generation)
      part.setSlots(all.subarray(start, start + share))
      parts.push(part)
    }
    this.#list.segments.splice(index, 1, ...parts)
  }

  #concatenated(segment: Segment, added: readonly number[]): Uint32Array {
    const all = new Uint32Array(segment.size + added.length)
    all.set(segment.slots.subarray(0, segment.size))
    all.set(added, segment.size)
    return all
  }

  #merged(segment: Segment, added: readonly number[]): Uint32Array {
    const all = new Uint32Array(segment.size + added.length)
    let old = 0
    let next = 0
    for (let offset = 0; offset < all.length; offset++) {
      const takeOld =
        next === added.length || (old < segment.size && this.#columns.compare(segment.slots[old]!, added[next]!) < 0)
      all[offset] = takeOld ? segment.slots[old++]! : added[next++]!
    }
    return all
  }
}

interface RetiredSlot {
  readonly slot: number
  /** Pins up to this generation may still read the slot. */
  readonly generation: number
}

/**
 * Counts the readers that need the archive to stay as it was at one moment. While there are any,
 * changes write to copies of segments and to other slots; slots are reused once no reader that
 * could see them is left.
 */
export class Pins {
  readonly #freeSlot: (slot: number) => void
  /** Generations of the pins, ascending, because a set keeps the order of insertion. */
  readonly #pinned = new Set<number>()
  /** In the order of their generations. */
  #retired: RetiredSlot[] = []
  #generation = 0

  /** `freeSlot` is called for each retired slot that no reader can see any more. */
  constructor(freeSlot: (slot: number) => void) {
    this.#freeSlot = freeSlot
  }

  get isAny(): boolean {
    return this.#pinned.size > 0
  }

  get retiredSlots(): number {
    return this.#retired.length
  }

  /** Identifies the pins that exist: what is created from now on is not visible to them. */
  get generation(): number {
    return this.#generation
  }

  /** Tells whether a reader may see what was created at this generation. */
  mayBeRead(createdAt: number): boolean {
    return this.#pinned.size > 0 && this.#newest > createdAt
  }

  /** Keeps the present state until the pin is disposed of. */
  pin(): Disposable {
    const generation = ++this.#generation
    this.#pinned.add(generation)
    return {
      [Symbol.dispose]: () => {
        this.#pinned.delete(generation)
        this.#freeRetired()
      },
    }
  }

  /** Frees the slot, at once or when the last reader that can see it has finished. */
  retireSlot(slot: number): void {
    if (this.#pinned.size === 0) this.#freeSlot(slot)
    else this.#retired.push({ slot, generation: this.#generation })
  }

  get #newest(): number {
    let newest = 0
    for (const generation of this.#pinned) newest = generation
    return newest
  }

  #freeRetired(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#pinned
    let freed = 0
    while (freed < this.#retired.length && this.#retired[freed]!.generation < oldest) {
      this.#freeSlot(this.#retired[freed]!.slot)
      freed++
    }
    if (freed > 0) this.#retired = this.#retired.slice(freed)
  }
}
