import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemFrom } from '../../src/http/problem-response.ts'
import { StoreFull, StoreUnavailable } from '../../src/store/store.ts'

test('a full disk is told apart from a database that is away', () => {
  const full = problemFrom(new StoreFull('SQLITE_FULL'))
  assert.deepEqual([full.code, full.headers], ['store_full', { 'retry-after': '30' }])
  assert.match(full.message, /no room left .*Nothing was written; .*can be read/)
  const away = problemFrom(new StoreUnavailable('SQLITE_BUSY'))
  assert.deepEqual([away.code, away.headers], ['store_unavailable', { 'retry-after': '5' }])
})
