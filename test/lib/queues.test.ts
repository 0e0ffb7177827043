import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FirstInFirstOut } from '../../src/lib/queues.ts'
import fc from '../support/fast-check.ts'

const ENTRIES = Array.from({ length: 8 }, (_, number) => ({ number }))
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('add'), number: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), number: fc.nat(7) }) },
  { weight: 5, arbitrary: fc.constant({ do: 'shift', number: 0 }) },
  { weight: 1, arbitrary: fc.constant({ do: 'clear', number: 0 }) },
)

test('entries leave in the order in which they came, whatever is added and deleted meanwhile', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const entries = new FirstInFirstOut<{ number: number }>()
      let model: { number: number }[] = []
      for (const { do: action, number } of steps) {
        const entry = ENTRIES[number]!
        if (action === 'add') {
          entries.add(entry)
          if (!model.includes(entry)) model.push(entry)
        } else if (action === 'delete') {
          assert.equal(entries.delete(entry), model.includes(entry))
          model = model.filter((other) => other !== entry)
        } else if (action === 'shift') assert.equal(entries.shift(), model.shift() ?? null)
        else {
          entries.clear()
          model = []
        }
        assert.equal(entries.size, model.length)
        assert.equal(entries.has(entry), model.includes(entry))
      }
    }),
    { numRuns: 500 },
  )
})
