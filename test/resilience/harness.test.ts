import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { findCopyProblems } from '../../resilience/harness/checks/copies.ts'
import { type LoggedEvent, withVersions } from '../../resilience/harness/event-log.ts'
import { IncidentVersions } from '../../resilience/harness/incident-versions.ts'
import { Rounds } from '../../resilience/harness/rounds.ts'
import { findFalseMessages, findOutdatedMessages } from '../../resilience/harness/webhooks/check-messages.ts'
import {
  countDeliveries,
  type DeliveryCounts,
  type ExpectedEvents,
} from '../../resilience/harness/webhooks/delivery-counts.ts'
import type { MessageBody, ReceivedMessage } from '../../resilience/harness/webhooks/received-message.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
const INCIDENT = {
  id: 'inc_1',
  version: 1,
  status: 'confirmed',
  state: 'Kaduna',
  severity: 'high',
  summary: 'A.',
}

/** A message as the service would send it, signed, with the given changes to its body. */
function aMessage(changes: Partial<MessageBody> = {}): ReceivedMessage {
  const body: MessageBody = {
    event: 'incident.created',
    watch: 'A watch',
    incident: INCIDENT,
    id: 'msg_1',
    watch_id: 'wat_1',
    sequence: 1,
    seq: 1,
    created_at: '2026-05-01T06:30:00Z',
    ...changes,
  }
  const text = JSON.stringify(body)
  const sentAt = new Date('2026-05-01T06:30:01Z')
  const signature = new Webhook(SECRET).sign(body.id, sentAt, text)
  const headers = { id: body.id, timestamp: String(sentAt.getTime() / 1000), signature }
  return { headers, text, body, receivedAt: 0, accepted: true, seq: body.seq, watchId: body.watch_id }
}

const RETRACTED = {
  id: 'inc_1',
  type: 'x',
  severity: 'high',
  state: 'Kaduna',
  lga: 'Y',
  status: 'retracted',
  version: 3,
}

function truth() {
  const versions = new IncidentVersions()
  versions.record(INCIDENT, 0)
  versions.record({ ...INCIDENT, version: 2, summary: 'B.' }, 10_000)
  versions.record({ ...RETRACTED, summary: 'B.' }, 20_000)
  const at = '2026-05-01T06:30:00.250Z'
  const kinds = ['incident.created', 'incident.updated', 'incident.retracted']
  const events = kinds.map((event, index) => ({
    seq: index + 1,
    position: String(index + 1),
    event,
    at,
    incident_id: 'inc_1',
    incident: null,
    version: index + 1,
  }))
  return { watches: [{ id: 'wat_1', name: 'A watch', secrets: [SECRET] }], events, versions }
}

describe('a message is false', () => {
  const good = aMessage()
  const cases: [string, ReceivedMessage, RegExp | null][] = [
    ['no, if all is as acknowledged', good, null],
    [
      'no, if it carries a newer version than its event',
      aMessage({ incident: { ...INCIDENT, version: 2, summary: 'B.' } }),
      null,
    ],
    ['if its signature does not cover its body', { ...good, text: `${good.text} ` }, /no signature is valid/],
    [
      'if its signature is of another id',
      { ...good, headers: { ...good.headers, id: 'msg_2' } },
      /no signature is valid/,
    ],
    ['if its incident is empty', aMessage({ incident: {} }), /incident is undefined/],
    [
      'if its incident was changed',
      aMessage({ incident: { ...INCIDENT, state: 'Kano' } }),
      /differs from version 1: state/,
    ],
    ['if it has a version that nobody made', aMessage({ incident: { ...INCIDENT, version: 9 } }), /no version 9/],
    ['if its version is older than its event', aMessage({ event: 'incident.updated', seq: 2 }), /older than its event/],
    ['if its kind is another', aMessage({ event: 'incident.updated' }), /in the log is incident.created/],
    ['if its watch has another name', aMessage({ watch: 'Another' }), /watch is "Another"/],
    ['if no watch has its watch_id', aMessage({ watch_id: 'wat_2' }), /no watch/],
    ['if the log has no such seq', aMessage({ seq: 7 }), /no such seq/],
    ['if its time is not that of the event', aMessage({ created_at: '2026-05-01T06:31:00Z' }), /created_at is/],
    [
      'no, if it names a retracted incident',
      aMessage({ event: 'incident.retracted', seq: 3, incident: RETRACTED }),
      null,
    ],
    [
      'if it says that a published incident is retracted',
      aMessage({ event: 'incident.retracted', seq: 3, incident: { ...RETRACTED, status: 'confirmed' } }),
      /its incident is confirmed/,
    ],
    ['if it publishes a retracted incident', aMessage({ incident: { ...RETRACTED, summary: 'B.' } }), /is retracted/],
  ]
  for (const [what, message, expected] of cases) {
    it(what, () => {
      const problems = findFalseMessages([message], truth())
      if (expected === null) assert.deepEqual(problems, [])
      else assert.match(problems.join(), expected)
    })
  }

  it('if its webhook-id is that of another message', () => {
    const other = aMessage({ event: 'incident.retracted', seq: 3, incident: RETRACTED })
    assert.match(findFalseMessages([good, other], truth()).join(), /webhook-id is that of another message/)
    assert.deepEqual(findFalseMessages([good, good], truth()), [])
  })
})

