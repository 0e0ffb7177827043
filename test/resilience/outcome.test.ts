import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Arrival, type Outcome, outcomeOf } from '../../resilience/harness/outcome.ts'

const DUE = [{ watchId: 'a', seqs: [3, 5] }]
const WELL: Outcome = {
  owed: 2,
  delivered: 2,
  repeated: 0,
  lost: 0,
  uncalledFor: 0,
  renamed: 0,
  outOfSequence: 0,
}

function arrival(seq: number, sequence: number, changes: Partial<Arrival> = {}): Arrival {
  const id = `msg_${seq}`
  return { header: id, id, watchId: 'a', sequence, seq, answered: true, ...changes }
}

describe('the proof notices', () => {
  const cases: [string, Arrival[], Partial<Outcome>][] = [
    ['that all is well, in any order', [arrival(5, 2), arrival(3, 1)], {}],
    ['a repeat', [arrival(3, 1), arrival(5, 2), arrival(3, 1)], { repeated: 1 }],
    ['what never came', [arrival(3, 1)], { delivered: 1, lost: 1 }],
    ['what came and was never taken', [arrival(3, 1), arrival(5, 2, { answered: false })], { delivered: 1, lost: 1 }],
    [
      'a repeat under another id',
      [arrival(3, 1), arrival(5, 2), arrival(5, 2, { id: 'msg_x', header: 'msg_x' })],
      { repeated: 1, renamed: 1 },
    ],
    ['a header that is not the id', [arrival(3, 1), arrival(5, 2, { header: 'msg_x' })], { renamed: 1 }],
    ['a gap', [arrival(3, 1), arrival(5, 3)], { outOfSequence: 1 }],
    ['an order that is not that of events', [arrival(3, 2), arrival(5, 1)], { outOfSequence: 2 }],
    [
      'what nobody asked for',
      [arrival(3, 1), arrival(5, 2), arrival(4, 2)],
      { delivered: 3, uncalledFor: 1, outOfSequence: 1 },
    ],
  ]
  for (const [what, arrivals, changes] of cases) {
    it(what, () => assert.deepEqual(outcomeOf(DUE, arrivals), { ...WELL, ...changes }))
  }
})
