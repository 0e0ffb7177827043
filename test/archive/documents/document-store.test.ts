import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentStore } from '../../../src/archive/documents/document-store.ts'
import type { PinnedDocuments } from '../../../src/archive/documents/pinned-documents.ts'
import { runToEnd } from '../../../src/lib/steps.ts'
import { documentsIn } from '../../support/archive.ts'
import fc from '../../support/fast-check.ts'

const text = (documents: DocumentStore, slot: number) => Buffer.from(documents.get(slot)).toString()
const document = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((any) => any.toWellFormed())
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
      const expected = new Map<number, string>()
      for (const [slot, put] of steps) {
        if (put === null && expected.has(slot)) documents.removeDocument(slot)
        else if (put !== null && expected.has(slot)) documents.replaceDocument(slot, put)
        else if (put !== null) documents.addDocument(slot, put)
        if (put === null) expected.delete(slot)
        else expected.set(slot, put)
        for (const [other, whole] of expected) {
          assert.equal(text(documents, other), whole)
          assert.equal(documents.digestOf(other), digestOf(whole))
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
        const pinned: { expected: string[]; pin: PinnedDocuments }[] = []
        for (const [slot, put, then] of steps) {
          if (put === null && expected.has(slot)) documents.removeDocument(slot)
          else if (put !== null && expected.has(slot)) documents.replaceDocument(slot, put)
          else if (put !== null) documents.addDocument(slot, put)
          if (put === null) expected.delete(slot)
          else expected.set(slot, put)
          if (then === 'to files') await scene.toFiles()
          if (then === 'compact') runToEnd(documents.compactFiles())
          const slots = [...expected.keys()]
          for (const other of slots) {
            assert.equal(text(documents, other), expected.get(other))
            assert.equal(documents.digestOf(other), digestOf(expected.get(other)!))
          }
          const read: string[] = []
          documents.readEach(slots, (bytes, start, end) =>
            read.push(Buffer.from(bytes.subarray(start, end)).toString()),
          )
          assert.deepEqual(read, [...expected.values()])
          assert.equal(documents.hasDamage, false)
          if (then === 'to files') pinned.push({ expected: read, pin: documents.pin(Uint32Array.from(slots)) })
        }
        // Whatever was replaced, freed or moved since.
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

test('frees the memory of replaced documents', () => {
  const documents = new DocumentStore(1000)
  for (let slot = 0; slot < 100; slot++) documents.addDocument(slot, 'x'.repeat(90))
  for (let round = 0; round < 200; round++)
    for (let slot = 0; slot < 100; slot++) documents.replaceDocument(slot, 'y'.repeat(90))
  assert.ok(documents.size < 40_000, `${documents.size} bytes for 9,000`)
})
