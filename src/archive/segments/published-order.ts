import type { Columns, Position } from '../columns/columns.ts'
import { SEGMENT_CAPACITY } from './postings.ts'
import { Segment } from './segment.ts'

/** All slots in published order, in one or more segments; only a sole segment may be empty. */
export class PublishedOrder {
  readonly #columns: Columns
  segments: Segment[] = [new Segment()]

  constructor(columns: Columns) {
    this.#columns = columns
  }

  get first(): number | null {
    const segment = this.segments[0]!
    return segment.size === 0 ? null : segment.slots[0]!
  }

  get last(): number | null {
    const segment = this.segments.at(-1)!
    return segment.size === 0 ? null : segment.last
  }

  insert(slots: readonly number[]): void {
    const sorted = slots.toSorted((slot, other) => this.#columns.compare(slot, other))
    for (let start = 0; start < sorted.length; ) {
      const index = this.#segmentFor(sorted[start]!)
      const limit = this.segments[index + 1]?.slots[0]
      let end = start + 1
      while (end < sorted.length && (limit === undefined || this.#columns.compare(sorted[end]!, limit) < 0)) end++
      this.#merge(index, sorted.slice(start, end))
      start = end
    }
  }

  remove(slot: number): void {
    const index = this.#segmentFor(slot)
    const segment = this.segments[index]!
    const offset = this.offsetIn(segment, (other) => this.#columns.compare(other, slot))
    if (segment.slots[offset] !== slot) throw new Error(`slot ${slot} is missing from its position in published order`)
    segment.removeAt(offset)
    if (segment.size === 0 && this.segments.length > 1) this.segments.splice(index, 1)
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
    return this.#search((segment) => this.#columns.comparePosition(segment.last, position) < 0)
  }

  segmentFromTime(time: number): number {
    return this.#search((segment) => this.#columns.publishedAt[segment.last]! < time)
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

  #offsetFrom(segment: Segment, time: number): number {
    return this.offsetIn(segment, (slot) => this.#columns.publishedAt[slot]! - time)
  }

  #search(isBefore: (segment: Segment) => boolean): number {
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

  /** Returns the segment a slot belongs to; the last one for a slot newer than all. */
  #segmentFor(slot: number): number {
    const index = this.#search((segment) => this.#columns.compare(segment.last, slot) < 0)
    return Math.min(index, this.segments.length - 1)
  }

  #merge(index: number, added: readonly number[]): void {
    const segment = this.segments[index]!
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
      const part = new Segment()
      const slots = all.subarray(start, start + share)
      part.slots.set(slots)
      part.size = slots.length
      parts.push(part)
    }
    this.segments.splice(index, 1, ...parts)
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
