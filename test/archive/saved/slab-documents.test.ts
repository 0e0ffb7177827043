import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlabDocuments } from '../../../src/archive/saved/slab-documents.ts'
import fc from '../../support/fast-check.ts'

test('gaps are all bytes that are part of no document, and copies have zeros there', () => {
  const piece = fc.record({ length: fc.integer({ min: 1, max: 9 }), isDocument: fc.boolean(), order: fc.nat() })
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 20 }), (pieces) => {
      let used = 0
      const places = pieces.map((one) => {
        used += one.length
        return { ...one, start: used - one.length }
      })
      const kept = places.filter(({ isDocument }) => isDocument).toSorted((one, other) => one.order - other.order)
      const ranges = {
        slab: new Uint16Array(kept.length),
        offset: Uint32Array.from(kept, ({ start }) => start),
        length: Uint32Array.from(kept, ({ length }) => length),
        checksum: new Uint32Array(kept.length),
      }
      const [documents] = SlabDocuments.bySlab(ranges, 1)
      const bytes = new Uint8Array(used).fill(7)
      const expected = new Uint8Array(used)
      for (const { start, length } of kept) expected.fill(7, start, start + length)
      assert.deepEqual(documents!.copyFrom(bytes, used), expected)
      for (const [start, end] of documents!.gaps(used)) bytes.fill(0, start, end)
      assert.deepEqual(bytes, expected)
      assert.equal(documents!.fill(used), !expected.includes(0))
    }),
  )
})
