import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  countDeliveries,
  type DeliveryCounts,
  type ReceivedMessage,
} from '../../../../resilience/harness/webhooks/delivery-counts.ts'

const EXPECTED = [{ watchId: 'a', seqs: [3, 5] }]
const ALL_DELIVERED: DeliveryCounts = {
  expected: 2,
  delivered: 2,
  duplicated: 0,
  lost: 0,
  unexpected: 0,
  idChanged: 0,
  outOfOrder: 0,
}

function message(seq: number, sequence: number, changes: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const id = `msg_${seq}`
  return { header: id, id, watchId: 'a', sequence, seq, accepted: true, ...changes }
}

describe('the delivery counts show', () => {
  const cases: [string, ReceivedMessage[], Partial<DeliveryCounts>][] = [
    ['no failure if all messages arrive, in any order', [message(5, 2), message(3, 1)], {}],
    ['a duplicate', [message(3, 1), message(5, 2), message(3, 1)], { duplicated: 1 }],
    ['a message that never arrived', [message(3, 1)], { delivered: 1, lost: 1 }],
    [
      'a message that was never accepted',
      [message(3, 1), message(5, 2, { accepted: false })],
      { delivered: 1, lost: 1 },
    ],
    [
      'a duplicate with another id',
      [message(3, 1), message(5, 2), message(5, 2, { id: 'msg_x', header: 'msg_x' })],
      { duplicated: 1, idChanged: 1 },
    ],
    ['a header that differs from the id', [message(3, 1), message(5, 2, { header: 'msg_x' })], { idChanged: 1 }],
    ['a gap', [message(3, 1), message(5, 3)], { outOfOrder: 1 }],
    ['sequences that are not in the order of events', [message(3, 2), message(5, 1)], { outOfOrder: 2 }],
    [
      'an unexpected event',
      [message(3, 1), message(5, 2), message(4, 2)],
      { delivered: 3, unexpected: 1, outOfOrder: 1 },
    ],
  ]
  for (const [what, received, changes] of cases) {
    it(what, () => assert.deepEqual(countDeliveries(EXPECTED, received), { ...ALL_DELIVERED, ...changes }))
  }
})
