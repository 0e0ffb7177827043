import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyCache } from '../../src/accounts/key-cache.ts'
import { openAccount } from '../../src/accounts/keys.ts'
import { type Keys, StoreUnavailable } from '../../src/store/store.ts'
import { openMemoryStore } from '../support/databases/memory-store.ts'

async function storeWithKey() {
  const store = await openMemoryStore()
  const { key } = await openAccount(store, { email: null, name: null }, {}, 0)
  let reads = 0
  let away = false
  const keys = {
    findByHash(hash: string) {
      reads++
      return away ? Promise.reject(new StoreUnavailable('away')) : store.keys.findByHash(hash)
    },
  } as Keys
  return { store, key, keys: () => keys, reads: () => reads, makeUnavailable: () => (away = true) }
}

test('a key is read from the store once per second, even with many requests', async () => {
  const { store, key, keys, reads } = await storeWithKey()
  await using _store = store
  let now = 10_000
  const cache = new KeyCache(() => now)
  const found = await Promise.all(Array.from({ length: 50 }, () => cache.find(key.hash, keys)))
  assert.ok(found.every((holder) => holder?.key.id === key.id))
  assert.equal(reads(), 1)
  assert.equal(cache.peek(key.hash)?.key.id, key.id)
  now += 999
  assert.ok(cache.peek(key.hash))
  now += 1
  assert.equal(cache.peek(key.hash), undefined)
})

test('an unknown key is cached too', async () => {
  const { store, keys } = await storeWithKey()
  await using _store = store
  const cache = new KeyCache(() => 0)
  assert.equal(cache.peek('nothing'), undefined)
  assert.equal(await cache.find('nothing', keys), null)
  assert.equal(cache.peek('nothing'), null)
})

test('during an outage of the store cached keys are found, and other keys are refused', async () => {
  const { store, key, keys, makeUnavailable } = await storeWithKey()
  await using _store = store
  let now = 0
  const cache = new KeyCache(() => now)
  await cache.find(key.hash, keys)
  makeUnavailable()
  now += 60_000
  assert.equal((await cache.find(key.hash, keys))?.key.id, key.id)
  await assert.rejects(cache.find('stranger', keys), StoreUnavailable)
})

test('while the store hangs, a cached key is found without waiting', async () => {
  const { store, key } = await storeWithKey()
  await using _store = store
  let now = 0
  const cache = new KeyCache(() => now)
  await cache.find(key.hash, () => store.keys)
  const hanging = { findByHash: () => new Promise(() => {}) } as unknown as Keys
  now += 60_000
  assert.equal(cache.peek(key.hash), undefined)
  assert.equal((await cache.find(key.hash, () => hanging))?.key.id, key.id)
  now += 500
  assert.equal(cache.peek(key.hash)?.key.id, key.id, 'found at once, while the read is still pending')
})

test('many unknown keys do not evict a known key', async () => {
  const { store, key } = await storeWithKey()
  await using _store = store
  const cache = new KeyCache(() => 0)
  await cache.find(key.hash, () => store.keys)
  const none = { findByHash: () => Promise.resolve(null) } as unknown as Keys
  for (let guess = 0; guess < 120_000; guess++) await cache.find(String(guess), () => none)
  assert.equal(cache.peek(key.hash)?.key.id, key.id)
})

test('the cache holds at most 40,000 known and 10,000 unknown keys', async () => {
  const { store, key } = await storeWithKey()
  await using _store = store
  const holder = (await store.keys.findByHash(key.hash))!
  const cache = new KeyCache(() => 0)
  const all = { findByHash: () => Promise.resolve(holder) } as unknown as Keys
  const none = { findByHash: () => Promise.resolve(null) } as unknown as Keys
  for (let number = 0; number < 40_100; number++) await cache.find(`known ${number}`, () => all)
  for (let number = 0; number < 10_100; number++) await cache.find(`unknown ${number}`, () => none)
  assert.deepEqual(cache.size, { known: 40_000, unknown: 10_000 })
  assert.equal(cache.peek('known 99'), undefined)
  assert.ok(cache.peek('known 100'))
})
