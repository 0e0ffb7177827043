import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Arrival,
  countDeliveries,
  type DeliveryCounts,
} from '../../../../resilience/harness/webhooks/delivery-counts.ts'

const DUE = [{ watchId: 'a', seqs: [3, 5] }]
const WELL: DeliveryCounts = {
  expected: 2,
  delivered: 2,
  duplicated: 0,
  lost: 0,
  unexpected: 0,
  idChanged: 0,
  outOfOrder: 0,
}

function arrival(seq: number, sequence: number, changes: Partial<Arrival> = {}): Arrival {
  const id = `msg_${seq}`
  return { header: id, id, watchId: 'a', sequence, seq, answered: true, ...changes }
}

describe('the proof notices', () => {
  const cases: [string, Arrival[], Partial<DeliveryCounts>][] = [
    ['that all is well, in any order', [arrival(5, 2), arrival(3, 1)], {}],
    ['a repeat', [arrival(3, 1), arrival(5, 2), arrival(3, 1)], { duplicated: 1 }],
    ['name never came', [arrival(3, 1)], { delivered: 1, lost: 1 }],
    ['name came and was never taken', [arrival(3, 1), arrival(5, 2, { answered: false })], { delivered: 1, lost: 1 }],
    [
      'a repeat under another id',
      [arrival(3, 1), arrival(5, 2), arrival(5, 2, { id: 'msg_x', header: 'msg_x' })],
      { duplicated: 1, idChanged: 1 },
    ],
    ['a header that is not the id', [arrival(3, 1), arrival(5, 2, { header: 'msg_x' })], { idChanged: 1 }],
    ['a gap', [arrival(3, 1), arrival(5, 3)], { outOfOrder: 1 }],
    ['an order that is not that of events', [arrival(3, 2), arrival(5, 1)], { outOfOrder: 2 }],
    [
      'name nobody asked for',
      [arrival(3, 1), arrival(5, 2), arrival(4, 2)],
      { delivered: 3, unexpected: 1, outOfOrder: 1 },
    ],
  ]
  for (const [name, arrivals, changes] of cases) {
    it(name, () => assert.deepEqual(countDeliveries(DUE, arrivals), { ...WELL, ...changes }))
  }
})
