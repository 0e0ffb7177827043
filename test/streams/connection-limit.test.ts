import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionLimit } from '../../src/streams/connection-limit.ts'

test('a caller has its own bound, and all have one together', () => {
  const seats = new ConnectionLimit({ all: 3, each: 2 })
  assert.deepEqual(
    [seats.acquire('one'), seats.acquire('one'), seats.acquire('one')],
    ['taken', 'taken', 'caller full'],
  )
  assert.deepEqual([seats.acquire('two'), seats.acquire('two')], ['taken', 'all full'])
})

test('a seat that is given up can be taken again', () => {
  const seats = new ConnectionLimit({ all: 2, each: 1 })
  seats.acquire('one')
  seats.acquire('two')
  seats.release('one')
  assert.equal(seats.acquire('three'), 'taken')
  seats.release('three')
  assert.equal(seats.acquire('one'), 'taken')
})
