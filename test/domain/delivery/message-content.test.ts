import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status } from '../../../src/domain/incident.ts'
import { type MessageContent, messageContent, retractionOf } from '../../../src/domain/message-content.ts'
import type { WatchEvent } from '../../../src/domain/watch.ts'
import { anIncident } from '../../support/incident.ts'

const cases: { event: WatchEvent; status: Status | null; content: MessageContent | null }[] = [
  { event: 'incident.created', status: 'confirmed', content: 'incident' },
  { event: 'incident.created', status: 'retracted', content: null },
  { event: 'incident.created', status: null, content: null },
  { event: 'incident.updated', status: 'confirmed', content: 'incident' },
  { event: 'incident.updated', status: 'retracted', content: null },
  { event: 'incident.updated', status: 'merged', content: null },
  { event: 'incident.retracted', status: 'retracted', content: 'retraction' },
  { event: 'incident.retracted', status: 'confirmed', content: null },
  { event: 'incident.retracted', status: null, content: null },
]

for (const { event, status, content } of cases) {
  test(`${event} of ${status === null ? 'a removed' : `a ${status}`} incident carries ${content ?? 'nothing'}`, () => {
    assert.equal(messageContent(event, status), content)
  })
}

test('a retraction names the incident and repeats nothing else of it', () => {
  const { id, type, severity, state, lga, ...rest } = anIncident(1, { status: 'retracted', version: 3 })
  assert.ok(rest.summary.length > 0)
  const retraction = retractionOf({ id, type, severity, state, lga, ...rest })
  assert.deepEqual(retraction, { id, type, severity, state, lga, status: 'retracted', version: 3 })
})
