import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Columns } from '../../../src/archive/columns/columns.ts'
import { undecidedBy } from '../../../src/archive/query/undecided.ts'
import { boundsOf } from '../../../src/archive/segments/bounds.ts'
import { EVERYTHING } from '../../../src/filter/filter/filter.ts'
import { matches } from '../../../src/filter/filter/matches.ts'
import { indexedFieldsOf } from '../../../src/filter/indexed-fields.ts'
import fc from '../../support/fast-check.ts'
import { anIncident } from '../../support/incident.ts'
import { DAY, EPOCH, incidentFrom, incidentParts } from '../../support/incidents/arbitrary.ts'

const confidence = fc.option(fc.nat(20).map((twentieth) => twentieth / 20))
const time = fc.option(fc.integer({ min: -1, max: 13 }).map((days) => EPOCH + days * DAY))
const conditions = fc.record(
  { minConfidence: confidence, maxConfidence: confidence, occurredFrom: time, occurredTo: time },
  { noNullPrototype: true },
)

test('conditions that bounds decide change no match', () => {
  fc.assert(
    fc.property(fc.array(incidentParts, { minLength: 1, maxLength: 4 }), conditions, (all, restricted) => {
      const filter = { ...EVERYTHING, ...restricted }
      const columns = new Columns()
      const fields = all.map((parts, slot) => indexedFieldsOf(incidentFrom(parts, slot)))
      for (const [slot, one] of fields.entries()) columns.set(slot, anIncident(slot).id.slice(4), one)
      const undecided = undecidedBy(boundsOf(Uint32Array.from(fields.keys()), columns), filter)
      const expected = fields.map((one) => matches(filter, one, 0))
      assert.deepEqual(
        fields.map((one) => undecided !== null && matches(undecided, one, 0)),
        expected,
      )
      if (expected.every(Boolean)) assert.deepEqual(undecided, EVERYTHING)
    }),
    { numRuns: 500 },
  )
})
