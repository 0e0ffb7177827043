import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Bodies } from '../../../src/archive/documents/bodies.ts'

const text = (bodies: Bodies, slot: number) => Buffer.from(bodies.get(slot)).toString()
const document = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((any) => any.toWellFormed())

test('every body stays whole while others are added, corrected and removed around it', () => {
  const step = fc.tuple(fc.nat(30), fc.option(document, { freq: 4 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.integer({ min: 16, max: 200 }), (steps, slabBytes) => {
      const bodies = new Bodies(slabBytes)
      const expected = new Map<number, string>()
      for (const [slot, put] of steps) {
        if (put === null && expected.has(slot)) bodies.remove(slot)
        else if (put !== null && expected.has(slot)) bodies.replace(slot, put)
        else if (put !== null) bodies.add(slot, put)
        if (put === null) expected.delete(slot)
        else expected.set(slot, put)
        for (const [other, whole] of expected) assert.equal(text(bodies, other), whole)
      }
    }),
    { numRuns: 300 },
  )
})

test('documents taken in together are found one by one', () => {
  const bodies = new Bodies(64)
  const { slab, offset } = bodies.take(Buffer.from('onetwothree'))
  for (const [slot, from, length] of [
    [0, 0, 3],
    [1, 3, 3],
    [2, 6, 5],
  ] as const)
    bodies.place(slot, slab, offset + from, length)
  assert.deepEqual(
    [0, 1, 2].map((slot) => text(bodies, slot)),
    ['one', 'two', 'three'],
  )
})

test('corrections do not grow the memory for ever', () => {
  const bodies = new Bodies(1000)
  for (let slot = 0; slot < 100; slot++) bodies.add(slot, 'x'.repeat(90))
  for (let round = 0; round < 200; round++) for (let slot = 0; slot < 100; slot++) bodies.replace(slot, 'y'.repeat(90))
  assert.ok(bodies.size < 40_000, `${bodies.size} bytes for 9,000`)
})
