import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionLimit } from '../../src/streams/connection-limit.ts'

test('a caller has its own bound, and all have one together', () => {
  const seats = new ConnectionLimit({ all: 3, each: 2 })
  assert.deepEqual([seats.take('one'), seats.take('one'), seats.take('one')], ['taken', 'taken', 'caller full'])
  assert.deepEqual([seats.take('two'), seats.take('two')], ['taken', 'all full'])
})

test('a seat that is given up can be taken again', () => {
  const seats = new ConnectionLimit({ all: 2, each: 1 })
  seats.take('one')
  seats.take('two')
  seats.free('one')
  assert.equal(seats.take('three'), 'taken')
  seats.free('three')
  assert.equal(seats.take('one'), 'taken')
})
