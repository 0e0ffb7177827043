import { checksum } from '../../../lib/checksum.ts'
import type { DocumentRanges } from '../document-ranges.ts'
import type { Slab } from '../slab.ts'
import { FileWindow } from './file-window.ts'
import { UnreadableDocuments } from './unreadable.ts'

/** Documents of a list that lie this close together in a file are read at once. */
const GAP_BYTES = 4 << 10
const RUN_BYTES = 256 << 10

/** Reads a document in place, from `start` up to `end`. */
export type Reader<Result> = (bytes: Uint8Array, start: number, end: number) => Result

/**
 * Reads documents of slabs that are in files. Each is compared with its checksum; if it differs,
 * `UnreadableDocuments` is thrown, and the documents of that file have to be restored.
 */
export class FileDocuments {
  readonly #window = new FileWindow()
  readonly #damaged = new Set<Slab>()
  /** Called when a file turns out to be damaged. */
  onDamage: (error: unknown) => void = () => {}

  read<Result>(slab: Slab, offset: number, length: number, expected: number, take: Reader<Result>): Result {
    let start: number
    try {
      start = this.#window.find(slab.file!, offset, length)
      if (checksum(this.#window.view, start, start + length) !== expected) {
        this.#window.clear()
        throw new UnreadableDocuments(`${slab.file!.name} is damaged`)
      }
    } catch (error) {
      if (error instanceof UnreadableDocuments) this.reportDamage(slab, error)
      throw error
    }
    return take(this.#window.bytes, start, start + length)
  }

  /**
   * Reads the documents that are close together, from that of `slots[first]` on, which is in the
   * slab: they are read next. Returns the index behind them.
   */
  readRun(
    slab: Slab,
    { slab: slabs, offset, length }: DocumentRanges,
    slots: readonly number[],
    first: number,
  ): number {
    const number = slabs[slots[first]!]!
    let start = offset[slots[first]!]!
    let end = start + length[slots[first]!]!
    let index = first + 1
    for (; index < slots.length; index++) {
      const slot = slots[index]!
      if (slabs[slot] !== number) break
      const [from, to] = [Math.min(start, offset[slot]!), Math.max(end, offset[slot]! + length[slot]!)]
      if (to - from > RUN_BYTES || to - from > end - start + length[slot]! + GAP_BYTES) break
      start = from
      end = to
    }
    if (index > first + 1) this.#readAhead(slab, start, end)
    return index
  }

  /** Tells it once. */
  reportDamage(slab: Slab, error: unknown): void {
    if (this.#damaged.has(slab)) return
    this.#damaged.add(slab)
    this.onDamage(error)
  }

  isDamaged(slab: Slab): boolean {
    return this.#damaged.size > 0 && this.#damaged.has(slab)
  }

  get hasDamage(): boolean {
    return this.#damaged.size > 0
  }

  /** The slab is not used any more. */
  forget(slab: Slab): void {
    this.#damaged.delete(slab)
  }

  #readAhead(slab: Slab, start: number, end: number): void {
    try {
      this.#window.fill(slab.file!, start, end)
    } catch (error) {
      this.reportDamage(slab, error)
      throw error
    }
  }
}
