/**
 * Incidents' bytes as they were at one moment, though events go on: bytes once written are never written over, so knowing
 * where they lie is enough. It costs 12 bytes an incident, and keeps replaced ones from being given back: for a download, not for long.
 */
export class Pinned {
  readonly #slabs: readonly Uint8Array[]
  readonly #slab: Uint32Array
  readonly #offset: Uint32Array
  readonly #length: Uint32Array

  constructor(slabs: readonly Uint8Array[], slab: Uint32Array, offset: Uint32Array, length: Uint32Array) {
    this.#slabs = slabs
    this.#slab = slab
    this.#offset = offset
    this.#length = length
  }

  get size(): number {
    return this.#offset.length
  }

  at(index: number): Uint8Array {
    const offset = this.#offset[index]!
    return this.#slabs[this.#slab[index]!]!.subarray(offset, offset + this.#length[index]!)
  }
}
