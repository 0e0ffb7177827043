import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BoundedCache } from '../../src/lib/bounded-cache.ts'
import { BufferPool, type PooledBuffer } from '../../src/lib/buffer-pool.ts'
import { checksum, viewOf } from '../../src/lib/bytes.ts'
import fc from '../support/fast-check.ts'

function keysIn(cache: { get(key: string): unknown }, keys: string): string {
  return [...keys].filter((key) => cache.get(key) !== undefined).join('')
}

test('the oldest entries are evicted above the maximum', () => {
  const cache = new BoundedCache<string, number>(3)
  for (const [index, key] of [...'abcde'].entries()) cache.set(key, index)
  assert.equal(keysIn(cache, 'abcde'), 'cde')
  assert.equal(cache.size, 3)
  assert.equal(cache.get('e'), 4)
})

test('an entry that is written again is the newest, one that is read is not', () => {
  const cache = new BoundedCache<string, number>(3)
  for (const key of 'abc') cache.set(key, 1)
  cache.get('b')
  cache.set('a', 2)
  cache.set('d', 1)
  assert.equal(keysIn(cache, 'abcd'), 'acd')
  assert.equal(cache.get('a'), 2)
})

test('null is a value that can be cached', () => {
  const cache = new BoundedCache<string, null>(1)
  cache.set('a', null)
  assert.equal(cache.get('a'), null)
  assert.equal(cache.get('b'), undefined)
})

test('the size is the sum of sizeOf, also after replacements and deletions', () => {
  const cache = new BoundedCache<string, string>(10, (text) => text.length)
  cache.set('a', 'four')
  cache.set('b', 'four')
  cache.set('a', 'sixsix')
  assert.equal(cache.size, 10)
  cache.set('c', '7777777')
  assert.equal(keysIn(cache, 'abc'), 'c')
  cache.delete('c')
  cache.delete('never there')
  assert.equal(cache.size, 0)
})

test('an entry larger than the maximum is not cached', () => {
  const cache = new BoundedCache<string, string>(3, (text) => text.length)
  cache.set('a', 'four')
  assert.equal(cache.get('a'), undefined)
  assert.equal(cache.size, 0)
  cache.set('b', 'one')
  assert.equal(cache.get('b'), 'one')
})

test('a cleared cache is empty and still evicts in order', () => {
  const cache = new BoundedCache<string, number>(2)
  for (const key of 'abc') cache.set(key, 1)
  cache.clear()
  assert.equal(cache.size, 0)
  for (const key of 'defg') cache.set(key, 1)
  assert.equal(keysIn(cache, 'abcdefg'), 'fg')
})

test('order holds over many evictions, deletions and rewrites', () => {
  const cache = new BoundedCache<number, number>(100)
  const expected = new Map<number, number>()
  for (let step = 0; step < 20_000; step++) {
    const key = (step * 7919) % 331
    if (step % 13 === 0) {
      cache.delete(key)
      expected.delete(key)
      continue
    }
    cache.set(key, step)
    expected.delete(key)
    expected.set(key, step)
    if (expected.size > 100) expected.delete(expected.keys().next().value!)
  }
  assert.equal(cache.size, expected.size)
  for (const [key, value] of expected) assert.equal(cache.get(key), value)
})

describe('buffer pool', () => {
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
})

describe('bytes', () => {
  const of = (bytes: Uint8Array, from = 0) => checksum(viewOf(bytes), from, bytes.length)

  test('is xxHash32', () => {
    const known = {
      '': 0x02cc5d05,
      a: 0x550d7456,
      abc: 0x32d153ff,
      'Nobody inspects the spammish repetition': 0xe2293b2f,
    }
    for (const [text, expected] of Object.entries(known)) assert.equal(of(Buffer.from(text)), expected, text)
  })

  test('differs if one bit does, and does not depend on the position', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), fc.nat(20), (bytes, bit, before) => {
        const moved = Buffer.concat([Buffer.alloc(before, 7), bytes])
        assert.equal(of(moved, before), of(bytes))
        const flipped = Uint8Array.from(bytes)
        flipped[bit % bytes.length]! ^= 1 << (bit % 8)
        assert.notEqual(of(flipped), of(bytes))
      }),
    )
  })
})
