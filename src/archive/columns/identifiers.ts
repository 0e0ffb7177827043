import { SUFFIX_LENGTH } from '../../domain/identifier.ts'
import type { Columns } from './columns.ts'

const EMPTY = 0
const REMOVED = 0xffffffff
const START = 0x811c9dc5
const PRIME = 0x01000193

/**
 * From an id to its slot: an open-addressing table over the column of ids. A `Map` would hold a million strings, about
 * 100 MB and a second of garbage collection, for what takes 8 MB here.
 */
export class Identifiers {
  readonly #columns: Columns
  /** Slot + 1, so that 0 is free. */
  #table = new Uint32Array(4096)
  #taken = 0

  constructor(columns: Columns) {
    this.#columns = columns
  }

  find(suffix: string): number | null {
    if (suffix.length !== SUFFIX_LENGTH) return null
    const mask = this.#table.length - 1
    for (let place = hash(suffix) & mask; ; place = (place + 1) & mask) {
      const entry = this.#table[place]!
      if (entry === EMPTY) return null
      if (entry !== REMOVED && this.#stands(entry - 1, suffix)) return entry - 1
    }
  }

  add(suffix: string, slot: number): void {
    if ((this.#taken + 1) * 2 > this.#table.length) this.#rebuild()
    this.#put(hash(suffix), slot)
  }

  remove(suffix: string): void {
    const mask = this.#table.length - 1
    for (let place = hash(suffix) & mask; this.#table[place] !== EMPTY; place = (place + 1) & mask) {
      const entry = this.#table[place]!
      if (entry === REMOVED || !this.#stands(entry - 1, suffix)) continue
      this.#table[place] = REMOVED
      return
    }
  }

  #put(hashed: number, slot: number): void {
    const mask = this.#table.length - 1
    let place = hashed & mask
    while (this.#table[place] !== EMPTY) place = (place + 1) & mask
    this.#table[place] = slot + 1
    this.#taken++
  }

  #rebuild(): void {
    const old = this.#table
    this.#table = new Uint32Array(old.length * 2)
    this.#taken = 0
    for (const entry of old) {
      if (entry !== EMPTY && entry !== REMOVED) this.#put(hashOfSlot(this.#columns, entry - 1), entry - 1)
    }
  }

  #stands(slot: number, suffix: string): boolean {
    const bytes = this.#columns.suffix
    const start = slot * SUFFIX_LENGTH
    for (let index = SUFFIX_LENGTH - 1; index >= 0; index--) {
      if (bytes[start + index] !== suffix.charCodeAt(index)) return false
    }
    return true
  }
}

/** FNV-1a, mixed once more: the table looks at the low bits alone. */
function hash(text: string): number {
  let value = START
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), PRIME)
  return (value ^ (value >>> 15)) >>> 0
}

/** The same over the bytes in the column. */
function hashOfSlot({ suffix }: Columns, slot: number): number {
  let value = START
  for (let index = slot * SUFFIX_LENGTH; index < (slot + 1) * SUFFIX_LENGTH; index++) {
    value = Math.imul(value ^ suffix[index]!, PRIME)
  }
  return (value ^ (value >>> 15)) >>> 0
}
