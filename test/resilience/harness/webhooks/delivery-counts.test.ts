import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  countDeliveries,
  type DeliveryCounts,
  type ExpectedEvents,
} from '../../../../resilience/harness/webhooks/delivery-counts.ts'
import type { ReceivedMessage } from '../../../../resilience/harness/webhooks/received-message.ts'
import { aMessage } from './messages.ts'

const NONE: ReadonlySet<number> = new Set()
const EXPECTED: ExpectedEvents[] = [{ watchId: 'a', seqs: [3, 5], retractedSeqs: NONE, cancelledSeqs: NONE }]
const ALL_DELIVERED: DeliveryCounts = {
  expected: 2,
  delivered: 2,
  cancelled: 0,
  duplicated: 0,
  repeated: 0,
  lost: 0,
  unexpected: 0,
  idChanged: 0,
  outOfOrder: 0,
}

function message(seq: number, sequence: number, changes: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return { ...aMessage({ id: `msg_${seq}`, watch_id: 'a', sequence, seq }), ...changes }
}

describe('the delivery counts show', () => {
  const cases: [string, ReceivedMessage[], Partial<DeliveryCounts>][] = [
    ['no failure if all messages arrive, in any order', [message(5, 2), message(3, 1)], {}],
    ['a duplicate', [message(3, 1), message(5, 2), message(3, 1)], { duplicated: 1, repeated: 1 }],
    ['a message that never arrived', [message(3, 1)], { delivered: 1, lost: 1 }],
    [
      'a message that was never accepted',
      [message(3, 1), message(5, 2, { accepted: false })],
      { delivered: 1, lost: 1 },
    ],
    [
      'a duplicate with another id',
      [message(3, 1), message(5, 2), aMessage({ id: 'msg_x', watch_id: 'a', sequence: 2, seq: 5 })],
      { duplicated: 1, repeated: 1, idChanged: 1 },
    ],
    ['a gap', [message(3, 1), message(5, 3)], { outOfOrder: 1 }],
    ['sequences that are not in the order of events', [message(3, 2), message(5, 1)], { outOfOrder: 2 }],
    ['an unexpected event', [message(3, 1), message(5, 2), message(4, 2)], { unexpected: 1, outOfOrder: 1 }],
  ]
  for (const [what, received, changes] of cases) {
    it(what, () => assert.deepEqual(countDeliveries(EXPECTED, received), { ...ALL_DELIVERED, ...changes }))
  }
})

describe('an event that no endpoint accepted', () => {
  const events = { watchId: 'a', seqs: [3], retractedSeqs: new Set([3]), cancelledSeqs: new Set([3]) }
  const counted = (changes: Partial<ExpectedEvents>) => {
    const { lost, cancelled } = countDeliveries([{ ...events, ...changes }], [])
    return { lost, cancelled }
  }

  it('is cancelled if its incident was retracted', () => assert.deepEqual(counted({}), { lost: 0, cancelled: 1 }))

  it('is lost if the service cancelled it although its incident is published', () =>
    assert.deepEqual(counted({ retractedSeqs: NONE }), { lost: 1, cancelled: 0 }))

  it('is lost if its incident was retracted but the delivery was not cancelled', () =>
    assert.deepEqual(counted({ cancelledSeqs: NONE }), { lost: 1, cancelled: 0 }))
})
