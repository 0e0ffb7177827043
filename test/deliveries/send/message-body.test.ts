import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageBody } from '../../../src/deliveries/send/message.ts'
import { EVENT_KINDS } from '../../../src/domain/incident.ts'
import fc from '../../support/fast-check.ts'
import { incidentFrom, incidentParts } from '../../support/incidents/arbitrary.ts'

const anyText = fc.string({ unit: 'binary' })
const notice = fc.record({
  event: fc.constantFrom(...EVENT_KINDS),
  watch: anyText,
  watchId: fc.stringMatching(/^wat_[0-9a-z]{26}$/),
  id: fc.stringMatching(/^msg_[0-9a-z]{26}$/),
  sequence: fc.integer({ min: 1 }),
  seq: fc.integer({ min: 1 }),
  createdAt: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
  redacted: fc.constantFrom(true, undefined),
})

test('the body is the object that the reference describes, with any watch name and summary', () => {
  fc.assert(
    fc.property(notice, incidentParts, anyText, (notice, parts, summary) => {
      const incident = { ...incidentFrom(parts, 1), summary }
      const { event, watch, watchId, id, sequence, seq, createdAt, redacted } = notice
      const createdAtText = `${new Date(createdAt).toISOString().slice(0, 19)}Z`
      const whole = {
        event,
        watch,
        incident,
        id,
        watch_id: watchId,
        sequence,
        seq,
        created_at: createdAtText,
        redacted,
      }
      assert.equal(messageBody(notice, JSON.stringify(incident)), JSON.stringify(whole))
    }),
    { numRuns: 1000 },
  )
})
