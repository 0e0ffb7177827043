import type { Columns, Position } from '../columns/columns.ts'
import type { Segment } from './segment.ts'

/** All slots in published order, in one or more segments; only a sole segment may be empty. */
export class SegmentList {
  readonly segments: Segment[]
  /** When it was created, in generations of `Pins`. */
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
