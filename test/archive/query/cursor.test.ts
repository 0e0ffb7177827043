import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCursor, writeCursor } from '../../../src/archive/query/cursor.ts'
import { Problem } from '../../../src/domain/errors.ts'
import { EVERYTHING } from '../../../src/filter/filter.ts'
import type { Listing } from '../../../src/filter/listing.ts'
import fc from '../../support/fast-check.ts'

const listing: Listing = { filter: EVERYTHING, order: 'newest', limit: 50, cursor: null, format: null, fields: null }
const cursor = {
  position: { publishedAt: Date.UTC(2026, 0, 1), suffix: '0123456789abcdefghjkmnpqrs' },
  requestedAt: Date.UTC(2026, 1, 1),
}

const code = (text: string, other = listing) => {
  try {
    readCursor(text, other)
    return 'accepted'
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

test('a cursor keeps its position and the time of the request, also before 1970', () => {
  assert.deepEqual(readCursor(writeCursor(cursor, listing), listing), cursor)
  const old = { ...cursor, position: { ...cursor.position, publishedAt: Date.UTC(1961, 5, 1) } }
  assert.deepEqual(readCursor(writeCursor(old, listing), listing), old)
})

test('the page size may change from page to page, filters and order may not', () => {
  const text = writeCursor(cursor, listing)
  assert.equal(code(text, { ...listing, limit: 7 }), 'accepted')
  assert.equal(code(text, { ...listing, order: 'oldest' }), 'cursor_of_another_query')
  assert.equal(code(text, { ...listing, filter: { ...EVERYTHING, states: ['NG-KD'] } }), 'cursor_of_another_query')
})

test('refuses a damaged cursor, whatever part is damaged', () => {
  const text = writeCursor(cursor, listing)
  for (let at = 0; at < text.length; at++) {
    assert.equal(
      code(text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)),
      'invalid_cursor',
      `at ${at}`,
    )
  }
  for (const other of ['', 'x', 'next_cursor', text.slice(0, -3), Buffer.from('1.a.b.c.d.e').toString('base64url')]) {
    assert.equal(code(other), 'invalid_cursor', other)
  }
  fc.assert(fc.property(fc.string(), (any) => assert.equal(code(any), 'invalid_cursor')))
})
