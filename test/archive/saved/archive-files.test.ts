import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeColumns, LAYOUT } from '../../../src/archive/saved/archive-folder.ts'
import { newestWithin } from '../../../src/archive/saved/read-archive.ts'
import { SlabDocuments } from '../../../src/archive/saved/slab-documents.ts'
import { MIGRATIONS } from '../../../src/store/sqlite/migrate.ts'
import fc from '../../support/fast-check.ts'

/** Migration 15 is older than saved archives. */
const OLDER_REWRITES = 1

test('a migration that rewrites documents raises the layout: saved ones are of the time before', () => {
  const rewrites = MIGRATIONS.filter(({ sql }) => /UPDATE incidents\s+SET[^;]*\bdocument\s*=/i.test(sql))
  assert.ok(LAYOUT >= 2 + rewrites.length - OLDER_REWRITES, `raise LAYOUT: ${rewrites.length} migrations rewrite`)
  assert.ok(rewrites.length >= OLDER_REWRITES, 'the pattern finds migration 15')
})

test('the description is the same in every process, and names every column', () => {
  assert.equal(describeColumns(), describeColumns())
  for (const name of ['publishedAt', 'casualties', 'suffix', 'cell'])
    assert.match(describeColumns(), new RegExp(`\\b${name} \\d`))
})

const slabs = [3, 1, 2, 4].map((position) => ({ bytes: 10, position }))

test('the newest that fit are chosen, and no older one in place of one that does not', () => {
  assert.deepEqual([...newestWithin(20, slabs)].toSorted(), [0, 3])
  assert.deepEqual([...newestWithin(0, slabs)], [])
  assert.deepEqual([...newestWithin(Number.POSITIVE_INFINITY, slabs)].toSorted(), [0, 1, 2, 3])
  assert.deepEqual([...newestWithin(25, [...slabs, { bytes: 20, position: 3.5 }])], [3])
})

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
