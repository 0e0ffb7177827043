import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionLimit } from '../../src/streams/connection-limit.ts'

test('streams are limited per caller and in all', () => {
  const limit = new ConnectionLimit({ all: 3, each: 2 })
  assert.deepEqual(
    [limit.acquire('one'), limit.acquire('one'), limit.acquire('one')],
    ['taken', 'taken', 'caller full'],
  )
  assert.deepEqual([limit.acquire('two'), limit.acquire('two')], ['taken', 'all full'])
})

test('a released stream can be acquired again', () => {
  const limit = new ConnectionLimit({ all: 2, each: 1 })
  limit.acquire('one')
  limit.acquire('two')
  limit.release('one')
  assert.equal(limit.acquire('three'), 'taken')
  limit.release('three')
  assert.equal(limit.acquire('one'), 'taken')
})
