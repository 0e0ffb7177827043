import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionLimit } from '../../src/streams/connection-limit.ts'

const of = (subject: string, max: number) => [{ subject, max }]

test('streams are limited per subject and in all', () => {
  const limit = new ConnectionLimit(3)
  assert.deepEqual(
    [limit.acquire(of('one', 2)), limit.acquire(of('one', 2)), limit.acquire(of('one', 2))],
    ['taken', 'taken', { full: 'one' }],
  )
  assert.deepEqual([limit.acquire(of('two', 2)), limit.acquire(of('two', 2))], ['taken', 'all full'])
})

test('a released stream can be acquired again', () => {
  const limit = new ConnectionLimit(2)
  limit.acquire(of('one', 1))
  limit.acquire(of('two', 1))
  limit.release(of('one', 1))
  assert.equal(limit.acquire(of('three', 1)), 'taken')
  limit.release(of('three', 1))
  assert.equal(limit.acquire(of('one', 1)), 'taken')
})

test('a stream that counts for two subjects is refused by either, and then counts for neither', () => {
  const limit = new ConnectionLimit(9)
  const bounds = (address: string) => [
    { subject: address, max: 1 },
    { subject: 'account', max: 2 },
  ]
  assert.equal(limit.acquire(bounds('a')), 'taken')
  assert.deepEqual(limit.acquire(bounds('a')), { full: 'a' })
  assert.equal(limit.openOf('account'), 1)
  assert.equal(limit.acquire(bounds('b')), 'taken')
  assert.deepEqual(limit.acquire(bounds('c')), { full: 'account' })
  assert.equal(limit.openOf('c'), 0)
})
