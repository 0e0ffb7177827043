import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { IncidentVersions } from '../../../../resilience/harness/incident-versions.ts'
import { findFalseMessages, findOutdatedMessages } from '../../../../resilience/harness/webhooks/check-messages.ts'
import type { ReceivedMessage } from '../../../../resilience/harness/webhooks/received-message.ts'
import { aMessage, INCIDENT, SECRET } from './messages.ts'

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