describe('a message is outdated', () => {
  const received = (receivedAt: number, version: number) => {
    return findOutdatedMessages([{ ...aMessage({ incident: { ...INCIDENT, version } }), receivedAt }], truth(), 3000)
  }

  it('if a newer version had been acknowledged', () =>
    assert.match(received(15_000, 1).join(), /version 2 \(confirmed\)/))
  it('if the incident had been retracted', () => assert.match(received(25_000, 2).join(), /version 3 \(retracted\)/))
  it('but not while it was on its way', () => assert.deepEqual(received(10_500, 1), []))
  it('and not if it has the newest version', () => assert.deepEqual(received(15_000, 2), []))
})

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

const CORRECTED = { ...INCIDENT, version: 2, summary: 'B.' }
const OTHER_RETRACTED = { ...INCIDENT, id: 'inc_2', version: 2, status: 'retracted' }
const event = (seq: number, kind: string, incident_id: string, incident: object | null): LoggedEvent => ({
  seq,
  position: String(seq),
  event: `incident.${kind}`,
  at: '2026-05-01T06:30:00.000Z',
  incident_id,
  incident: incident as LoggedEvent['incident'],
})
const CREATED = event(1, 'created', 'inc_1', INCIDENT)
const UPDATED = event(2, 'updated', 'inc_1', CORRECTED)
const OTHER = event(3, 'created', 'inc_2', { ...INCIDENT, id: 'inc_2' })
const GONE = event(4, 'retracted', 'inc_2', null)
const LOG = withVersions([CREATED, UPDATED, OTHER, GONE])

function versions(): IncidentVersions {
  const known = new IncidentVersions()
  for (const incident of [INCIDENT, CORRECTED, { ...INCIDENT, id: 'inc_2' }, OTHER_RETRACTED]) known.record(incident)
  return known
}

describe('a copy of the log', () => {
  const check = (received: readonly LoggedEvent[], readingTime: 'meanwhile' | 'at the end' = 'meanwhile') =>
    findCopyProblems('the copy', received, LOG, versions(), readingTime).join('; ')

  it('is right if every event came once, in order, as it was acknowledged', () =>
    assert.equal(check([CREATED, UPDATED, OTHER, GONE]), ''))

  it('may lack an incident that is retracted by now', () =>
    assert.equal(check([CREATED, UPDATED, { ...OTHER, incident: null }, GONE]), ''))

  it('must lack it if it is read at the end', () => {
    assert.match(check([CREATED, UPDATED, OTHER, GONE], 'at the end'), /the incident of seq 3/)
    assert.equal(check([CREATED, UPDATED, { ...OTHER, incident: null }, GONE], 'at the end'), '')
  })

  const wrong: [string, readonly LoggedEvent[], RegExp][] = [
    ['misses an event', [CREATED, OTHER, GONE], /3 events of 4, 1 missing \(2\)/],
    ['has one twice', [CREATED, UPDATED, UPDATED, OTHER, GONE], /1 repeated/],
    ['is not in order', [UPDATED, CREATED, OTHER, GONE], /out of order/],
    [
      'has another kind',
      [CREATED, { ...UPDATED, event: 'incident.created' }, OTHER, GONE],
      /seq 2 is incident.created/,
    ],
    ['has an old version', [CREATED, { ...UPDATED, incident: { ...INCIDENT } }, OTHER, GONE], /incident of seq 2/],
    ['hides a published incident', [CREATED, { ...UPDATED, incident: null }, OTHER, GONE], /incident of seq 2/],
  ]
  for (const [what, received, expected] of wrong)
    it(`is wrong if it ${what}`, () => assert.match(check(received), expected))
})

test('rounds end when there are enough of them', () => {
  const rounds = new Rounds(3)
  assert.deepEqual([rounds.next(), rounds.next(), rounds.next(), rounds.next()], [true, true, true, false])
  assert.equal(rounds.done, 3)
})

test('rounds end when the time is over', () => {
  const rounds = new Rounds(3, 0)
  assert.equal(rounds.next(), false)
  assert.equal(rounds.done, 0)
})
