import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BufferPool, type PooledBuffer } from '../../src/lib/buffer-pool.ts'

const MEGABYTE = 1 << 20

function take(pool: BufferPool, length: number): PooledBuffer {
  const taken = pool.take(length)
  assert(taken !== null)
  return taken
}

const isSameRoom = (one: PooledBuffer, other: PooledBuffer) => one.bytes.buffer === other.bytes.buffer

describe('a pool of buffers', () => {
  it('reuses a released buffer from the next turn on', async () => {
    const pool = new BufferPool(MEGABYTE)
    const first = take(pool, 50_000)
    first.release()
    const second = take(pool, 50_000)
    assert(!isSameRoom(first, second))
    await nextTurn()
    const third = take(pool, 52_000)
    assert(isSameRoom(first, third))
    assert.equal(third.bytes.length, 52_000)
  })

  it('reuses nothing that somebody holds', async () => {
    const pool = new BufferPool(MEGABYTE)
    const first = take(pool, 50_000)
    first.hold()
    first.release()
    await nextTurn()
    assert(!isSameRoom(first, take(pool, 50_000)))
    first.release()
    await nextTurn()
    assert(isSameRoom(first, take(pool, 50_000)))
  })

  it('leaves alone what is held again in the turn of its release', async () => {
    const pool = new BufferPool(MEGABYTE)
    const first = take(pool, 50_000)
    first.release()
    first.hold()
    first.release()
    first.hold()
    await nextTurn()
    assert(!isSameRoom(first, take(pool, 50_000)))
    first.release()
    await nextTurn()
    assert(isSameRoom(first, take(pool, 50_000)))
    assert(!isSameRoom(first, take(pool, 50_000)))
  })

  it('refuses to hold bytes that hold something else, and to release them twice', async () => {
    const first = take(new BufferPool(MEGABYTE), 50_000)
    first.release()
    assert.throws(() => first.release(), /more often/)
    await nextTurn()
    assert.throws(() => first.hold(), /another answer/)
  })

  it('keeps at most its size, and no small buffers', async () => {
    const pool = new BufferPool(MEGABYTE)
    const taken = Array.from({ length: 40 }, () => take(pool, 60_000))
    for (const one of taken) one.release()
    await nextTurn()
    assert(pool.size > MEGABYTE / 2 && pool.size <= MEGABYTE, `${pool.size} bytes`)
    assert.equal(pool.take(1000), null)
  })
})
