import type { Columns } from '../columns/columns.ts'
import { SEGMENT_CAPACITY } from './postings.ts'
import { Segment, SegmentList } from './segment.ts'

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
