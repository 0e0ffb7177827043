/**
 * Buffers of one class differ by less than this, so that a page of incidents fits the room of
 * another.
 */
const CLASS_BYTES = 16 << 10

/** Bytes from a pool. Whoever reads them later than in this turn of the event loop holds them. */
export interface PooledBuffer {
  readonly bytes: Buffer
  /** The memory that they occupy, in bytes. */
  readonly size: number
  hold(): void
  /** Ends one hold. When the last has ended, the bytes may be overwritten from the next turn on. */
  release(): void
}

/**
 * Reuses buffers for answers: collecting one of 64 kB costs more than filling it. A buffer that is
 * never released is collected like any other, so that a forgotten one costs time and not truth.
 */
export class BufferPool {
  readonly #maxBytes: number
  readonly #free = new Map<number, Buffer[]>()
  #freeBytes = 0
  #released: HeldBuffer[] = []

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The bytes of free buffers. */
  get size(): number {
    return this.#freeBytes
  }

  /**
   * Returns bytes with any content, held once; null if there are so few that a pool would not help.
   */
  take(length: number): PooledBuffer | null {
    if (length < CLASS_BYTES) return null
    const roomClass = Math.ceil(length / CLASS_BYTES)
    const free = this.#free.get(roomClass)?.pop()
    if (free !== undefined) this.#freeBytes -= free.length
    return new HeldBuffer(free ?? Buffer.allocUnsafeSlow(roomClass * CLASS_BYTES), length, this.#release)
  }

  /**
   * Waits for the end of this turn: an answer that has just left its cache may be on its way to a
   * request, which then holds it.
   */
  readonly #release = (buffer: HeldBuffer): void => {
    if (this.#released.push(buffer) > 1) return
    setImmediate(() => {
      const released = this.#released
      this.#released = []
      for (const one of released) if (one.reclaim()) this.#keep(one.room)
    })
  }

  #keep(room: Buffer): void {
    if (this.#freeBytes + room.length > this.#maxBytes) return
    const roomClass = room.length / CLASS_BYTES
    const free = this.#free.get(roomClass)
    if (free === undefined) this.#free.set(roomClass, [room])
    else free.push(room)
    this.#freeBytes += room.length
  }
}

class HeldBuffer implements PooledBuffer {
  readonly room: Buffer
  readonly bytes: Buffer
  readonly #released: (buffer: HeldBuffer) => void
  #holds = 1
  #reclaimed = false

  constructor(room: Buffer, length: number, released: (buffer: HeldBuffer) => void) {
    this.room = room
    this.bytes = room.subarray(0, length)
    this.#released = released
  }

  get size(): number {
    return this.room.length
  }

  hold(): void {
    if (this.#reclaimed) throw new Error('These bytes were released, and hold another answer by now.')
    this.#holds++
  }

  release(): void {
    if (this.#holds === 0) throw new Error('These bytes were released more often than held.')
    if (--this.#holds === 0) this.#released(this)
  }

  /** Returns whether nobody holds the bytes; nobody can from then on. May be asked twice. */
  reclaim(): boolean {
    if (this.#holds > 0 || this.#reclaimed) return false
    this.#reclaimed = true
    return true
  }
}
