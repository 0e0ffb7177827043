import { checksum } from '../../../lib/checksum.ts'
import type { Slab } from '../slab.ts'
import { FileWindow } from './file-window.ts'
import { UnreadableDocuments } from './unreadable.ts'

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

  /** Reads a range whose documents are read next. */
  readAhead(slab: Slab, start: number, end: number): void {
    try {
      this.#window.fill(slab.file!, start, end)
    } catch (error) {
      this.reportDamage(slab, error)
      throw error
    }
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
}
