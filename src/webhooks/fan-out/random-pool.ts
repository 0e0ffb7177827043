import { randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(4096)
let used = pool.length

/** As `randomBytes` of node:crypto, for a few bytes at a time: asked for one by one they cost as much as signing half a message. */
export function pooledRandomBytes(size: number): Uint8Array {
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += size
  // A copy: what has been given out does not change with the next filling.
  return Uint8Array.prototype.slice.call(pool, used - size, used)
}
