import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedCache } from '../../src/lib/bounded-cache.ts'

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
