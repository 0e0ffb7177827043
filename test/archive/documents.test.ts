import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentStore } from '../../src/archive/documents/document-store.ts'
import type { PinnedDocuments } from '../../src/archive/documents/pinned-documents.ts'
import { describeColumns, LAYOUT } from '../../src/archive/saved/archive-folder.ts'
import { newestWithin } from '../../src/archive/saved/read-archive.ts'
import { SlabDocuments } from '../../src/archive/saved/slab-documents.ts'
import { checksum, viewOf } from '../../src/lib/bytes.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { MIGRATIONS } from '../../src/store/sqlite/migrate.ts'
import { documentsIn } from '../support/archive.ts'
import fc, { anyText } from '../support/fast-check.ts'

const text = (documents: DocumentStore, slot: number) => Buffer.from(documents.get(slot)).toString()
const document = anyText({ minLength: 1, maxLength: 40 }).map((any) => any.toWellFormed())
/** The digest in a store that has never had another document. */
const digestOf = (whole: string) => {
  const fresh = new DocumentStore(200)
  fresh.addDocument(0, whole)
  return fresh.digestOf(0)
}

test('every document stays intact while others are added, replaced and removed', () => {
  const step = fc.tuple(fc.nat(30), fc.option(document, { freq: 4 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.integer({ min: 16, max: 200 }), (steps, slabBytes) => {
      const documents = new DocumentStore(slabBytes)
      const expected = new Map<number, { whole: string; digest: number }>()
      for (const [slot, put] of steps) {
        if (put === null && expected.has(slot)) documents.removeDocument(slot)
        else if (put !== null && expected.has(slot)) documents.replaceDocument(slot, put)
        else if (put !== null) documents.addDocument(slot, put)
        if (put === null) expected.delete(slot)
        else expected.set(slot, { whole: put, digest: digestOf(put) })
        for (const [other, { whole, digest }] of expected) {
          assert.equal(text(documents, other), whole)
          assert.equal(documents.digestOf(other), digest)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('the same with slabs that are moved to files and mostly dead files that are taken back', async () => {
  const step = fc.tuple(
    fc.nat(30),
    fc.option(document, { freq: 4 }),
    fc.constantFrom('', '', '', 'to files', 'compact'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 120 }),
      fc.integer({ min: 16, max: 200 }),
      async (steps, slabBytes) => {
        await using scene = await documentsIn('in files', slabBytes)
        const { documents } = scene
        const expected = new Map<number, string>()
        const digests = new Map<number, number>()
        const pinned: { expected: string[]; pin: PinnedDocuments }[] = []
        for (const [slot, put, then] of steps) {
          if (put === null && expected.has(slot)) documents.removeDocument(slot)
          else if (put !== null && expected.has(slot)) documents.replaceDocument(slot, put)
          else if (put !== null) documents.addDocument(slot, put)
          if (put === null) expected.delete(slot)
          else {
            expected.set(slot, put)
            digests.set(slot, digestOf(put))
          }
          if (then === 'to files') await scene.toFiles()
          if (then === 'compact') runToEnd(documents.compactFiles())
          const slots = [...expected.keys()]
          for (const other of slots) {
            assert.equal(text(documents, other), expected.get(other))
            assert.equal(documents.digestOf(other), digests.get(other))
          }
          const read: string[] = []
          documents.readEach(slots, (bytes, start, end) =>
            read.push(Buffer.from(bytes.subarray(start, end)).toString()),
          )
          assert.deepEqual(read, [...expected.values()])
          assert.equal(documents.hasDamage, false)
          if (then === 'to files') pinned.push({ expected: read, pin: documents.pin(Uint32Array.from(slots)) })
        }
        // A pin keeps its documents, whatever was replaced, freed or moved since.
        for (const { expected: all, pin } of pinned)
          assert.deepEqual(
            all.map((_, index) => Buffer.from(pin.at(index)).toString()),
            all,
          )
      },
    ),
    { numRuns: 100 },
  )
})

test('only the same document is put in place of a damaged one', async () => {
  await using scene = await documentsIn('in files', 16)
  const { documents } = scene
  for (const slot of [0, 1, 2]) documents.addDocument(slot, `the document ${slot}`)
  await scene.toFiles()
  assert.equal(documents.restore(0, 'the document 1'), false)
  assert.equal(documents.restore(0, 'the document'), false)
  assert.equal(text(documents, 0), 'the document 0')
  assert.equal(documents.restore(0, 'the document 0'), true)
  assert.equal(text(documents, 0), 'the document 0')
})

test('documents added as one chunk are read one by one, and it is copied unless it is large and has its own memory', () => {
  for (const [slabBytes, isOwn, isCopied] of [
    [64, true, true],
    [16, true, false],
    [16, false, true],
  ] as const) {
    const documents = new DocumentStore(slabBytes)
    documents.addDocument(0, 'zero')
    const bytes = isOwn ? Uint8Array.from(Buffer.from('onetwothree')) : Buffer.from('!onetwothree').subarray(1)
    documents.addChunk(1, { bytes, ends: Uint32Array.of(3, 6, 11), checksums: new Uint32Array(3) })
    documents.addDocument(4, 'four')
    const read = () => [0, 1, 2, 3, 4].map((slot) => text(documents, slot))
    assert.deepEqual(read(), ['zero', 'one', 'two', 'three', 'four'])
    bytes.fill(0x78)
    assert.equal(read()[1], isCopied ? 'one' : 'xxx')
  }
})

test('a slab that is in its file already is not written again by what waited for it', async () => {
  await using scene = await documentsIn('in files', 16)
  const { documents } = scene
  const addChunk = (slot: number, content: string) => {
    const bytes = Uint8Array.from(Buffer.from(content))
    const checksums = Uint32Array.of(checksum(viewOf(bytes), 0, bytes.length))
    documents.addChunk(slot, { bytes, ends: Uint32Array.of(bytes.length), checksums })
  }
  // The slab that is being filled comes before the two that are written, and is full later.
  documents.addDocument(0, 'twelve bytes')
  addChunk(1, 'second')
  addChunk(2, 'third')
  await documents.spill()
  documents.addDocument(3, 'no room for it')
  await scene.toFiles()
  assert.equal(documents.files.length, 3)
  assert.deepEqual(
    [0, 1, 2, 3].map((slot) => text(documents, slot)),
    ['twelve bytes', 'second', 'third', 'no room for it'],
  )
})

test('frees the memory of replaced documents', () => {
  const documents = new DocumentStore(1000)
  for (let slot = 0; slot < 100; slot++) documents.addDocument(slot, 'x'.repeat(90))
  for (let round = 0; round < 200; round++)
    for (let slot = 0; slot < 100; slot++) documents.replaceDocument(slot, 'y'.repeat(90))
  assert.ok(documents.size < 40_000, `${documents.size} bytes for 9,000`)
})

/** Migration 15 is older than saved archives. */
const OLDER_REWRITES = 1

test('a migration that rewrites documents raises the layout: saved ones are of the time before', () => {
  const rewrites = MIGRATIONS.filter(({ sql }) => /UPDATE incidents\s+SET[^;]*\bdocument\s*=/i.test(sql))
  assert.ok(LAYOUT >= 2 + rewrites.length - OLDER_REWRITES, `raise LAYOUT: ${rewrites.length} migrations rewrite`)
  assert.ok(rewrites.length >= OLDER_REWRITES, 'the pattern finds migration 15')
})

test('the description of saved files is the same in every process, and names every column', () => {
  assert.equal(describeColumns(), describeColumns())
  for (const name of ['publishedAt', 'casualties', 'suffix', 'cell'])
    assert.match(describeColumns(), new RegExp(`\\b${name} \\d`))
})

const slabs = [3, 1, 2, 4].map((position) => ({ bytes: 10, position }))

test('the newest slabs that fit are chosen, and no older one in place of one that does not', () => {
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
