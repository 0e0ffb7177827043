import { SUFFIX_LENGTH } from '../../domain/identifier.ts'
import type { Columns } from './columns.ts'

const EMPTY = 0
const REMOVED = 0xffffffff
const FNV_OFFSET_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Finds the slot of an id: an open-addressing hash table over the column of ids. A `Map` would hold
 * a million strings, about 100 MB and a second of garbage collection; this takes 8 MB.
 */
export class IdIndex {
  readonly #columns: Columns
  /** Each entry is the slot + 1; 0 marks an empty one. */
  #table = new Uint32Array(4096)
  #taken = 0

  constructor(columns: Columns) {
    this.#columns = columns
  }

  slotOf(suffix: string): number | null {
    if (suffix.length !== SUFFIX_LENGTH) return null
    const mask = this.#table.length - 1
    for (let index = hash(suffix) & mask; ; index = (index + 1) & mask) {
      const entry = this.#table[index]!
      if (entry === EMPTY) return null
      if (entry !== REMOVED && this.#hasSuffix(entry - 1, suffix)) return entry - 1
    }
  }

  add(suffix: string, slot: number): void {
    if ((this.#taken + 1) * 2 > this.#table.length) this.#rebuild()
    this.#insert(hash(suffix), slot)
  }

  /** Adds the slots from 0 up to `count`, whose ids are in the column, to an empty index. */
  addFirst(count: number): void {
    let length = this.#table.length
    while ((count + 1) * 2 > length) length *= 2
    this.#table = new Uint32Array(length)
    for (let slot = 0; slot < count; slot++) this.#insert(hashOfSlot(this.#columns, slot), slot)
  }

  remove(suffix: string): void {
    const mask = this.#table.length - 1
    for (let index = hash(suffix) & mask; this.#table[index] !== EMPTY; index = (index + 1) & mask) {
      const entry = this.#table[index]!
      if (entry === REMOVED || !this.#hasSuffix(entry - 1, suffix)) continue
      this.#table[index] = REMOVED
      return
    }
  }

  #insert(hashed: number, slot: number): void {
    const mask = this.#table.length - 1
    let index = hashed & mask
    while (this.#table[index] !== EMPTY) index = (index + 1) & mask
    this.#table[index] = slot + 1
    this.#taken++
  }

  #rebuild(): void {
    const old = this.#table
    this.#table = new Uint32Array(old.length * 2)
    this.#taken = 0
    for (const entry of old) {
      if (entry !== EMPTY && entry !== REMOVED) this.#insert(hashOfSlot(this.#columns, entry - 1), entry - 1)
    }
  }

  #hasSuffix(slot: number, suffix: string): boolean {
    const bytes = this.#columns.suffix
    const start = slot * SUFFIX_LENGTH
    for (let index = SUFFIX_LENGTH - 1; index >= 0; index--) {
      if (bytes[start + index] !== suffix.charCodeAt(index)) return false
    }
    return true
  }
}

/** FNV-1a with one more mixing step, because the table uses only the low bits. */
function hash(text: string): number {
  let value = FNV_OFFSET_BASIS
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME)
  return (value ^ (value >>> 15)) >>> 0
}

/** Computes the same hash from the bytes in the column. */
function hashOfSlot({ suffix }: Columns, slot: number): number {
  let value = FNV_OFFSET_BASIS
  for (let index = slot * SUFFIX_LENGTH; index < (slot + 1) * SUFFIX_LENGTH; index++) {
    value = Math.imul(value ^ suffix[index]!, FNV_PRIME)
  }
  return (value ^ (value >>> 15)) >>> 0
}
