import assert from 'node:assert/strict'
import { it } from 'node:test'
import { problemFrom } from '../../../src/api/problem.ts'
import { StoreFull, StoreUnavailable } from '../../../src/store/store.ts'

it('distinguishes a full disk from an unreachable database', () => {
  const full = problemFrom(new StoreFull('SQLITE_FULL'))
  assert.deepEqual([full.code, full.headers], ['store_full', { 'retry-after': '30' }])
  assert.match(full.message, /disk .* is full\. Nothing was written; reads still work/)
  const away = problemFrom(new StoreUnavailable('SQLITE_BUSY'))
  assert.deepEqual([away.code, away.headers], ['store_unavailable', { 'retry-after': '5' }])
})

it('blames a body that ends early on the client', () => {
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 })
  assert.equal(problemFrom(aborted).code, 'malformed_request')
})

it('blames an unexpected error on the service', () => {
  assert.equal(problemFrom(new TypeError('x is undefined')).code, 'internal')
  assert.equal(problemFrom(Object.assign(new Error('busy'), { statusCode: 500 })).code, 'internal')
})
