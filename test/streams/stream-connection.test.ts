import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { ConnectionLimit, frameBytes } from '../../src/streams/stream-connection.ts'
import fc from '../support/fast-check.ts'

test('a block has its fields in order and ends with an empty line', () => {
  const all = { comment: 'alive', retry: 3000, id: 7, event: 'incident.created', data: '{"seq":7}' }
  assert.equal(frameBytes(all).toString(), ': alive\nretry: 3000\nid: 7\nevent: incident.created\ndata: {"seq":7}\n\n')
  assert.equal(frameBytes({ id: 0 }).toString(), 'id: 0\n\n')
})

test('an independent parser reads back any text', () => {
  fc.assert(
    fc.property(fc.nat(), fc.jsonValue(), (id, value) => {
      const found: EventSourceMessage[] = []
      const parser = createParser({ onEvent: (event) => found.push(event) })
      const data = JSON.stringify(value).toWellFormed()
      parser.feed(frameBytes({ id, event: 'incident.updated', data }).toString())
      assert.deepEqual(found, [{ id: String(id), event: 'incident.updated', data }])
    }),
  )
})

const BREAKS = ['a\nb', 'a\rb', 'a\r\nb', '\n']
for (const name of ['comment', 'event', 'data'] as const) {
  test(`a line break in ${name} throws`, () => {
    for (const text of BREAKS) assert.throws(() => frameBytes({ [name]: text }), /cannot contain a line break/)
  })
}

test('an invalid number throws', () => {
  for (const id of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => frameBytes({ id }), /is not a whole number/)
})

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
