import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestWithin } from '../../../src/archive/saved/newest-slabs.ts'

const slabs = [3, 1, 2, 4].map((position) => ({ bytes: 10, position }))

test('the newest that fit are chosen, and no older one in place of one that does not', () => {
  assert.deepEqual([...newestWithin(20, slabs)].toSorted(), [0, 3])
  assert.deepEqual([...newestWithin(0, slabs)], [])
  assert.deepEqual([...newestWithin(Number.POSITIVE_INFINITY, slabs)].toSorted(), [0, 1, 2, 3])
  assert.deepEqual([...newestWithin(25, [...slabs, { bytes: 20, position: 3.5 }])], [3])
})
