import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Columns } from '../../../src/archive/columns/columns.ts'
import { columnFiltersFor, undecidedBy } from '../../../src/archive/query/column-filters.ts'
import { boundsOf } from '../../../src/archive/segments/segment-indexes.ts'
import { EVERYTHING, type Filter, indexedFieldsOf } from '../../../src/filter/filter.ts'
import { matches } from '../../../src/filter/matches.ts'
import { between, DAY, EPOCH, incidentFrom, incidentParts } from '../../support/arbitrary.ts'
import fc from '../../support/fast-check.ts'
import { anIncident } from '../../support/incident.ts'

/** Finer than hundredths, by which most values are decided. */
const confidence = fc.noBias(fc.nat(1000)).map((thousandths) => thousandths / 1000)
const wholeConfidence = fc.noBias(fc.nat(100)).map((hundredths) => hundredths / 100)
const place = { lat: between(2, 15), lng: between(1, 16) }
const incidentsWith = (confidences: fc.Arbitrary<number>) =>
  fc.array(fc.record({ parts: incidentParts, confidence: confidences, ...place }), { minLength: 200, maxLength: 200 })
const incidents = fc.oneof(incidentsWith(confidence), incidentsWith(wholeConfidence))

const FILTERS: Record<string, fc.Arbitrary<Partial<Filter>>> = {
  confidence: fc
    .tuple(fc.option(fc.oneof(confidence, wholeConfidence)), fc.option(fc.oneof(confidence, wholeConfidence)))
    .map(([minConfidence, maxConfidence]) => ({ minConfidence, maxConfidence })),
  'distance from a place': fc
    .record({ ...place, radiusKm: between(1, 600) }, { noNullPrototype: true })
    .map((circle) => ({ circle })),
}

for (const [name, filter] of Object.entries(FILTERS)) {
  test(`slots filtered by ${name} are those that match, in order`, () => {
    fc.assert(
      fc.property(incidents, filter, (all, restricted) => {
        const wanted = { ...EVERYTHING, ...restricted }
        const columns = new Columns()
        const fields = all.map(({ parts, ...more }, slot) => indexedFieldsOf({ ...incidentFrom(parts, slot), ...more }))
        for (const [slot, one] of fields.entries()) columns.set(slot, anIncident(slot).id.slice(4), one)
        const slots = Uint32Array.from(fields.keys())
        let count = slots.length
        for (const { run } of columnFiltersFor(wanted, columns)) count = run(slots, count)
        const expected = [...fields.keys()].filter((slot) => matches(wanted, fields[slot]!, 0))
        assert.deepEqual([...slots.subarray(0, count)], expected)
      }),
      { numRuns: 100 },
    )
  })
}

const bound = fc.option(fc.nat(20).map((twentieth) => twentieth / 20))
const time = fc.option(fc.integer({ min: -1, max: 13 }).map((days) => EPOCH + days * DAY))
const conditions = fc.record(
  { minConfidence: bound, maxConfidence: bound, occurredFrom: time, occurredTo: time },
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
